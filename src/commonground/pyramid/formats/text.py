"""A pyramid as text that a person can read."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Final

from commonground.pyramid.unit import Unit

WIDTH: Final = 80
_INDENT: Final = " " * 4


def pyramid_text(tiers: Mapping[int, Sequence[Unit]], references: int) -> str:
    """Units from the heaviest on, each with what the references say.

    Args:
        tiers: The units of each weight, the heaviest first.
        references: How many references there are.
    """
    sizes = ", ".join(f"{len(units)} of weight {weight}" for weight, units in tiers.items())
    count = sum(map(len, tiers.values()))
    head = f"{counted(count, 'unit')} from {counted(references, 'reference')}"
    lines = [filled(f"{head}: {sizes}" if sizes else head)]
    for units in tiers.values():
        lines.append("")
        for unit in units:
            lines += unit_lines(unit)
    return "\n".join(lines)


def unit_lines(unit: Unit) -> list[str]:
    """One unit: `[weight] label`, then its contributors after the number of their reference.

    A single contributor that reads like the label is not said twice.
    """
    said = [contributor.text for contributor in unit.contributors]
    if said == [unit.label]:
        where = f"(reference {unit.contributors[0].reference + 1})"
        return [filled(f"{unit.label} {where}", f"[{unit.weight}] ")]
    return [
        filled(unit.label, f"[{unit.weight}] "),
        *(
            filled(contributor.text, f"{_INDENT}{contributor.reference + 1}: ")
            for contributor in unit.contributors
        ),
    ]


def filled(text: str, start: str = "") -> str:
    """A paragraph after its start, later lines set in under the first.

    What would move the cursor of a terminal becomes a space.
    """
    safe = "".join(letter if letter.isprintable() else " " for letter in text)
    indent = " " * len(start)
    return textwrap.fill(safe, WIDTH, initial_indent=start, subsequent_indent=indent) or start


def counted(number: int, noun: str) -> str:
    """A number and its noun.

    Example:
        >>> counted(2, "unit")
        '2 units'
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
