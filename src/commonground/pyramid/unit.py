"""What a pyramid is made of: content units and the words that contribute to them."""

from collections.abc import Sequence
from dataclasses import dataclass

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Contributor:
    """Words of one reference that express a unit.

    Attributes:
        reference: Which reference, from 0.
        text: The words.
        id: `summary.sentence.segmentation.segment` as in figure 3 of the paper, summaries and
            sentences from 1; empty where the unit was not built from segments.
        spans: Where the words are in the text of the reference; empty where that is not known.
    """

    reference: int
    text: str
    id: str = ""
    spans: Spans = ()


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of information, and who expresses it.

    Attributes:
        label: The unit in words.
        contributors: The words of the references, in the order of the references.
        attraction: The mean similarity of the contributors' pairs; 1 for a single one.
        weight_given: A weight that somebody set, where it is not the number of contributors.

    Example:
        >>> Unit("It rained", (Contributor(0, "It rained"), Contributor(2, "Rain fell"))).weight
        2
    """

    label: str
    contributors: tuple[Contributor, ...]
    attraction: float = 1.0
    weight_given: int | None = None

    @property
    def weight(self) -> int:
        """How many references express it, unless another weight was set."""
        return len(self.contributors) if self.weight_given is None else self.weight_given


def in_order(units: Sequence[Unit]) -> tuple[Unit, ...]:
    """Heaviest first, then strongest, then by their words."""

    def place(unit: Unit) -> tuple[int, float, str, list[str]]:
        words = sorted(contributor.text for contributor in unit.contributors)
        return -unit.weight, -unit.attraction, unit.label, words

    return tuple(sorted(units, key=place))
