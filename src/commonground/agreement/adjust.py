"""Correction of p-values for many comparisons."""

from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from commonground.errors import InputError, unknown_name

Correction = Literal["none", "holm", "bh"]
CORRECTIONS: Final[tuple[str, ...]] = get_args(Correction)


def adjusted(p_values: ArrayLike, correction: Correction = "holm") -> NDArray[np.float64]:
    """P-values to be held against the level as before.

    Args:
        p_values: The p-values of all comparisons that were made.
        correction: `holm` bounds the chance of any false difference, `bh` (Benjamini and
            Hochberg) the share of false ones among those found, `none` nothing.

    Example:
        >>> adjusted([0.01, 0.04, 0.03]).tolist()
        [0.03, 0.06, 0.06]
    """
    given = np.asarray(p_values, dtype=float)
    if correction not in CORRECTIONS:
        raise unknown_name("correction", correction, CORRECTIONS)
    if given.ndim != 1 or not ((given >= 0) & (given <= 1)).all():
        raise InputError("p-values are one list of numbers from 0 to 1")
    if correction == "none" or not given.size:
        return given
    if correction == "bh":
        return np.asarray(stats.false_discovery_control(given, method="bh"))
    # Holm's is in no scipy function: the k-th smallest of n times n - k + 1, never decreasing.
    order = np.argsort(given)
    steps = np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1))
    found = np.empty_like(given)
    found[order] = np.minimum(steps, 1)
    return found
