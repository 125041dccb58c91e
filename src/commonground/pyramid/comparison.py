"""Compare two pyramids: which units are the same, their weights, and as text."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, log
from typing import Any, Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from commonground.frames import HasRows
from commonground.pyramid.builders.graph import Floats
from commonground.pyramid.formats.text import counted, filled
from commonground.pyramid.pyramid import Pyramid
from commonground.pyramid.unit import Unit

# The share of the contributors in the similarity of a pair; the labels have the rest, since a label
# is one phrase that somebody chose.
CONTRIBUTORS: Final = 0.75
LEAST: Final = 0.25
_TINY: Final = 1e-9  # less than any real similarity

_WORD: Final = re.compile(r"\w+")
_Words = frozenset[str]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two units that say the same.

    Attributes:
        auto: The unit of the first pyramid.
        manual: The unit of the second.
        similarity: Overlap of their words, from 0 to 1.
    """

    auto: Unit
    manual: Unit
    similarity: float

    @property
    def difference(self) -> int:
        """Weight of the first minus weight of the second."""
        return self.auto.weight - self.manual.weight

    def to_dict(self) -> dict[str, Any]:
        """Return labels and weights for JSON."""
        return {
            "auto": _named(self.auto),
            "manual": _named(self.manual),
            "similarity": self.similarity,
            "difference": self.difference,
        }


@dataclass(frozen=True, slots=True)
class Comparison(HasRows):
    """The alignment of the units of two pyramids.

    Attributes:
        pairs: Units that say the same, in the order of the first pyramid.
        only_auto: Units of the first pyramid without a partner.
        only_manual: Units of the second without one.
        near: Pairs of a unit without a partner and the unit most like it, if similar enough: one
            pyramid splits what the other joins, as in figure 7.
        references: For each reference of the second pyramid its index in the first; None if the
            texts are not known.
    """

    pairs: tuple[Pair, ...]
    only_auto: tuple[Unit, ...]
    only_manual: tuple[Unit, ...]
    near: tuple[Pair, ...]
    references: tuple[int, ...] | None

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return a row for each pair of units, then for each unit without a partner."""
        columns = ("auto", "auto_weight", "manual", "manual_weight")
        pairs = [(p.auto.label, p.auto.weight, p.manual.label, p.manual.weight) for p in self.pairs]
        left = [(unit.label, unit.weight, None, None) for unit in self.only_auto]
        right = [(None, None, unit.label, unit.weight) for unit in self.only_manual]
        return [dict(zip(columns, row, strict=True)) for row in (*pairs, *left, *right)]

    @property
    def mean_difference(self) -> float:
        """Mean absolute difference of the weights in a pair; 0 without pairs."""
        differences = [abs(pair.difference) for pair in self.pairs]
        return sum(differences) / len(differences) if differences else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return labels and weights for JSON."""
        return {
            "pairs": [pair.to_dict() for pair in self.pairs],
            "only_auto": [_named(unit) for unit in self.only_auto],
            "only_manual": [_named(unit) for unit in self.only_manual],
            "near": [pair.to_dict() for pair in self.near],
            "mean_difference": self.mean_difference,
        }

    def __str__(self) -> str:
        """List each pair with its contributors, then the units without a partner."""
        head = f"{counted(len(self.pairs), 'pair')}, {len(self.only_auto)} only automatic, "
        head += f"{len(self.only_manual)} only manual"
        if self.pairs:
            head += f"; weights are {self.mean_difference:.2f} apart on average"
        lines = [filled(head)]
        for pair in self.pairs:
            lines += ["", *self._pair_lines(pair)]
        near = {id(pair.auto): (pair.manual, pair.similarity) for pair in self.near}
        lines += _unpaired_lines("Only automatic", self.only_auto, "manual", near)
        near = {id(pair.manual): (pair.auto, pair.similarity) for pair in self.near}
        lines += _unpaired_lines("Only manual", self.only_manual, "auto", near)
        return "\n".join(lines)

    def _pair_lines(self, pair: Pair) -> list[str]:
        lines = [
            filled(f"{pair.auto.label} ({pair.similarity:.2f})", f"auto   [{pair.auto.weight}] "),
            filled(pair.manual.label, f"manual [{pair.manual.weight}] "),
        ]
        entries = [(c.reference, "auto", c.text) for c in pair.auto.contributors]
        entries += [
            (self.references[c.reference] if self.references else c.reference, "manual", c.text)
            for c in pair.manual.contributors
        ]
        if self.references is not None:  # else reference numbers mean nothing
            entries.sort(key=lambda entry: entry[0])
            entries = [(n, f"{n + 1} {side}", text) for n, side, text in entries]
        return lines + [filled(text, f"    {start + ':':<10}") for _, start, text in entries]


def _unpaired_lines(
    title: str, units: Sequence[Unit], other: str, near: Mapping[int, tuple[Unit, float]]
) -> list[str]:
    lines = ["", f"{title}:"] if units else []
    for unit in units:
        lines.append(filled(unit.label, f"[{unit.weight}] "))
        if id(unit) in near:
            nearest, similarity = near[id(unit)]
            start = f"    {other} [{nearest.weight}] "
            lines.append(filled(f"{nearest.label} ({similarity:.2f})", start))
    return lines


