"""The score of a summary: which units it states, and the four scores of the paper."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, fsum
from typing import Any, Final, Literal, NamedTuple

from commonground.encoders import Encoder, shown
from commonground.errors import InputError
from commonground.frames import HasRows
from commonground.plain import Plain, to_plain
from commonground.pyramid.evidence.checks import Check
from commonground.score import PRF, Citable, Signature
from commonground.text import PARSER, SPLITTERS

Presence = Literal["yes", "partly", "no"]

STATED = 0.5
"""From this probability on, a unit is called stated."""

PARTLY = 0.25
"""From this probability on, a unit is called partly stated; below it, it counts nothing."""


def presence_of(probability: float) -> Presence:
    """Return whether a unit counts as stated, in a word: the one rule for display and points."""
    return "yes" if probability >= STATED else "partly" if probability >= PARTLY else "no"


def share_of(probability: float) -> float:
    """Return the part of a unit's weight that counts: the probability, or 0 for "no"."""
    return 0.0 if presence_of(probability) == "no" else probability


Text = str | Sequence[str]


class FourScores(NamedTuple):
    """The scores of a summary; `PyramidScore` describes them."""

    raw: float
    quality: float
    coverage: float
    comprehensive: float
    unit_count: int


def scores(
    weights: Sequence[int], presence: Sequence[float], segments: int, references: int
) -> FourScores:
    """Compute the scores of a summary.

    A summary has as many units as segments, including those that match no unit or repeat one; but
    never fewer than it states, since with soft presence one segment may express several units. So
    no quality is above 1.

    Args:
        weights: The weight of every unit of the pyramid, weight 1 included, in any order.
        presence: The part of each unit that the summary states, from 0 to 1.
        segments: Number of segments of the summary.
        references: Number of references of the pyramid.

    Example:
        >>> scores([3, 2, 2, 1], [1, 0, 0, 1], segments=2, references=2)[:4]
        (4.0, 0.8, 0.5, 0.6153846153846154)
    """
    raw = fsum(weight * share for weight, share in zip(weights, presence, strict=True))
    unit_count = max(segments, ceil(fsum(presence)))
    quality = _share(raw, heaviest(weights, unit_count))
    coverage = _share(raw, heaviest(weights, average_count(weights, references)))
    return FourScores(raw, quality, coverage, PRF.of(quality, coverage).f1, unit_count)


def pyreval_scores(
    weights: Sequence[int], presence: Sequence[float], segments: int, references: int
) -> FourScores:
    """Compute the scores as PyrEval's code does; the arguments are those of `scores`.

    The average number of units is not rounded, coverage may be above 1, and comprehensive is the
    arithmetic mean, where the paper has the harmonic one.

    Example:
        >>> weights = [5, 4, 4, 3, 3, 3, *[2] * 7, *[1] * 13]
        >>> stated = [1.0] + [0.0] * 25
        >>> pyreval_scores(weights, stated, segments=2, references=5)[:3]
        (5.0, 0.5555555555555556, 0.16891891891891891)
    """
    raw = fsum(weight * share for weight, share in zip(weights, presence, strict=True))
    most, average = heaviest(weights, segments), sum(weights) / _checked(references)
    quality = raw / most if most else 0.0
    coverage = raw / enough if (enough := heaviest(weights, average)) else 0.0
    return FourScores(raw, quality, coverage, (quality + coverage) / 2, segments)


def heaviest(weights: Sequence[int], count: float) -> float:
    """Return the greatest weight of `count` units, or of all if there are fewer.

    A fraction of a unit counts as that fraction of its weight.
    """
    if count < 0:
        raise InputError(f"a summary cannot have {count} units")
    total = 0.0
    # By weight, as PyrEval adds, so that fractions agree with it to the last digit.
    for weight, size in sorted(Counter(weights).items(), reverse=True):
        taken = min(count, size)
        total += taken * weight
        count -= taken
    return total


def average_count(weights: Sequence[int], references: int) -> int:
    """Return the average number of units in a reference, rounded half up.

    Each reference that states a unit adds 1 to its weight, so the sum of the weights is the number
    of units of all references.
    """
    # In integers, so that halves are exact.
    return (2 * sum(weights) + _checked(references)) // (2 * references)


def _checked(references: int) -> int:
    if references < 1:
        raise InputError(f"a pyramid needs at least one reference, not {references}")
    return references


def _share(raw: float, most: float) -> float:
    """Return raw / most, at most 1: a summary may say more than enough, and sums are rounded."""
    return min(raw / most, 1.0) if most else 0.0


Compute = Callable[[Sequence[int], Sequence[float], int, int], FourScores]


