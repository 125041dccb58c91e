"""A comparison of two pyramids as text, in the manner of figure 1 of the paper."""

from collections.abc import Mapping, Sequence

from commonground.units._pyramid_text import counted, filled
from commonground.units._unit import Contributor, Unit

_Pairs = Sequence[tuple[Unit, Unit, float]]


def comparison_text(
    pairs: _Pairs,
    only_auto: Sequence[Unit],
    only_manual: Sequence[Unit],
    near: _Pairs,
    references: Sequence[int] | None,
) -> str:
    """Each pair with both weights and what each unit takes from a reference, then the rest.

    Args:
        pairs: A unit of each pyramid and how alike they are.
        only_auto: Units of the first without a partner.
        only_manual: Units of the second without one.
        near: Pairs of a unit without a partner and the one most like it.
        references: For each reference of the second its number in the first, if known.
    """
    apart = [abs(auto.weight - manual.weight) for auto, manual, _ in pairs]
    head = f"{counted(len(pairs), 'pair')}, {len(only_auto)} only automatic, "
    head += f"{len(only_manual)} only manual"
    if pairs:
        head += f"; weights are {sum(apart) / len(apart):.2f} apart on average"
    lines = [filled(head)]
    for auto, manual, similarity in pairs:
        lines += ["", *_pair_lines(auto, manual, similarity, references)]
    like = {id(auto): (manual, similarity) for auto, manual, similarity in near}
    lines += _rest("Only automatic", only_auto, "manual", like)
    like = {id(manual): (auto, similarity) for auto, manual, similarity in near}
    lines += _rest("Only manual", only_manual, "auto", like)
    return "\n".join(lines)


def _rest(
    title: str, units: Sequence[Unit], other: str, like: Mapping[int, tuple[Unit, float]]
) -> list[str]:
    lines = ["", f"{title}:"] if units else []
    for unit in units:
        lines.append(filled(unit.label, f"[{unit.weight}] "))
        if id(unit) in like:
            near, similarity = like[id(unit)]
            lines.append(
                filled(f"{near.label} ({similarity:.2f})", f"    {other} [{near.weight}] ")
            )
    return lines


def _pair_lines(
    auto: Unit, manual: Unit, similarity: float, references: Sequence[int] | None
) -> list[str]:
    lines = [
        filled(f"{auto.label} ({similarity:.2f})", f"auto   [{auto.weight}] "),
        filled(manual.label, f"manual [{manual.weight}] "),
    ]
    said = [(one.reference, "auto", one) for one in auto.contributors]
    said += [
        (references[one.reference] if references else one.reference, "manual", one)
        for one in manual.contributors
    ]
    if references is None:  # numbers mean nothing then: one side after the other
        return lines + [_line(side, one) for _, side, one in said]
    in_order = sorted(said, key=lambda entry: entry[0])
    return lines + [_line(f"{number + 1} {side}", one) for number, side, one in in_order]


def _line(start: str, one: Contributor) -> str:
    return filled(one.text, f"    {start + ':':<10}")
