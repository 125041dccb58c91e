"""Correlation of two metrics over systems or over summaries, with intervals."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any, Final, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from commonground.agreement.coefficients import Estimate, Floats
from commonground.errors import InputError, check_known
from commonground.score import Interval

Method = Literal["pearson", "spearman", "kendall"]
Level = Literal["system", "summary", "pooled"]
Resampled = Literal["both", "systems", "inputs"]

METHODS: Final[tuple[str, ...]] = get_args(Method)
LEVELS: Final[tuple[str, ...]] = get_args(Level)
RESAMPLED: Final[tuple[str, ...]] = get_args(Resampled)
CONFIDENCE: Final = 0.95
RESAMPLES: Final = 1000
SEED: Final = 0

# scipy approximates the p-value of Spearman's by a t distribution, which gives 0 for 3 pairs.
_EXACT_RANKS: Final = 7

_TESTS: Final[dict[str, Callable[[Floats, Floats], Any]]] = {
    "pearson": stats.pearsonr,
    "spearman": stats.spearmanr,
    "kendall": stats.kendalltau,
}


def correlation(
    first: ArrayLike,
    second: ArrayLike,
    method: Method = "pearson",
    *,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Compute the correlation of two lists, with its p-value and Fisher's interval.

    Pairs with a NaN are left out. Kendall's is tau-b. The p-value is scipy's; for Spearman's of
    up to 7 pairs it is exact, over all permutations of one side. The variance of
    Fisher's z is 1/(n-3) for Pearson's, (1 + r^2/2)/(n-3) for Spearman's (Bonett and Wright) and
    .437/(n-4) for Kendall's (Fieller, Hartley and Pearson).

    Example:
        >>> round(correlation([1, 2, 3, 4], [1, 3, 2, 4], "kendall").value, 3)
        0.667
    """
    check_known("correlation", METHODS, method)
    x, y = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if x.shape != y.shape:
        raise InputError(f"{x.size} values do not fit {y.size}; a correlation needs pairs")
    both = ~(np.isnan(x) | np.isnan(y))
    x, y = x[both], y[both]
    n = len(x)
    if n < 2:
        return Estimate(None, n, note="fewer than two pairs")
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return Estimate(None, n, note="one side is constant")
    if n == 2 and method != "kendall":
        return Estimate(None, 2, note="two pairs always lie on a line")
    test = _TESTS[method](x, y)
    value, p = float(np.clip(test.statistic, -1, 1)), float(test.pvalue)
    if method == "spearman" and n <= _EXACT_RANKS:
        # The share of permutations of one side with a rank correlation as strong.
        orders = np.array(list(permutations(range(n)))).T
        fixed = np.broadcast_to(x[:, None], orders.shape)
        values = column_correlations(fixed, y[orders], "spearman")
        p = float(np.mean(np.abs(values) >= abs(value) - 1e-9))
    return Estimate(value, n, p, _fisher(value, n, method, confidence))


def _fisher(value: float, n: int, method: str, confidence: float) -> Interval | None:
    freedom = n - (4 if method == "kendall" else 3)
    if freedom < 1 or abs(value) == 1:
        return None
    numerator = {"pearson": 1.0, "spearman": 1 + value**2 / 2, "kendall": 0.437}[method]
    reach = float(stats.norm.ppf((1 + confidence) / 2)) * np.sqrt(numerator / freedom)
    low, high = np.tanh(np.arctanh(value) + np.array([-reach, reach]))
    return Interval(float(low), float(high), confidence)


def column_correlations(first: Floats, second: Floats, method: Method) -> Floats:
    """Correlate each column of one matrix with the same column of the other.

    All three are cosines: Pearson's of centred values, Spearman's of centred ranks, Kendall's tau-b
    of the signs of all differences. NaN for a constant column.
    """
    missing = np.isnan(first) | np.isnan(second)
    x, y = (_spread(np.where(missing, np.nan, side), method) for side in (first, second))
    size = np.sqrt((x**2).sum(axis=0) * (y**2).sum(axis=0))
    # Rounding leaves a constant column with a spread of about 1e-32.
    varies = size > 1e-20
    cosines = (x * y).sum(axis=0) / np.where(varies, size, 1)
    return np.where(varies, np.clip(cosines, -1, 1), np.nan)


