"""Correction of p-values for many comparisons."""

from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from commonground.errors import InputError, unknown_name

Correction = Literal["none", "holm", "bh"]
CORRECTIONS: Final[tuple[str, ...]] = get_args(Correction)


def adjusted(p_values: ArrayLike, correction: Correction = "holm") -> NDArray[np.float64]:
    """Correct p-values for many comparisons.

    Args:
        p_values: The p-values of all comparisons.
        correction: `holm` bounds the probability of any false positive, `bh` (Benjamini and
            Hochberg) the share of false positives; `none` changes nothing.

    Example:
        >>> adjusted([0.01, 0.04, 0.03]).tolist()
        [0.03, 0.06, 0.06]
    """
    values = np.asarray(p_values, dtype=float)
    if correction not in CORRECTIONS:
        raise unknown_name("correction", correction, CORRECTIONS)
    if values.ndim != 1 or not ((values >= 0) & (values <= 1)).all():
        raise InputError("p-values must be one list of numbers from 0 to 1")
    if correction == "none" or not values.size:
        return values
    if correction == "bh":
        return np.asarray(stats.false_discovery_control(values, method="bh"))
    # scipy has no Holm correction: the k-th smallest of n times n - k + 1, never decreasing.
    order = np.argsort(values)
    corrected = np.empty_like(values)
    corrected[order] = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1))
    return np.asarray(np.minimum(corrected, 1))
