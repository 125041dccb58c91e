"""Confidence intervals of a corpus mean: bootstrap, or normal for very many items.

Beyond a hundred thousand items the mean is normal to more digits than a thousand resamples show,
and resampling would take longer than scoring. The normal interval needs only sums, so the items
need not be in memory.
"""

import math
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from commonground.errors import InputError
from commonground.score import Interval

RESAMPLES: Final = 1000
LEVEL: Final = 0.95
SEED: Final = 0

# Items drawn at once (at least one resample), so that they fit a processor's cache.
_DRAWS = 1 << 16


def bootstrap_interval(
    values: NDArray[np.float64],
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
) -> tuple[Interval, ...]:
    """Return bootstrap intervals of the mean of each column.

    Columns are sorted first, so an interval does not depend on the order of the items or on the
    other columns, which share the draws. `values` are items x columns; a 1-D array is one column.

    Example:
        >>> bootstrap_interval(np.array([0.25, 0.25, 0.25]))
        ([0.2500, 0.2500]@0.95,)
    """
    if values.size == 0:
        raise InputError("a bootstrap interval needs at least one item")
    columns = np.sort(np.ascontiguousarray(values.reshape(len(values), -1).T), axis=1)
    items = columns.shape[1]
    generator = np.random.default_rng(seed)
    means = np.empty((len(columns), resamples))
    # Small corpora are drawn many at a time. The numbers do not depend on how many, because each
    # mean is drawn and summed by itself.
    rows = max(1, _DRAWS // items)
    for start in range(0, resamples, rows):
        stop = min(start + rows, resamples)
        drawn = generator.integers(0, items, size=(stop - start, items))
        drawn += items * np.arange(stop - start)[:, np.newaxis]
        counts = np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape)
        for column, out in zip(columns, means, strict=True):
            # Not `@`: the last digit of a BLAS product can change with its shape and threads.
            out[start:stop] = (counts * column).sum(axis=1) / items
    tail = (1 - level) / 2
    bounds = np.quantile(means, [tail, 1 - tail], axis=1)
    # Rounding must not take a mean beyond the extremes.
    bounds = np.clip(bounds, columns[:, 0], columns[:, -1])
    return tuple(Interval(float(low), float(high), level) for low, high in bounds.T)


MOST_RESAMPLED: Final = 100_000
"""The most items with bootstrap intervals; beyond, intervals are normal."""


def resampled(items: int) -> bool:
    """Return whether the interval of that many items is the bootstrap's."""
    return items <= MOST_RESAMPLED


def mean_intervals(values: NDArray[np.float64]) -> tuple[Interval, ...]:
    """Return intervals as `bootstrap_interval`, or normal ones for very many items."""
    if resampled(len(values)):
        return bootstrap_interval(values)
    return tuple(
        normal_interval(
            len(column),
            math.fsum(column),
            math.fsum(np.square(column)),
            (float(column.min()), float(column.max())),
        )
        for column in values.reshape(len(values), -1).T
    )


def normal_interval(
    items: int, total: float, squares: float, extremes: tuple[float, float]
) -> Interval:
    """Return the normal interval of a mean from sums.

    `total` and `squares`, the sum of squares, are rounded once (`math.fsum`); `extremes` are the
    least value and the largest.
    """
    mean = total / items
    error = math.sqrt(max(squares / items - mean * mean, 0.0) / items)
    reach = NormalDist().inv_cdf((1 + LEVEL) / 2) * error
    least, largest = extremes
    return Interval(max(mean - reach, least), min(mean + reach, largest), LEVEL)


def interval_fields(items: int) -> dict[str, str]:
    """Return the fields of a signature for the interval of that many items."""
    if resampled(items):
        return {"boot": str(RESAMPLES), "seed": str(SEED)}
    return {"interval": "normal"}