def _named(unit: Unit) -> dict[str, Any]:
    return {"label": unit.label, "weight": unit.weight}


def compare(auto: Pyramid, manual: Pyramid, *, least: float = LEAST) -> Comparison:
    """Align the units of two pyramids, usually an automatic and a manual one.

    The similarity of two units is the overlap of their contributors' words, reference by reference,
    and of their labels; rare words count more. Each unit has at most one partner, and the
    alignment has the greatest total similarity. References are recognised by their words, so their
    order may differ; if the texts of a pyramid are not known, the contributors of a unit are taken
    together.

    Args:
        auto: The first pyramid.
        manual: The second.
        least: Minimum similarity of a pair.
    """
    references = _aligned(auto.references, manual.references)
    value = _word_values([*auto.units, *manual.units])
    same = None if references is None else range(len(auto.references))
    first = [_words_by_reference(unit, same) for unit in auto.units]
    second = [_words_by_reference(unit, references) for unit in manual.units]
    table = np.zeros((len(first), len(second)))
    for row, unit in enumerate(auto.units):
        for column, partner in enumerate(manual.units):
            labels = _dice(_words([unit.judged]), _words([partner.judged]), value)
            contributors = _contributor_similarity(first[row], second[column], value)
            table[row, column] = CONTRIBUTORS * contributors + (1 - CONTRIBUTORS) * labels
    partners = _assigned(table, max(least, _TINY))

    def paired(cells: Iterable[tuple[int, int]]) -> tuple[Pair, ...]:
        return tuple(
            Pair(auto.units[row], manual.units[column], float(table[row, column]))
            for row, column in cells
        )

    return Comparison(
        paired(partners.items()),
        tuple(unit for row, unit in enumerate(auto.units) if row not in partners),
        tuple(unit for row, unit in enumerate(manual.units) if row not in partners.values()),
        paired(_near(table, partners, max(least, _TINY))),
        references,
    )


def _assigned(table: Floats, least: float) -> dict[int, int]:
    """Assign rows to columns with the greatest total over cells of at least `least`."""
    allowed = np.where(table >= least, table, 0.0)
    rows, columns = linear_sum_assignment(allowed, maximize=True)
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    return {row: column for row, column in pairs if table[row, column] >= least}


def _near(table: Floats, partners: Mapping[int, int], least: float) -> list[tuple[int, int]]:
    """Return the best cell of each row and column without a partner, if it is at least `least`."""
    if not table.size:
        return []
    rows = [row for row in range(len(table)) if row not in partners]
    columns = [column for column in range(table.shape[1]) if column not in partners.values()]
    cells = [(row, int(table[row].argmax())) for row in rows]
    cells += [(int(table[:, column].argmax()), column) for column in columns]
    return [cell for cell in cells if table[cell] >= least]


def _aligned(own: Sequence[str], other: Sequence[str]) -> tuple[int, ...] | None:
    """Return for each other text its index in `own`; None if a text is empty.

    Texts without a partner get indices beyond.
    """
    if not all(text.strip() for text in (*own, *other)):
        return None
    bags, others = ([Counter(_tokens(text)) for text in texts] for texts in (own, other))
    table = np.array([[2 * (a & b).total() / ((a + b).total() or 1) for b in others] for a in bags])
    table = table.reshape(len(own), len(other))
    rows, columns = linear_sum_assignment(table, maximize=True)
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    partner = {column: row for row, column in pairs if table[row, column] >= 0.5}
    return tuple(partner.get(index, len(own) + index) for index in range(len(other)))


def _words_by_reference(unit: Unit, numbers: Sequence[int] | None) -> dict[int, _Words]:
    """Return the words of a unit by reference, or all under 0."""
    texts: dict[int, list[str]] = {}
    for contributor in unit.contributors:
        number = numbers[contributor.reference] if numbers else 0
        texts.setdefault(number, []).append(contributor.text)
    return {number: _words(of_reference) for number, of_reference in texts.items()}


def _contributor_similarity(
    own: Mapping[int, _Words], other: Mapping[int, _Words], value: Mapping[str, float]
) -> float:
    """Return the mean overlap over the references of either unit."""
    numbers = own.keys() | other.keys()
    none: _Words = frozenset()
    shares = [_dice(own.get(n, none), other.get(n, none), value) for n in numbers]
    return fsum(shares) / len(shares) if shares else 0.0


def _dice(own: _Words, other: _Words, value: Mapping[str, float]) -> float:
    """Return Dice's coefficient of weighted words."""
    # Sets have no order; `fsum` gives the same total in any.
    shared, first, second = (fsum(map(value.__getitem__, x)) for x in (own & other, own, other))
    return 2 * shared / (first + second) if first + second else 0.0


def _word_values(units: Sequence[Unit]) -> dict[str, float]:
    """Return the value of each word: the fewer units have it, the higher."""
    counts = Counter(
        word
        for unit in units
        for word in _words([unit.judged, *(c.text for c in unit.contributors)])
    )
    return {word: log(1 + len(units) / count) for word, count in counts.items()}


def _words(texts: Iterable[str]) -> _Words:
    return frozenset(word for text in texts for word in _tokens(text))


def _tokens(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
