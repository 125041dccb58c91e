"""Sums without rounding: the same as `math.fsum` over all values, a part at a time."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_UNIT = 1200  # sums are counted in 2**-1200, which is finer than any double
_MANTISSA = 53
_HALF = 26


class ExactSum:
    """A sum of doubles as one whole number, however many there are."""

    def __init__(self) -> None:
        self._total = 0

    def add(self, values: Sequence[float] | NDArray[np.float64]) -> None:
        """Add more values."""
        mantissas, exponents = np.frexp(np.asarray(values, dtype=np.float64))
        whole = (mantissas * 2.0**_MANTISSA).astype(np.int64)
        for exponent in np.unique(exponents):
            some = whole[exponents == exponent]
            # In halves, so that the sums of billions fit into 64 bits.
            high, low = int((some >> _HALF).sum()), int((some & ((1 << _HALF) - 1)).sum())
            self._total += ((high << _HALF) + low) << (int(exponent) - _MANTISSA + _UNIT)

    @property
    def value(self) -> float:
        """The sum as a double, rounded once."""
        return self._total / (1 << _UNIT)
