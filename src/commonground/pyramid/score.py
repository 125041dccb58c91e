"""The score of a summary: what it comes from, unit by unit, and four figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, fsum
from typing import Any, Protocol

from commonground.encoders import Encoder, shown
from commonground.errors import InputError
from commonground.pyramid.evidence.denial import Check
from commonground.score import PRF, Signature
from commonground.text import PARSER, SPLITTERS


@dataclass(frozen=True, slots=True)
class Four:
    """The four scores of a summary; all but `raw` are from 0 to 1.

    Attributes:
        raw: The sum of the weights of the units that the summary states.
        quality: `raw` as a share of the most that as many units as the summary has could weigh:
            does it say what matters? The original pyramid score; like a precision.
        coverage: `raw` as a share of the most that the units of an average reference could
            weigh, and 1 where it is more: does it say enough? Like a recall.
        comprehensive: The harmonic mean of quality and coverage.
        unit_count: How many units the summary has.
    """

    raw: float
    quality: float
    coverage: float
    comprehensive: float
    unit_count: int


def scores(
    weights: Sequence[int], presence: Sequence[float], segments: int, references: int
) -> Four:
    """The four scores.

    A summary has as many units as it has segments, those included that match no unit or repeat
    one; but never fewer than it states, which soft presence can make more: a segment may then
    speak for several units. So nothing it states can weigh more than as many of the heaviest, and
    no quality is above 1. A share of nothing is 0.

    Args:
        weights: The weight of every unit of the pyramid, weight 1 included, in any order.
        presence: For each of them how likely the summary states it; 1 or 0 for matches.
        segments: How many segments the summary has.
        references: How many references the pyramid was built from.

    Example:
        >>> scores([3, 2, 2, 1], [1, 0, 0, 1], segments=2, references=2)
        Four(raw=4.0, quality=0.8, coverage=0.5, comprehensive=0.6153846153846154, unit_count=2)
    """
    raw = fsum(weight * share for weight, share in zip(weights, presence, strict=True))
    unit_count = max(segments, ceil(fsum(presence)))
    quality = _share(raw, heaviest(weights, unit_count))
    coverage = _share(raw, heaviest(weights, average_count(weights, references)))
    return Four(raw, quality, coverage, PRF.of(quality, coverage).f1, unit_count)


def heaviest(weights: Sequence[int], count: int) -> int:
    """The most that `count` units can weigh; all of them where the pyramid has fewer."""
    if count < 0:
        raise InputError(f"a summary cannot have {count} units")
    return sum(sorted(weights, reverse=True)[:count])


def average_count(weights: Sequence[int], references: int) -> int:
    """How many units a reference has on average, rounded half up.

    Every reference that states a unit adds 1 to its weight, so the weights count the units of
    all references together.
    """
    if references < 1:
        raise InputError(f"a pyramid needs at least one reference, not {references}")
    # In whole numbers, since a half must be seen as one.
    return (2 * sum(weights) + references) // (2 * references)


def _share(raw: float, most: int) -> float:
    """At most 1: saying more than enough is enough, and sums of fractions are rounded."""
    return min(raw / most, 1.0) if most else 0.0


STATED = 0.5
"""From this probability on, a unit is called stated where words are needed."""

Text = str | Sequence[str]


@dataclass(frozen=True, slots=True)
class UnitMatch:
    """One unit of the pyramid, and whether the summary states it.

    Attributes:
        label: The unit in words.
        weight: Its weight.
        probability: That the summary states it; with hard matches 1 or 0.
        sentence: Which sentence shows it best, from 0; None where the summary has no words.
        text: That sentence; with hard matches the segment that states the unit or, where none
            does, the one most like it.
        similarity: With hard matches, the mean cosine of that segment to the contributors; a
            segment that is similar enough may still be needed for another unit.
        check: Why a person should look before it counts: `negation` where it is called stated
            but the words that show it may deny it. No score depends on it.
    """

    label: str
    weight: int
    probability: float
    sentence: int | None
    text: str | None
    similarity: float | None = None
    check: Check | None = None

    @property
    def stated(self) -> bool:
        """Whether it is more likely stated than not."""
        return self.probability >= STATED

    @property
    def strength(self) -> float:
        """How strongly: the similarity where matches are hard, otherwise the probability."""
        return self.probability if self.similarity is None else self.similarity

    def to_dict(self) -> dict[str, Any]:
        """All fields by name."""
        return {
            "label": self.label,
            "weight": self.weight,
            "probability": self.probability,
            "stated": self.stated,
            "sentence": self.sentence,
            "text": self.text,
            "similarity": self.similarity,
            "check": self.check,
        }


@dataclass(frozen=True, slots=True, repr=False)
class PyramidScore:
    """The score of one summary, and what it comes from.

    Attributes:
        raw: The weights of the units, each times the probability that the summary states it; with
            hard matches the weights of the units stated.
        quality: `raw` beside the best that as many units as the summary has could weigh.
        coverage: `raw` beside the best that an average reference's number of units could weigh;
            1 where it is more.
        comprehensive: The harmonic mean of quality and coverage.
        unit_count: How many units the summary has: its clauses or, where probabilities add up to
            more, so many; with hard matches, the parts of its sentences cut as matched.
        matches: Every unit of the pyramid, in its order.
        signature: All that the numbers depend on.
    """

    raw: float
    quality: float
    coverage: float
    comprehensive: float
    unit_count: int
    matches: tuple[UnitMatch, ...]
    signature: Signature

    @classmethod
    def of(
        cls,
        matches: Sequence[UnitMatch],
        segments: int,
        references: int,
        signature: Signature,
    ) -> "PyramidScore":
        """The score that follows from the matches.

        Args:
            matches: Every unit of the pyramid.
            segments: How many segments the summary has.
            references: How many references the pyramid was built from.
            signature: All that the matches depend on.
        """
        four = scores(
            [match.weight for match in matches],
            [match.probability for match in matches],
            segments,
            references,
        )
        return cls(
            four.raw,
            four.quality,
            four.coverage,
            four.comprehensive,
            four.unit_count,
            tuple(matches),
            signature,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, unrounded."""
        return {
            "raw": self.raw,
            "quality": self.quality,
            "coverage": self.coverage,
            "comprehensive": self.comprehensive,
            "unit_count": self.unit_count,
            "matches": [match.to_dict() for match in self.matches],
            "signature": str(self.signature),
        }

    def __repr__(self) -> str:
        return (
            f"PyramidScore(raw={self.raw:.2f}, quality={self.quality:.3f}, "
            f"coverage={self.coverage:.3f}, comprehensive={self.comprehensive:.3f}, "
            f"signature='{self.signature}')"
        )

    def __str__(self) -> str:
        """What was said and what was missed, the heaviest first."""
        lines = [
            f"raw {self.raw:.1f}, quality {self.quality:.2f}, coverage {self.coverage:.2f}, "
            f"comprehensive {self.comprehensive:.2f}"
        ]
        for title, stated in (("Stated", True), ("Missed", False)):
            lines += ["", f"{title}:"]
            for match in self.matches:
                if match.stated is stated:
                    lines.append(f"  [{match.weight}] {match.strength:.2f}  {match.label}")
                    if match.text and (stated or match.similarity is not None):
                        lines.append(f"             {_shown_by(match)}: {match.text}")
        return "\n".join(lines)


def _shown_by(match: UnitMatch) -> str:
    if match.check is not None:
        return "please check, it may deny this"
    return "by" if match.stated else "nearest"


class Scorer(Protocol):
    """Scores many summaries against one pyramid; the units are read once."""

    def score(self, summary: Text) -> PyramidScore:
        """Score one summary: a `str`, or a list of sentences."""
        ...


def signed(pyramid: Signature, encoder: Encoder, **presence: str) -> Signature:
    """The signature of a score: the pyramid's, who judged, and how."""
    fields = {key: value for key, value in pyramid.fields if key != "v"}
    fields |= presence
    fields |= {
        "judge": shown(encoder),
        "split": SPLITTERS["layout"],
        "parse": PARSER,
    }
    return Signature.of(pyramid.measure, **fields)
