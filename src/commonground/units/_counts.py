"""The four scores of a summary, from what it states and the weights of the pyramid."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, fsum

from commonground._score import PRF
from commonground.errors import InputError


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
