"""Two pyramids side by side: the same units, their weights, and as text."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, log
from typing import Any, Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from commonground.pyramid.builders.graph import Floats
from commonground.pyramid.formats.text import counted, filled
from commonground.pyramid.pyramid import Pyramid
from commonground.pyramid.unit import Contributor, Unit

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


# A pair is as alike as its contributors by this share, and as its labels by the rest: labels are
# one phrase that somebody chose, contributors are what the references say.
CONTRIBUTORS: Final = 0.75
LEAST: Final = 0.25
_TINY: Final = 1e-9  # less than any likeness there is

_WORD: Final = re.compile(r"\w+")
_Words = frozenset[str]


@dataclass(frozen=True, slots=True)
class Pair:
    """A unit of each pyramid that say the same.

    Attributes:
        auto: The unit of the first pyramid.
        manual: The unit of the second.
        similarity: How far their words are the same, from 0 to 1.
    """

    auto: Unit
    manual: Unit
    similarity: float

    @property
    def difference(self) -> int:
        """How much heavier the first is than the second."""
        return self.auto.weight - self.manual.weight


@dataclass(frozen=True, slots=True)
class Comparison:
    """Which units of two pyramids are the same.

    Attributes:
        pairs: Units that say the same, in the order of the first pyramid.
        only_auto: Units of the first pyramid without a partner.
        only_manual: Units of the second without one.
        near: For units without a partner the unit most like them, where it is alike enough but
            has another partner: one pyramid splits what the other joins, as in figure 7.
        references: For each reference of the second pyramid its number in the first, from 0;
            None where the second does not know its references.
    """

    pairs: tuple[Pair, ...]
    only_auto: tuple[Unit, ...]
    only_manual: tuple[Unit, ...]
    near: tuple[Pair, ...]
    references: tuple[int, ...] | None

    @property
    def mean_difference(self) -> float:
        """The mean difference of the weights in a pair, whichever is heavier; 0 without pairs."""
        apart = [abs(pair.difference) for pair in self.pairs]
        return sum(apart) / len(apart) if apart else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Labels and weights, ready for JSON."""
        return {
            "pairs": [_pair(pair) for pair in self.pairs],
            "only_auto": [_named(unit) for unit in self.only_auto],
            "only_manual": [_named(unit) for unit in self.only_manual],
            "near": [_pair(pair) for pair in self.near],
            "mean_difference": self.mean_difference,
        }

    def __str__(self) -> str:
        pairs, near = (
            [(pair.auto, pair.manual, pair.similarity) for pair in found]
            for found in (self.pairs, self.near)
        )
        return comparison_text(pairs, self.only_auto, self.only_manual, near, self.references)


def compare(auto: Pyramid, manual: Pyramid, *, least: float = LEAST) -> Comparison:
    """Align the units of two pyramids, most often an automatic and a manual one.

    Two units are alike as far as their contributors have words in common, reference by reference,
    and their labels have; a word counts by how few units have it. Each unit has one partner at
    most, and the sum over all pairs is the greatest there is. References are known by their
    words, so their order may differ; where one pyramid does not know them, the contributors of a
    unit are taken together.

    Args:
        auto: The first pyramid.
        manual: The second.
        least: Units that are less alike than this are no pair.
    """
    references = _aligned(auto.references, manual.references)
    worth = _worth([*auto.units, *manual.units])
    own = [
        _said(unit, None if references is None else range(len(auto.references)))
        for unit in auto.units
    ]
    other = [_said(unit, references) for unit in manual.units]
    table = np.zeros((len(own), len(other)))
    for row, first in enumerate(auto.units):
        for column, second in enumerate(manual.units):
            labels = _common(_words([first.label]), _words([second.label]), worth)
            shared = _contributors(own[row], other[column], worth)
            table[row, column] = CONTRIBUTORS * shared + (1 - CONTRIBUTORS) * labels
    partners = _partners(table, least)

    def paired(places: Iterable[tuple[int, int]]) -> tuple[Pair, ...]:
        return tuple(
            Pair(auto.units[row], manual.units[column], float(table[row, column]))
            for row, column in places
        )

    return Comparison(
        paired(partners.items()),
        tuple(unit for row, unit in enumerate(auto.units) if row not in partners),
        tuple(unit for row, unit in enumerate(manual.units) if row not in partners.values()),
        paired(_near(table, partners, least)),
        references,
    )


