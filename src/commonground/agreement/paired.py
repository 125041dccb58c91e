"""Two systems, or two metrics, on the same inputs: paired bootstrap and permutation."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from commonground.agreement.correlations import (
    CONFIDENCE,
    SEED,
    Floats,
    Level,
    Method,
    Progress,
    Resampled,
    level_correlation,
    percentile_interval,
    resampled,
)
from commonground.agreement.scores import Scores
from commonground.agreement.wilcoxon import signed_ranks
from commonground.errors import InputError, unknown_name
from commonground.plain import Plain
from commonground.score import Interval

RESAMPLES: Final = 10_000
METRIC_RESAMPLES: Final = 1_000

# Numbers of resamples x inputs held at once.
_AT_ONCE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class PairedTest(Plain):
    """A paired test of two systems or metrics.

    Attributes:
        first: The first one's mean, or its correlation with the gold standard.
        second: The second one's.
        interval: Paired bootstrap interval of the difference.
        p_bootstrap: Twice the share of resamples beyond 0.
        p_permutation: The share of random permutations with a difference as large.
        p_wilcoxon: For systems, the p-value of Wilcoxon's signed-rank test.
        n: The number of inputs that both have.
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
        """The first minus the second."""
        return self.first - self.second

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, unrounded."""
        values = Plain.to_dict(self)
        first, second = values.pop("first"), values.pop("second")
        return {"first": first, "second": second, "difference": self.difference, **values}


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
    """Compare two systems by one metric, on the inputs that both have.

    There are `resamples` bootstrap samples, and as many random signs for the permutation test.
    """
    systems, _, matrix = scores.pivot(metric)
    rows = []
    for system in (first, second):
        if system not in systems:
            raise unknown_name("system", system, systems)
        rows.append(matrix[systems.index(system)])
    both = ~np.isnan(rows[0] - rows[1])
    if not both.any():
        raise InputError(f"the systems {first!r} and {second!r} have no input in common")
    one, other = rows[0][both], rows[1][both]
    differences = np.sort(one - other)  # the order of the inputs must not matter
    means, flipped = _resampled_means(differences, resamples, seed)
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
    """Compare the correlations of two metrics with the gold standard.

    The permutation test swaps the two metrics' scores of single summaries at random; metrics are
    standardised first, since their scales may differ. `method`, `level` and `over` are those of
    `metric_correlation`.
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
    for index, matrices in enumerate(draws):
        drawn[index] = difference(*matrices)
        swap = generator.random(one.shape) < 0.5
        swapped[index] = difference(
            right, np.where(swap, scaled[1], scaled[0]), np.where(swap, scaled[0], scaled[1])
        )
        if progress:
            progress(index + 1, resamples)
    return PairedTest(
        first=values[0],
        second=values[1],
        interval=percentile_interval(drawn, confidence),
        p_bootstrap=_beyond_zero(drawn),
        p_permutation=_as_large(swapped, difference(right, *scaled)),
        p_wilcoxon=None,
        n=len(ids),
    )


def _resampled_means(differences: Floats, resamples: int, seed: int) -> tuple[Floats, Floats]:
    """Return the means of bootstrap samples, and those with random signs."""
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
    known = draws[~np.isnan(draws)]
    smaller = min((known <= 0).sum(), (known >= 0).sum())
    return float(min(1.0, 2 * (smaller + 1) / (len(known) + 1)))


def _as_large(draws: Floats, observed: float) -> float:
    """Return the p-value of a permutation test; it counts the data too, so it is never 0."""
    known = draws[~np.isnan(draws)]
    # The tolerance is for sums in another order.
    as_large = (np.abs(known) >= abs(observed) * (1 - 1e-12)).sum()
    return float((as_large + 1) / (len(known) + 1))


def _standardised(values: Floats) -> Floats:
    spread = np.nanstd(values)
    return np.asarray((values - np.nanmean(values)) / (spread if spread > 0 else 1))