def _spread(values: Floats, method: str) -> Floats:
    if method == "kendall":
        rows, columns = np.triu_indices(len(values), 1)
        return np.asarray(np.nan_to_num(np.sign(values[rows] - values[columns])))
    if method == "spearman":
        missing = np.isnan(values)
        ranks = stats.rankdata(np.where(missing, np.inf, values), axis=0)
        values = np.where(missing, np.nan, ranks)
    count = (~np.isnan(values)).sum(axis=0)
    mean = np.nansum(values, axis=0) / np.maximum(count, 1)
    return np.asarray(np.nan_to_num(values - mean))


def level_correlation(first: Floats, second: Floats, method: Method, level: Level) -> float:
    """Correlate two metrics, each a matrix of systems x inputs, at one level.

    The levels are `system`: of the systems' means; `summary`: over the systems for each input, then
    the mean over inputs where it is defined; `pooled`: over all summaries. A score that is missing
    (NaN) in one metric is left out of both.
    """
    check_known("level", LEVELS, level)
    if level == "summary":
        values = column_correlations(first, second, method)
        return float("nan") if np.isnan(values).all() else float(np.nanmean(values))
    x, y = _paired(first, second, level)
    if method == "kendall":
        # scipy's is faster for one long column: it does not compare all pairs.
        both = ~(np.isnan(x) | np.isnan(y))
        enough = both.sum() > 1
        return float(stats.kendalltau(x[both], y[both]).statistic) if enough else float("nan")
    return float(column_correlations(x[:, None], y[:, None], method)[0])


def _paired(first: Floats, second: Floats, level: Level) -> list[Floats]:
    """Return what the levels `system` and `pooled` correlate: systems' means, or all scores."""
    if level == "pooled":
        return [first.ravel(), second.ravel()]
    missing = np.isnan(first) | np.isnan(second)
    count = (~missing).sum(axis=1)
    count = np.where(count > 0, count, np.nan)
    return [np.where(missing, 0, side).sum(axis=1) / count for side in (first, second)]


def resampled(
    matrices: Sequence[Floats],
    over: Resampled = "both",
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Iterator[list[Floats]]:
    """Yield bootstrap samples of the matrices: of rows (systems), columns (inputs) or both.

    All matrices are resampled in the same way.
    """
    check_known("resampling", RESAMPLED, over)
    generator = np.random.default_rng(seed)
    systems, inputs = matrices[0].shape
    for _ in range(resamples):
        rows, columns = np.arange(systems), np.arange(inputs)
        if over != "inputs":
            rows = generator.choice(rows, systems)
        if over != "systems":
            columns = generator.choice(columns, inputs)
        yield [matrix[np.ix_(rows, columns)] for matrix in matrices]


def percentile_interval(values: Floats) -> Interval | None:
    """Return the percentile interval of the values; None if more than half are NaN."""
    known = values[~np.isnan(values)]
    if 2 * len(known) < len(values) or not len(known):
        return None
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(known, [tail, 1 - tail])
    return Interval(float(low), float(high), CONFIDENCE)


def metric_correlation(
    first: Floats,
    second: Floats,
    *,
    method: Method = "pearson",
    level: Level = "system",
    over: Resampled | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Estimate:
    """Correlate two metrics, with an interval.

    The metrics and the level are those of `level_correlation`. `over` is what the bootstrap
    resamples: `systems`, `inputs` or `both`; None gives Fisher's interval, which assumes
    independent values; the level `summary` then has no interval. `n` counts systems, inputs or
    summaries, by level. Only `system` and `pooled` have a p-value.
    """
    value = level_correlation(first, second, method, level)
    if level == "summary":
        defined = ~np.isnan(column_correlations(first, second, method))
        if not defined.any():
            return Estimate(None, 0, note="no input for which the systems differ in both")
        n = int(defined.sum())
        left_out = f"{len(defined) - n} inputs left out, where systems do not differ"
        estimate = Estimate(value, n, note="" if defined.all() else left_out)
    else:
        x, y = _paired(first, second, level)
        estimate = correlation(x, y, method)
    if estimate.value is None or over is None:
        return estimate
    samples = resampled([first, second], over, resamples=resamples, seed=seed)
    draws = [level_correlation(x, y, method, level) for x, y in samples]
    return replace(estimate, interval=percentile_interval(np.array(draws)))