def _partners(table: Floats, least: float) -> dict[int, int]:
    """The assignment with the greatest sum, over pairs that are alike enough."""
    allowed = np.where(table >= least, table, 0.0)
    rows, columns = linear_sum_assignment(allowed, maximize=True)
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    return {row: column for row, column in pairs if table[row, column] >= max(least, _TINY)}


def _near(table: Floats, partners: Mapping[int, int], least: float) -> list[tuple[int, int]]:
    """For each place without a partner the one most like it, where it is alike enough."""
    if not table.size:
        return []
    rows = [row for row in range(len(table)) if row not in partners]
    columns = [column for column in range(table.shape[1]) if column not in partners.values()]
    found = [(row, int(table[row].argmax())) for row in rows]
    found += [(int(table[:, column].argmax()), column) for column in columns]
    return [place for place in found if table[place] >= max(least, _TINY)]


def _aligned(own: Sequence[str], other: Sequence[str]) -> tuple[int, ...] | None:
    """For each text of the other its number here; texts without a partner get numbers beyond.

    None where a text is not known.
    """
    if not all(text.strip() for text in (*own, *other)):
        return None
    bags = [[Counter(_listed(text)) for text in texts] for texts in (own, other)]
    table = np.array(
        [[2 * (a & b).total() / ((a + b).total() or 1) for b in bags[1]] for a in bags[0]]
    ).reshape(len(own), len(other))
    rows, columns = linear_sum_assignment(table, maximize=True)
    partner = {
        column: row
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
        if table[row, column] >= 0.5
    }
    return tuple(partner.get(number, len(own) + number) for number in range(len(other)))


def _said(unit: Unit, numbers: Sequence[int] | None) -> dict[int, _Words]:
    """The words of a unit by reference, or all under one number."""
    texts: dict[int, list[str]] = {}
    for one in unit.contributors:
        texts.setdefault(numbers[one.reference] if numbers else 0, []).append(one.text)
    return {number: _words(said) for number, said in texts.items()}


def _contributors(
    own: Mapping[int, _Words], other: Mapping[int, _Words], worth: Mapping[str, float]
) -> float:
    """The mean over the references that have a say in either unit."""
    numbers = own.keys() | other.keys()
    if not numbers:
        return 0.0
    none: _Words = frozenset()
    shares = (_common(own.get(n, none), other.get(n, none), worth) for n in numbers)
    return fsum(shares) / len(numbers)


def _common(own: _Words, other: _Words, worth: Mapping[str, float]) -> float:
    """Dice's coefficient of weighted words."""
    # Sets have no order, and only an exact sum is the same in any.
    shared, first, second = (fsum(map(worth.__getitem__, x)) for x in (own & other, own, other))
    return 2 * shared / (first + second) if first + second else 0.0


def _worth(units: Sequence[Unit]) -> dict[str, float]:
    """What a word counts: the fewer units have it, the more."""
    having = Counter(
        word
        for unit in units
        for word in _words([unit.label, *(one.text for one in unit.contributors)])
    )
    return {word: log(1 + len(units) / count) for word, count in having.items()}


def _words(texts: Iterable[str]) -> _Words:
    return frozenset(word for text in texts for word in _listed(text))


def _listed(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _pair(pair: Pair) -> dict[str, Any]:
    return {
        "auto": _named(pair.auto),
        "manual": _named(pair.manual),
        "similarity": pair.similarity,
        "difference": pair.difference,
    }


def _named(unit: Unit) -> dict[str, Any]:
    return {"label": unit.label, "weight": unit.weight}
