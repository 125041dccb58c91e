"""Two systems, or two metrics, on the same inputs: paired bootstrap and permutation."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from commonground.agreement.bootstrap import Progress, Resampled, percentile_interval, resampled
from commonground.agreement.correlations import CONFIDENCE, SEED, Level, Method, level_correlation
from commonground.agreement.scores import Scores
from commonground.agreement.wilcoxon import signed_ranks
from commonground.errors import InputError, unknown_name
from commonground.score import Interval

Floats = NDArray[np.float64]
RESAMPLES: Final = 10_000
METRIC_RESAMPLES: Final = 1_000

# Rows of resamples x inputs held at once.
_AT_ONCE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class PairedTest:
    """The difference of two systems or metrics, and how sure it is.

    Attributes:
        first: Its mean, or its correlation with the gold standard.
        second: The other's.
        interval: Of the difference, by the paired bootstrap.
        p_bootstrap: Twice the share of resamples on the far side of 0.
        p_permutation: The share of random exchanges with a difference as large.
        p_wilcoxon: For systems, of Wilcoxon's signed-rank test.
        n: The inputs that both have.
    """

    first: float
    second: float
    interval: Interval | None
    p_bootstrap: float
    p_permutation: float
    p_wilcoxon: float | None
    n: int

    @property
    def difference(self) -> float:
        """The first less the second."""
        return self.first - self.second

    def to_dict(self) -> dict[str, Any]:
        """All fields by name, unrounded."""
        return {
            "first": self.first,
            "second": self.second,
            "difference": self.difference,
            "interval": self.interval.to_dict() if self.interval else None,
            "p_bootstrap": self.p_bootstrap,
            "p_permutation": self.p_permutation,
            "p_wilcoxon": self.p_wilcoxon,
            "n": self.n,
        }


def paired_systems(
    scores: Scores,
    metric: str,
    first: str,
    second: str,
    *,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    seed: int = SEED,
) -> PairedTest:
    """Two systems by one metric, on the inputs that both have.

    Args:
        scores: The scores.
        metric: Whose.
        first: One system.
        second: The other.
        resamples: For the bootstrap, and for the permutation, which changes signs at random.
        confidence: Of the interval.
        seed: Of the draws.
    """
    systems, _, matrix = scores.pivot(metric)
    rows = []
    for system in (first, second):
        if system not in systems:
            raise unknown_name("system", system, systems)
        rows.append(matrix[systems.index(system)])
    there = ~np.isnan(rows[0] - rows[1])
    if not there.any():
        raise InputError(f"the systems {first!r} and {second!r} have no input in common")
    one, other = rows[0][there], rows[1][there]
    differences = np.sort(one - other)  # so that the order of the inputs has no say
    means, flipped = _redrawn(differences, resamples, seed)
    return PairedTest(
        first=float(one.mean()),
        second=float(other.mean()),
        interval=percentile_interval(means, confidence),
        p_bootstrap=_beyond_zero(means),
        p_permutation=_as_large(flipped, float(differences.mean())),
        p_wilcoxon=float(signed_ranks(differences[None, :]).p[0]),
        n=len(one),
    )


def paired_metrics(
    scores: Scores,
    gold: str,
    first: str,
    second: str,
    *,
    method: Method = "pearson",
    level: Level = "system",
    over: Resampled = "both",
    resamples: int = METRIC_RESAMPLES,
    confidence: float = CONFIDENCE,
    seed: int = SEED,
    progress: Progress | None = None,
) -> PairedTest:
    """Which of two metrics correlates better with the gold standard.

    The permutation exchanges the two metrics' scores of single summaries at random; each metric is
    standardised before, since they may be on different scales.

    Args:
        scores: The scores.
        gold: The gold standard.
        first: One metric.
        second: The other.
        method: `pearson`, `spearman` or `kendall`.
        level: `system`, `summary` or `pooled`.
        over: What the bootstrap draws anew: `systems`, `inputs` or `both`.
        resamples: For the bootstrap and for the permutation.
        confidence: Of the interval.
        seed: Of the draws.
        progress: Called with the draws done and all.
    """
    _, ids, (right, one, other) = scores.matched(gold, first, second)
    missing = np.isnan(right) | np.isnan(one) | np.isnan(other)
    right, one, other = (np.where(missing, np.nan, each) for each in (right, one, other))

    def difference(truth: Floats, ours: Floats, theirs: Floats) -> float:
        return level_correlation(ours, truth, method, level) - level_correlation(
            theirs, truth, method, level
        )

    values = [level_correlation(each, right, method, level) for each in (one, other)]
    if np.isnan(values).any():
        which = first if np.isnan(values[0]) else second
        raise InputError(
            f"metric {which!r} has no correlation with {gold!r} at the level {level!r}: "
            "too few scores in common, or one side is constant"
        )
    drawn = np.empty(resamples)
    swapped = np.empty(resamples)
    generator = np.random.default_rng(seed)
    scaled = _standardised(one), _standardised(other)
    draws = resampled([right, one, other], over, resamples=resamples, seed=seed)
    for place, matrices in enumerate(draws):
        drawn[place] = difference(*matrices)
        swap = generator.random(one.shape) < 0.5
        swapped[place] = difference(
            right, np.where(swap, scaled[1], scaled[0]), np.where(swap, scaled[0], scaled[1])
        )
        if progress:
            progress(place + 1, resamples)
    return PairedTest(
        first=values[0],
        second=values[1],
        interval=percentile_interval(drawn, confidence),
        p_bootstrap=_beyond_zero(drawn),
        p_permutation=_as_large(swapped, difference(right, *scaled)),
        p_wilcoxon=None,
        n=len(ids),
    )


def _redrawn(differences: Floats, resamples: int, seed: int) -> tuple[Floats, Floats]:
    """The means of resamples, and those with random signs."""
    generator = np.random.default_rng(seed)
    n = len(differences)
    rows = max(1, _AT_ONCE // n)
    means, flipped = np.empty(resamples), np.empty(resamples)
    for start in range(0, resamples, rows):
        size = (min(rows, resamples - start), n)
        stop = start + size[0]
        means[start:stop] = differences[generator.integers(0, n, size)].mean(axis=1)
        signs = 2 * generator.integers(0, 2, size) - 1
        flipped[start:stop] = (signs * differences).mean(axis=1)
    return means, flipped


def _beyond_zero(draws: Floats) -> float:
    there = draws[~np.isnan(draws)]
    if not len(there):
        return 1.0
    smaller = min((there <= 0).sum(), (there >= 0).sum())
    return float(min(1.0, 2 * (smaller + 1) / (len(there) + 1)))


def _as_large(draws: Floats, observed: float) -> float:
    """With the data themselves counted among the draws, so that it is never 0."""
    there = draws[~np.isnan(draws)]
    # Sums in another order may fall a hair short of the observed one.
    as_large = (np.abs(there) >= abs(observed) * (1 - 1e-12)).sum()
    return float((as_large + 1) / (len(there) + 1))


def _standardised(values: Floats) -> Floats:
    spread = np.nanstd(values)
    return np.asarray((values - np.nanmean(values)) / (spread if spread > 0 else 1))
