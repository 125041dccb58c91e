"""Significance of many comparisons: signed-rank tests, and correction of their p-values.

`scipy.stats.wilcoxon` also takes many sets of differences, but chooses between the exact and the
approximate p-value for all of them together, so that one pair of systems would depend on the
others. Here each set gets the p-value that scipy gives its non-zero differences.
"""

from functools import lru_cache
from typing import Final, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from commonground.agreement.coefficients import Floats
from commonground.errors import InputError, check_known

Correction = Literal["none", "holm", "bh"]
CORRECTIONS: Final[tuple[str, ...]] = get_args(Correction)

EXACT: Final = 50  # differences up to which the exact distribution is used
EXACT_WITH_TIES: Final = 13
DECIMALS: Final = 12  # rounding noise beyond these would hide ties


def adjusted(p_values: ArrayLike, correction: Correction = "holm") -> Floats:
    """Correct p-values for many comparisons.

    `holm` bounds the probability of any false positive, `bh` (Benjamini and Hochberg) the share of
    false positives; `none` changes nothing.

    Example:
        >>> adjusted([0.01, 0.04, 0.03]).tolist()
        [0.03, 0.06, 0.06]
    """
    values = np.asarray(p_values, dtype=float)
    check_known("correction", CORRECTIONS, correction)
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


class SignedRanks(NamedTuple):
    """For each set: the p-value, the sign of the difference, and the number of non-zero ones."""

    p: Floats
    direction: NDArray[np.int64]
    n: NDArray[np.int64]


def signed_ranks(differences: Floats) -> SignedRanks:
    """Test each row of differences by Wilcoxon's test, two-sided; 0 and NaN are left out.

    The p-value is exact for up to 50 differences without ties and up to 13 with ties, otherwise
    the normal approximation with correction for ties but not for continuity. Without any
    difference it is 1.
    """
    rounded = np.round(np.where(np.isnan(differences), 0.0, differences), DECIMALS)
    used = rounded != 0
    n = used.sum(axis=1)
    # Unused differences rank above all others, and so do not change their ranks.
    ranks = stats.rankdata(np.where(used, np.abs(rounded), np.inf), axis=1) * used
    plus = np.where(rounded > 0, ranks, 0).sum(axis=1)
    total = n * (n + 1) / 2
    squares = (ranks**2).sum(axis=1)
    # The variance of the sum of ranks with random signs; midranks carry the correction for ties.
    deviation = np.sqrt(squares / 4)
    z = np.abs(plus - total / 2) / np.where(deviation > 0, deviation, 1)
    p = np.minimum(1, 2 * stats.norm.sf(z))
    # The sum of squared ranks is greatest without ties.
    tied = squares < n * (n + 1) * (2 * n + 1) / 6 - 0.25
    smaller = np.rint(2 * np.minimum(plus, total - plus)).astype(int)
    for size in np.unique(n[~tied & (n > 0) & (n <= EXACT)]):
        rows = ~tied & (n == size)
        p[rows] = 2 * _tails(tuple(range(2, 2 * size + 1, 2)))[smaller[rows]]
    for row in np.flatnonzero(tied & (n <= EXACT_WITH_TIES)):
        doubled = np.rint(2 * np.sort(ranks[row][used[row]])).astype(int)
        p[row] = 2 * _tails(tuple(doubled))[smaller[row]]
    return SignedRanks(np.minimum(p, 1), np.sign(plus - total / 2).astype(np.int64), n)


@lru_cache(maxsize=1024)
def _tails(doubled: tuple[int, ...]) -> Floats:
    """Return the probability that the sum of ranks with random signs is at most 0, 1, 2 ...

    Everything is doubled, since twice a midrank is a whole number.
    """
    shares = np.ones(1)
    for rank in doubled:
        shares = np.pad(shares, (0, rank)) / 2 + np.pad(shares, (rank, 0)) / 2
    return np.cumsum(shares)
