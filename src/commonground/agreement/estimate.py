"""The one shape of a statistic: a value, what it rests on, and why there is none."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground.score import Interval


@dataclass(frozen=True, slots=True)
class Estimate:
    """A statistic.

    Attributes:
        value: None where it is not defined, and `note` says why.
        n: How many items it rests on.
        p: Of the null hypothesis that the value is 0, two-sided.
        interval: A confidence interval of the value.
        note: What a reader must know.
    """

    value: float | None
    n: int
    p: float | None = None
    interval: Interval | None = None
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """All fields by name, unrounded."""
        return {
            "value": self.value,
            "n": self.n,
            "p": self.p,
            "interval": self.interval.to_dict() if self.interval else None,
            "note": self.note,
        }


@dataclass(frozen=True, slots=True)
class Spread:
    """A mean, the standard deviation (of a sample: n - 1) and the number of values.

    Both are None where there are too few values for them.
    """

    mean: float | None
    sd: float | None
    n: int

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        """The spread of some values."""
        count = len(values)
        mean = float(np.mean(values)) if count else None
        return cls(mean, float(np.std(values, ddof=1)) if count > 1 else None, count)

    def to_dict(self) -> dict[str, Any]:
        """All fields by name, unrounded."""
        return {"mean": self.mean, "sd": self.sd, "n": self.n}


def mean_of(values: Sequence[float | None]) -> float | None:
    """The mean of those that there are."""
    there = [value for value in values if value is not None]
    return float(np.mean(there)) if there else None
