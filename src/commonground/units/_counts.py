"""The four scores of a summary, from what it matched and the weights of the pyramid."""

from collections.abc import Sequence
from dataclasses import dataclass

from commonground._score import PRF
from commonground.errors import InputError


@dataclass(frozen=True, slots=True)
class Four:
    """The four scores of a summary.

    Attributes:
        raw: The sum of the weights of the units that the summary states.
        quality: `raw` as a share of the most that as many units as the summary has could weigh:
            does it say what matters? The original pyramid score; like a precision.
        coverage: `raw` as a share of the most that the units of an average reference could
            weigh: does it say enough? Like a recall.
        comprehensive: The harmonic mean of quality and coverage.
    """

    raw: float
    quality: float
    coverage: float
    comprehensive: float

    def to_dict(self) -> dict[str, float]:
        """The four numbers by name, unrounded."""
        return {
            "raw": self.raw,
            "quality": self.quality,
            "coverage": self.coverage,
            "comprehensive": self.comprehensive,
        }


def scores(raw: float, unit_count: int, weights: Sequence[int], references: int) -> Four:
    """The four scores.

    A share of nothing is 0. Shares above 1 are not cut off: they cannot come from matches, of
    which each segment has one at the most, but they can from a soft `raw`.

    Args:
        raw: The sum of the weights of the units stated; soft presence makes it fractional.
        unit_count: How many units the summary has: its segments, those that match no unit or
            repeat one included.
        weights: The weight of every unit of the pyramid, weight 1 included, in any order.
        references: How many references the pyramid was built from.

    Example:
        >>> scores(4, unit_count=2, weights=[3, 2, 2, 1], references=2)
        Four(raw=4, quality=0.8, coverage=0.5, comprehensive=0.6153846153846154)
    """
    quality = _share(raw, heaviest(weights, unit_count))
    coverage = _share(raw, heaviest(weights, average_count(weights, references)))
    return Four(raw, quality, coverage, PRF.of(quality, coverage).f1)


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
    return raw / most if most else 0.0
