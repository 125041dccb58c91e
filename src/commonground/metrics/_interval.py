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

from commonground._score import Interval
from commonground.metrics._bootstrap import LEVEL, RESAMPLES, SEED, bootstrap_interval

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
