"""Statistics: a value or a spread, and what it rests on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from commonground.plain import Plain
from commonground.score import Interval


@dataclass(frozen=True, slots=True)
class Estimate(Plain):
    """A statistic.

    Attributes:
        value: None if it is not defined; `note` says why.
        n: The number of items.
        p: Two-sided p-value of the null hypothesis that the value is 0.
        interval: Confidence interval of the value.
        note: A remark for the reader.
    """

    value: float | None
    n: int
    p: float | None = None
    interval: Interval | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Spread(Plain):
    """A mean, the sample standard deviation (n - 1) and the number of values.

    Both are None if there are too few values.
    """

    mean: float | None
    sd: float | None
    n: int

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        """Compute the spread of values."""
        sd = float(np.std(values, ddof=1)) if len(values) > 1 else None
        return cls(mean_of(values), sd, len(values))


def mean_of(values: Sequence[float | None]) -> float | None:
    """Return the mean of the values that are not None; None if there are none."""
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None