@dataclass(frozen=True, slots=True)
class UnitMatch(Plain):
    """A unit of the pyramid, and whether the summary states it.

    Attributes:
        label: The unit in words.
        weight: Its weight.
        probability: That the summary states it; with hard matches 1 or 0.
        sentence: Index of the sentence that shows it best; None if the summary has no words.
        text: That sentence; with hard matches the segment that states the unit or, if none does,
            the nearest one.
        similarity: With hard matches, the mean cosine of that segment to the contributors; a
            similar segment may still be matched to another unit.
        checks: Why a person should check a unit that is called stated or partly stated. Scores do
            not depend on it.
        by: The person who decided, if a person did; the probability is then 1 or 0.
    """

    label: str
    weight: int
    probability: float
    sentence: int | None
    text: str | None
    similarity: float | None = None
    checks: tuple[Check, ...] = ()
    by: str | None = None

    @property
    def presence(self) -> Presence:
        """Whether the summary states it, in a word."""
        return presence_of(self.probability)

    @property
    def share(self) -> float:
        """The part of the weight that counts."""
        return share_of(self.probability)

    @property
    def points(self) -> float:
        """What it adds to the raw score."""
        return self.weight * self.share

    @property
    def stated(self) -> bool:
        """Whether the presence is `yes`."""
        return self.probability >= STATED

    @property
    def strength(self) -> float:
        """The similarity with hard matches, otherwise the probability."""
        return self.probability if self.similarity is None else self.similarity

    def to_dict(self) -> dict[str, Any]:
        """Return the fields, with `stated`, `presence` and `points` after the probability."""
        names = ["label", "weight", "probability", "stated", "presence", "points", "sentence"]
        names += ["text", "similarity", "checks", "by"]
        return {name: to_plain(getattr(self, name)) for name in names}


@dataclass(frozen=True, slots=True, repr=False)
class PyramidScore(Plain, HasRows, Citable):
    """The score of a summary; `quality`, `coverage` and `comprehensive` are from 0 to 1.

    Attributes:
        raw: Sum of the weights of the units, each times the probability that the summary states it
            (with hard matches 1 or 0); a unit less likely than `PARTLY` counts nothing.
        quality: `raw` as a share of the greatest weight of as many units as the summary has: does
            it say what matters? The original pyramid score; like a precision.
        coverage: `raw` as a share of the greatest weight of an average reference's number of
            units, at most 1: does it say enough? Like a recall.
        comprehensive: Harmonic mean of quality and coverage. With the method `pyreval`, coverage
            may be above 1 and this is the arithmetic mean.
        unit_count: Number of units of the summary: its clauses or, if greater, the sum of the
            shares that count, rounded up; with hard matches, the segments of the matched
            segmentations.
        matches: Every unit of the pyramid, in its order.
        signature: Everything that the scores depend on.
        segments: Number of segments of the summary, from which `unit_count` is computed.
        compute: How the four scores follow from the matches.
    """

    raw: float
    quality: float
    coverage: float
    comprehensive: float
    unit_count: int
    matches: tuple[UnitMatch, ...]
    signature: Signature
    segments: int = 0
    compute: Compute = scores
    hidden = ("segments", "compute")

    @classmethod
    def of(
        cls,
        matches: Sequence[UnitMatch],
        segments: int,
        references: int,
        signature: Signature,
        compute: Compute = scores,
    ) -> "PyramidScore":
        """Compute the scores from the matches; `scores` describes the counts."""
        weights = [match.weight for match in matches]
        presence = [match.share for match in matches]
        four = compute(weights, presence, segments, references)
        return cls(*four, tuple(matches), signature, segments, compute)

    def remarked(
        self, matches: Sequence[UnitMatch], references: int, signature: Signature
    ) -> "PyramidScore":
        """Return the score of the same summary with other matches."""
        return PyramidScore.of(matches, self.segments, references, signature, self.compute)

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return a row for each unit of the pyramid."""
        return [match.to_dict() for match in self.matches]

    def __repr__(self) -> str:
        return (
            f"PyramidScore(raw={self.raw:.2f}, quality={self.quality:.3f}, "
            f"coverage={self.coverage:.3f}, comprehensive={self.comprehensive:.3f}, "
            f"signature='{self.signature}')"
        )

    def __str__(self) -> str:
        """List the units stated and those missed, heaviest first."""
        lines = [
            f"raw {self.raw:.1f}, quality {self.quality:.2f}, coverage {self.coverage:.2f}, "
            f"comprehensive {self.comprehensive:.2f}"
        ]
        for presence, title in _TITLES.items():
            matches = [match for match in self.matches if match.presence == presence]
            if matches or presence != "partly":
                points = fsum(match.points for match in matches)
                lines += ["", f"{title}: {points:.1f} points" if points else f"{title}:"]
            for match in matches:
                by = f" (decided by {match.by})" if match.by is not None else ""
                lines.append(f"  [{match.weight}] {match.strength:.2f}  {match.label}{by}")
                if match.text and (presence != "no" or match.similarity is not None):
                    lines.append(f"             {_shown_by(match)}: {match.text}")
        return "\n".join(lines)


_TITLES: Final[Mapping[Presence, str]] = {"yes": "Stated", "partly": "Partly", "no": "Missed"}


def _shown_by(match: UnitMatch) -> str:
    if match.checks:
        return f"please check, {'; '.join(check.words for check in match.checks)}"
    return "nearest" if match.presence == "no" else "by"


def signed(pyramid: Signature, encoder: Encoder, presence: str) -> Signature:
    """Return the signature of a score: the pyramid's, how presence was judged, and by whom."""
    fields = {key: value for key, value in pyramid.fields if key != "v"}
    fields |= {"presence": presence, "judge": shown(encoder)}
    fields |= {"split": SPLITTERS["layout"], "parse": PARSER}
    return Signature.of(pyramid.measure, **fields)
