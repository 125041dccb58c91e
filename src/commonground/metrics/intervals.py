"""How far a corpus mean would move: by bootstrap, and for very many items by the normal law.

Beyond a hundred thousand items the mean's distribution is normal to more digits than a thousand
resamples could tell, and resampling them would take longer than scoring them. What the normal
interval needs can be added up item by item, so that nobody has to hold all items in memory.
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

# Items drawn at once, unless one resample alone has more: what fits a processor's cache.
_DRAWS = 1 << 16


def bootstrap_interval(
    values: NDArray[np.float64],
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
) -> tuple[Interval, ...]:
    """Confidence intervals of the mean of each column.

    The interval does not depend on the order of the items, and that of a column not on its
    neighbours: each column is sorted before it is resampled.

    Args:
        values: A row an item and a column a quantity; a 1-D array is one column.
        resamples: How many corpora are drawn.
        level: The share of their means that the interval holds.
        seed: Of the draws, which all columns share.

    Example:
        >>> bootstrap_interval(np.array([0.25, 0.25, 0.25]))
        ([0.2500, 0.2500]@0.95,)
    """
    if values.size == 0:
        raise InputError("a bootstrap interval needs at least one item")
    columns = np.sort(np.ascontiguousarray(values.reshape(len(values), -1).T), axis=1)
    means = _resampled_means(columns, resamples, seed)
    tail = (1 - level) / 2
    bounds = np.quantile(means, [tail, 1 - tail], axis=1)
    # A mean lies between the extremes; rounding alone can take it a hair beyond.
    bounds = np.clip(bounds, columns[:, 0], columns[:, -1])
    return tuple(Interval(float(low), float(high), level) for low, high in bounds.T)


def _resampled_means(
    columns: NDArray[np.float64], resamples: int, seed: int
) -> NDArray[np.float64]:
    """The means, columns x resamples.

    A resample is how often it drew each item. For small corpora many are drawn in one go; the
    numbers do not depend on how many, because each mean is drawn and summed by itself.
    """
    items = columns.shape[1]
    rows = max(1, _DRAWS // items)
    generator = np.random.default_rng(seed)
    means = np.empty((len(columns), resamples))
    for start in range(0, resamples, rows):
        stop = min(start + rows, resamples)
        drawn = generator.integers(0, items, size=(stop - start, items))
        drawn += items * np.arange(stop - start)[:, np.newaxis]
        counts = np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape)
        for column, out in zip(columns, means, strict=True):
            # Not `@`: the last digit of a BLAS product can change with its shape and threads.
            out[start:stop] = (counts * column).sum(axis=1) / items
    return means


MOST_RESAMPLED: Final = 100_000
"""Of more items than these, intervals are normal ones."""


def resampled(items: int) -> bool:
    """Whether the interval of so many items is that of the bootstrap."""
    return items <= MOST_RESAMPLED


def mean_intervals(values: NDArray[np.float64]) -> tuple[Interval, ...]:
    """Confidence intervals of the mean of each column, whatever the order of the rows.

    Args:
        values: A row an item and a column a quantity; a 1-D array is one column.
    """
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
    """The interval of a mean from sums alone.

    Args:
        items: How many.
        total: The sum of their values, rounded once (`math.fsum`).
        squares: The sum of their values' squares, likewise.
        extremes: The least value and the largest.
    """
    mean = total / items
    error = math.sqrt(max(squares / items - mean * mean, 0.0) / items)
    reach = NormalDist().inv_cdf((1 + LEVEL) / 2) * error
    least, largest = extremes
    return Interval(max(mean - reach, least), min(mean + reach, largest), LEVEL)


def interval_fields(items: int) -> dict[str, str]:
    """What a signature says of the interval of so many items."""
    if resampled(items):
        return {"boot": str(RESAMPLES), "seed": str(SEED)}
    return {"interval": "normal"}
