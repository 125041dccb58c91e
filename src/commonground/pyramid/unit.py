"""Content units (SCUs) and their contributors."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from commonground.errors import InputError
from commonground.plain import Plain, to_plain

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Contributor(Plain):
    """Words of one reference that express a unit.

    Attributes:
        reference: Index of the reference.
        text: The words.
        id: `summary.sentence.segmentation.segment` as in figure 3 of the paper, summaries and
            sentences from 1; empty if the unit was not built from segments.
        spans: Offsets of the words in the reference; empty if unknown.
    """

    reference: int
    text: str
    id: str = ""
    spans: Spans = ()


@dataclass(frozen=True, slots=True)
class Unit(Plain):
    """A content unit: one piece of information, with its contributors.

    Attributes:
        label: The unit in words that people can read: an idea.
        contributors: In the order of the references.
        attraction: Mean similarity of the pairs of contributors; 1 for a single one.
        weight_given: A weight set by hand, if it differs from the number of contributors.
        clause: The words by which summaries are judged, if they are not the label.

    Example:
        >>> Unit("It rained", (Contributor(0, "It rained"), Contributor(2, "Rain fell"))).weight
        2
    """

    label: str
    contributors: tuple[Contributor, ...]
    attraction: float = 1.0
    weight_given: int | None = None
    clause: str = ""

    @property
    def judged(self) -> str:
        """The words by which summaries are judged."""
        return self.clause or self.label

    @property
    def weight(self) -> int:
        """Number of references that express the unit, unless set by hand."""
        return len(self.contributors) if self.weight_given is None else self.weight_given

    def to_dict(self) -> dict[str, Any]:
        """Return the unit as it is written in a pyramid file."""
        names = ["label", "weight", "attraction", "contributors"]
        names[1:1] = ["clause"] if self.clause else []
        return {name: to_plain(getattr(self, name)) for name in names}


def by_reference(contributors: Iterable[Contributor]) -> tuple[Contributor, ...]:
    """Sort contributors by reference."""
    return tuple(sorted(contributors, key=lambda contributor: contributor.reference))


def by_weight(units: Iterable[Unit]) -> tuple[Unit, ...]:
    """Sort units: heaviest first, then strongest, then by words."""

    def key(unit: Unit) -> tuple[int, float, str, list[str]]:
        words = sorted(contributor.text for contributor in unit.contributors)
        return -unit.weight, -unit.attraction, unit.judged, words

    return tuple(sorted(units, key=key))


def given_units(units: Iterable[str], weights: Sequence[int] | None) -> tuple[Unit, ...]:
    """Return the units of texts, each of weight 1 unless `weights` are given.

    Raises:
        InputError: No unit, a blank one, a bare string, or weights that do not fit.
    """
    if isinstance(units, str):
        raise InputError("units must be a list of texts, got one string; write [text]")
    texts = list(units)
    if not texts:
        raise InputError("units is empty; give at least one unit")
    for index, text in enumerate(texts):
        if not isinstance(text, str) or not text.strip():
            raise InputError(f"units[{index}] must be a text that is not blank")
    numbers = [1] * len(texts) if weights is None else list(weights)
    if len(numbers) != len(texts):
        raise InputError(f"there are {len(numbers)} weights for {len(texts)} units")
    for index, weight in enumerate(numbers):
        if isinstance(weight, bool) or not isinstance(weight, int) or weight < 1:
            raise InputError(f"weights[{index}] must be a whole number from 1, not {weight!r}")
    return tuple(
        Unit(" ".join(text.split()), (), weight_given=weight)
        for text, weight in zip(texts, numbers, strict=True)
    )
