"""Correlation of two metrics over systems or over summaries, with intervals."""

from collections.abc import Callable
from itertools import permutations
from typing import Any, Final, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from commonground.agreement.estimate import Estimate
from commonground.errors import InputError, unknown_name
from commonground.score import Interval

Floats = NDArray[np.float64]
Method = Literal["pearson", "spearman", "kendall"]
Level = Literal["system", "summary", "pooled"]

METHODS: Final[tuple[str, ...]] = get_args(Method)
LEVELS: Final[tuple[str, ...]] = get_args(Level)
CONFIDENCE: Final = 0.95
RESAMPLES: Final = 1000
SEED: Final = 0

# Scipy's p-value of Spearman's is a t approximation, which for 3 pairs in line says 0.
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
    """The correlation of two lists, with its p-value and Fisher's interval.

    Pairs of which one is not-a-number are left out. Kendall's is tau-b. The p-value is scipy's;
    for Spearman's of up to 7 pairs it is exact, over all orders of one side. The variance of
    Fisher's z is 1/(n-3) for Pearson's, (1 + r^2/2)/(n-3) for Spearman's (Bonett and Wright) and
    .437/(n-4) for Kendall's (Fieller, Hartley and Pearson).

    Example:
        >>> round(correlation([1, 2, 3, 4], [1, 3, 2, 4], "kendall").value, 3)
        0.667
    """
    if method not in METHODS:
        raise unknown_name("correlation", method, METHODS)
    one, other = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if one.shape != other.shape:
        raise InputError(f"{one.size} values do not fit {other.size}; a correlation needs pairs")
    there = ~(np.isnan(one) | np.isnan(other))
    one, other = one[there], other[there]
    if len(one) < 2:
        return Estimate(None, len(one), note="fewer than two pairs")
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return Estimate(None, len(one), note="one side is constant")
    if len(one) == 2 and method != "kendall":
        return Estimate(None, 2, note="two pairs always lie on a line")
    found = _TESTS[method](one, other)
    value = float(np.clip(found.statistic, -1, 1))
    p = float(found.pvalue)
    if method == "spearman" and len(one) <= _EXACT_RANKS:
        p = _share_of_orders(one, other, value)
    return Estimate(value, len(one), p, _fisher(value, len(one), method, confidence))


def _share_of_orders(one: Floats, other: Floats, value: float) -> float:
    """How many orders of one side have a correlation of ranks as strong."""
    orders = np.array(list(permutations(range(len(one))))).T
    found = column_correlations(
        np.broadcast_to(one[:, None], orders.shape), other[orders], "spearman"
    )
    return float(np.mean(np.abs(found) >= abs(value) - 1e-9))


def _fisher(value: float, n: int, method: str, confidence: float) -> Interval | None:
    freedom = n - (4 if method == "kendall" else 3)
    if freedom < 1 or abs(value) == 1:
        return None
    numerator = {"pearson": 1.0, "spearman": 1 + value**2 / 2, "kendall": 0.437}[method]
    reach = float(stats.norm.ppf((1 + confidence) / 2)) * np.sqrt(numerator / freedom)
    low, high = np.tanh(np.arctanh(value) + np.array([-reach, reach]))
    return Interval(float(low), float(high), confidence)


def column_correlations(first: Floats, second: Floats, method: Method) -> Floats:
    """The correlation of each column of one matrix with the same column of the other.

    All three are cosines: Pearson's of centred values, Spearman's of centred ranks, Kendall's tau-b
    of the signs of all differences. Not-a-number where a column has no spread.
    """
    missing = np.isnan(first) | np.isnan(second)
    one, other = (_spread(np.where(missing, np.nan, each), method) for each in (first, second))
    size = np.sqrt((one**2).sum(axis=0) * (other**2).sum(axis=0))
    # Rounding leaves a constant column with a spread of about 1e-32.
    some = size > 1e-20
    product = (one * other).sum(axis=0)
    found = np.clip(product / np.where(some, size, 1), -1, 1)
    return np.where(some, found, np.nan)


def _spread(values: Floats, method: str) -> Floats:
    if method == "kendall":
        rows, columns = np.triu_indices(len(values), 1)
        return np.asarray(np.nan_to_num(np.sign(values[rows] - values[columns])))
    if method == "spearman":
        missing = np.isnan(values)
        ranks = stats.rankdata(np.where(missing, np.inf, values), axis=0)
        values = np.where(missing, np.nan, ranks)
    there = (~np.isnan(values)).sum(axis=0)
    mean = np.nansum(values, axis=0) / np.maximum(there, 1)
    return np.asarray(np.nan_to_num(values - mean))


def level_correlation(first: Floats, second: Floats, method: Method, level: Level) -> float:
    """The correlation of two metrics, each a matrix of systems x inputs, at one level.

    Args:
        first: One metric; not-a-number where a score is missing, which leaves it out of the other.
        second: The other metric.
        method: Which correlation.
        level: `system`: of the systems' means. `summary`: over the systems for each input, and
            then the mean over inputs for which there is one. `pooled`: over all summaries.
    """
    if level not in LEVELS:
        raise unknown_name("level", level, LEVELS)
    if level == "summary":
        found = column_correlations(first, second, method)
        return float(np.nanmean(found)) if (~np.isnan(found)).any() else float("nan")
    one, other = paired_values(first, second, level)
    if method == "kendall":
        # Of one long column scipy's is the faster: it does not look at all pairs.
        there = ~(np.isnan(one) | np.isnan(other))
        if there.sum() < 2:
            return float("nan")
        return float(stats.kendalltau(one[there], other[there]).statistic)
    return float(column_correlations(one[:, None], other[:, None], method)[0])


def paired_values(first: Floats, second: Floats, level: Level) -> tuple[Floats, Floats]:
    """What is correlated at the levels `system` and `pooled`: systems' means, or all scores."""
    if level == "pooled":
        return first.ravel(), second.ravel()
    missing = np.isnan(first) | np.isnan(second)
    there = (~missing).sum(axis=1)
    one, other = (np.where(missing, 0, each).sum(axis=1) for each in (first, second))
    divisor = np.where(there > 0, there, np.nan)
    return one / divisor, other / divisor
