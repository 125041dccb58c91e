"""Systems, or metrics, on the same inputs: paired tests, significant differences, accuracy."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from commonground.agreement.coefficients import Floats, Spread
from commonground.agreement.correlations import (
    CONFIDENCE,
    SEED,
    Level,
    Method,
    Resampled,
    level_correlation,
    percentile_interval,
    resampled,
)
from commonground.agreement.scores import Scores
from commonground.agreement.significance import Correction, SignedRanks, adjusted, signed_ranks
from commonground.errors import InputError, check_known
from commonground.plain import Plain
from commonground.score import Interval, Progress

RESAMPLES: Final = 10_000
METRIC_RESAMPLES: Final = 1_000
SIGNIFICANCE: Final = 0.05
DRAWS: Final = 100

# Numbers of resamples x inputs held at once.
_AT_ONCE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class PairedTest(Plain):
    """A paired test of two systems or metrics.

    Attributes:
        first, second: Their means, or their correlations with the gold standard.
        interval: Paired bootstrap interval of the difference.
        p_bootstrap: Twice the share of resamples beyond 0.
        p_permutation: The share of random permutations with a difference as large.
        p_wilcoxon: For systems, the p-value of Wilcoxon's signed-rank test.
        n: The number of inputs that both have.
    """

    first: float
    second: float
    difference: float
    interval: Interval | None
    p_bootstrap: float
    p_permutation: float
    p_wilcoxon: float | None
    n: int


@dataclass(frozen=True, slots=True)
class PairOutcome(Plain):
    """Two systems on the same inputs, by Wilcoxon's signed-rank test.

    `outcome` is 1 if the first is significantly higher, -1 if lower, otherwise 0; `difference` is
    the mean of the first minus the second; they differ on `n` inputs.
    """

    first: str
    second: str
    outcome: int
    difference: float | None
    p: float
    n: int


@dataclass(frozen=True, slots=True)
class Accuracy(Plain):
    """How well a metric's significant differences match those of the gold standard.

    Attributes:
        mean, sd, interval: Of the share of pairs of systems with the same outcome (better, worse,
            no difference), over samples of topics.
        on_all: That share on all topics.
        delta: The share on all topics minus the mean.
        missed: Pairs whose difference the metric does not find, on all topics.
        invented: Pairs with a difference by the metric only.
        reversed: Pairs with the opposite difference.
        pairs: The number of pairs of systems.
    """

    metric: str
    mean: float | None
    sd: float | None
    interval: Interval | None
    on_all: float
    delta: float | None
    missed: int
    invented: int
    reversed: int
    pairs: int


def paired_systems(
    scores: Scores,
    metric: str,
    first: str,
    second: str,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> PairedTest:
    """Compare two systems by one metric, on the inputs that both have.

    There are `resamples` bootstrap samples, and as many random signs for the permutation test.
    """
    systems, _, matrix = scores.pivot(metric)
    check_known("system", systems, first, second)
    pair = matrix[[systems.index(first), systems.index(second)]]
    x, y = pair[:, ~np.isnan(pair).any(axis=0)]
    n = len(x)
    if not n:
        raise InputError(f"the systems {first!r} and {second!r} have no input in common")
    mean_x, mean_y = float(x.mean()), float(y.mean())
    differences = np.sort(x - y)  # the order of the inputs must not matter
    generator = np.random.default_rng(seed)
    means, flipped = np.empty(resamples), np.empty(resamples)
    rows = max(1, _AT_ONCE // n)
    for start in range(0, resamples, rows):
        part = slice(start, min(start + rows, resamples))
        size = (part.stop - start, n)
        means[part] = differences[generator.integers(0, n, size)].mean(axis=1)
        signs = 2 * generator.integers(0, 2, size) - 1
        flipped[part] = (signs * differences).mean(axis=1)
    return PairedTest(
        first=mean_x,
        second=mean_y,
        difference=mean_x - mean_y,
        interval=percentile_interval(means),
        p_bootstrap=_beyond_zero(means),
        p_permutation=_as_large(flipped, float(differences.mean())),
        p_wilcoxon=float(signed_ranks(differences[None, :]).p[0]),
        n=n,
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
    seed: int = SEED,
    progress: Progress | None = None,
) -> PairedTest:
    """Compare the correlations of two metrics with the gold standard.

    The permutation test swaps the two metrics' scores of single summaries at random; metrics are
    standardised first, since their scales may differ. `method`, `level` and `over` are those of
    `metric_correlation`.
    """
    _, ids, matrices = scores.matched(gold, first, second)
    missing = np.isnan(matrices).any(axis=0)
    truth, x, y = (np.where(missing, np.nan, matrix) for matrix in matrices)

    def difference(truth: Floats, x: Floats, y: Floats) -> float:
        return level_correlation(x, truth, method, level) - level_correlation(
            y, truth, method, level
        )

    values = {}
    for name, matrix in ((first, x), (second, y)):
        values[name] = level_correlation(matrix, truth, method, level)
        if np.isnan(values[name]):
            raise InputError(
                f"metric {name!r} has no correlation with {gold!r} at the level {level!r}: "
                "too few scores in common, or one side is constant"
            )
    drawn, swapped = np.empty(resamples), np.empty(resamples)
    generator = np.random.default_rng(seed)
    scaled = [(m - np.nanmean(m)) / (np.nanstd(m) or 1) for m in (x, y)]
    draws = resampled([truth, x, y], over, resamples=resamples, seed=seed)
    for index, sample in enumerate(draws):
        drawn[index] = difference(*sample)
        swap = generator.random(x.shape) < 0.5
        swapped[index] = difference(truth, np.where(swap, *scaled[::-1]), np.where(swap, *scaled))
        if progress:
            progress(index + 1, resamples)
    return PairedTest(
        first=values[first],
        second=values[second],
        difference=values[first] - values[second],
        interval=percentile_interval(drawn),
        p_bootstrap=_beyond_zero(drawn),
        p_permutation=_as_large(swapped, difference(truth, *scaled)),
        p_wilcoxon=None,
        n=len(ids),
    )


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


def compare_systems(
    scores: Scores,
    metric: str,
    *,
    significance: float = SIGNIFICANCE,
    correction: Correction = "none",
) -> tuple[PairOutcome, ...]:
    """Compare all pairs of systems on the inputs that both have.

    A difference counts if its p-value, corrected by `correction`, is below `significance`.
    """
    systems, _, matrix = scores.pivot(metric)
    first, second = _pairs(systems)
    differences = matrix[first] - matrix[second]
    tests = _tested(differences, significance, correction)
    means = [Spread.of(row[~np.isnan(row)]).mean for row in differences]
    return tuple(
        PairOutcome(systems[a], systems[b], int(outcome), mean, float(p), int(n))
        for a, b, mean, p, outcome, n in zip(first, second, means, *tests, strict=True)
    )


def metric_accuracy(
    scores: Scores,
    gold: str,
    metrics: Sequence[str] | None = None,
    *,
    draws: int = DRAWS,
    topics: int | None = None,
    significance: float = SIGNIFICANCE,
    correction: Correction = "none",
    seed: int = SEED,
    progress: Progress | None = None,
) -> tuple[Accuracy, ...]:
    """Return how accurately metrics find the gold standard's differences between systems.

    Each draw is a sample of the topics without replacement; the gold standard's differences are
    those on the same sample.

    A sample has `topics` topics (default: nine tenths, rounded down; 41 of 46). The interval of
    the mean is Student's. `significance` and `correction` are those of `compare_systems`.
    """
    names = list(metrics or scores.others(gold))
    if not names:
        raise InputError(f"the scores have no metric besides the gold standard {gold!r}")
    systems, ids, matrices = scores.matched(gold, *names)
    first, second = _pairs(systems)
    size = max(1, 9 * len(ids) // 10) if topics is None else topics
    if not 1 <= size <= len(ids):
        raise InputError(f"a sample has from 1 to all {len(ids)} topics, not {size}")
    differences = [matrix[first] - matrix[second] for matrix in matrices]

    def outcomes(columns: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        return [_tested(d[:, columns], significance, correction).direction for d in differences]

    generator = np.random.default_rng(seed)
    accuracies = np.empty((draws, len(names)))
    for draw in range(draws):
        right, *others = outcomes(np.sort(generator.permutation(len(ids))[:size]))
        accuracies[draw] = [(outcome == right).mean() for outcome in others]
        if progress:
            progress(draw + 1, draws)
    right, *others = outcomes(np.arange(len(ids)))
    results = []
    for name, outcome, drawn in zip(names, others, accuracies.T, strict=True):
        spread = Spread.of(drawn)
        interval = None
        if spread.mean is not None and spread.sd is not None:
            reach = float(stats.t.ppf((1 + CONFIDENCE) / 2, draws - 1)) * spread.sd / draws**0.5
            interval = Interval(spread.mean - reach, spread.mean + reach, CONFIDENCE)
        on_all = float((outcome == right).mean())
        results.append(
            Accuracy(
                metric=name,
                mean=spread.mean,
                sd=spread.sd,
                interval=interval,
                on_all=on_all,
                delta=None if spread.mean is None else on_all - spread.mean,
                missed=int(((right != 0) & (outcome == 0)).sum()),
                invented=int(((right == 0) & (outcome != 0)).sum()),
                reversed=int((right * outcome == -1).sum()),
                pairs=len(right),
            )
        )
    return tuple(results)


def _tested(differences: Floats, significance: float, correction: Correction) -> SignedRanks:
    """Test each row; p-values are corrected, and the direction is 0 unless significant."""
    tests = signed_ranks(differences)
    p = adjusted(tests.p, correction)
    return SignedRanks(p, np.where(p < significance, tests.direction, 0), tests.n)


def _pairs(systems: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    if len(systems) < 2:
        raise InputError(f"a comparison needs two systems; the scores have only {systems[0]!r}")
    first, second = np.triu_indices(len(systems), 1)
    return first, second
