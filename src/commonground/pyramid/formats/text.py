"""Pyramids as plain text."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Final

from commonground.pyramid.unit import Unit

WIDTH: Final = 80


def pyramid_text(tiers: Mapping[int, Sequence[Unit]], references: int) -> str:
    """List units with their contributors, heaviest first.

    Args:
        tiers: The units by weight, heaviest first.
        references: Number of references.
    """
    sizes = ", ".join(f"{len(units)} of weight {weight}" for weight, units in tiers.items())
    count = sum(map(len, tiers.values()))
    head = f"{counted(count, 'unit')} from {counted(references, 'reference')}"
    lines = [filled(f"{head}: {sizes}" if sizes else head)]
    for units in tiers.values():
        lines.append("")
        for unit in units:
            lines += _unit_lines(unit)
    return "\n".join(lines)


def _unit_lines(unit: Unit) -> list[str]:
    """Return `[weight] label`, then the contributors unless the only one is the label."""
    start = f"[{unit.weight}] "
    if [contributor.text for contributor in unit.contributors] == [unit.label]:
        return [filled(f"{unit.label} (reference {unit.contributors[0].reference + 1})", start)]
    contributors = [filled(c.text, f"    {c.reference + 1}: ") for c in unit.contributors]
    return [filled(unit.label, start), *contributors]


def filled(text: str, start: str = "") -> str:
    """Wrap a paragraph, indented by its start; control characters become spaces."""
    safe = "".join(character if character.isprintable() else " " for character in text)
    indent = " " * len(start)
    return textwrap.fill(safe, WIDTH, initial_indent=start, subsequent_indent=indent) or start


def counted(number: int, noun: str) -> str:
    """Return a number with its noun.

    Example:
        >>> counted(2, "unit")
        '2 units'
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
