"""Wilcoxon's signed-rank test of many sets of differences at once.

`scipy.stats.wilcoxon` also takes many sets, but chooses between the exact and the approximate
p-value for all of them together, so that one pair of systems would depend on the others. Here each
set gets the p-value that scipy gives its non-zero differences.
"""

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Floats = NDArray[np.float64]

EXACT: Final = 50  # differences up to which the exact distribution is used
EXACT_WITH_TIES: Final = 13
DECIMALS: Final = 12  # rounding noise beyond these would hide ties


class SignedRanks(NamedTuple):
    """For each set: the p-value, the sign of the difference, and the number of non-zero ones."""

    p: Floats
    direction: NDArray[np.int64]
    n: NDArray[np.int64]


def signed_ranks(differences: Floats) -> SignedRanks:
    """Test each row of differences, two-sided; 0 and NaN are left out.

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
    # The sum of squared ranks is greatest without ties.
    tied = squares < n * (n + 1) * (2 * n + 1) / 6 - 0.25
    p = _approximate(plus, total, squares)
    exact = (n > 0) & (n <= EXACT) & ~tied
    for size in np.unique(n[exact]):
        rows = exact & (n == size)
        p[rows] = _exact(np.minimum(plus, total - plus)[rows], int(size))
    for row in np.flatnonzero(tied & (n <= EXACT_WITH_TIES)):
        p[row] = _exact_with_ties(ranks[row][used[row]], plus[row])
    return SignedRanks(p, np.sign(plus - total / 2).astype(np.int64), n)


def _approximate(plus: Floats, total: Floats, squares: Floats) -> Floats:
    # The variance of the sum of ranks with random signs; midranks carry the correction for ties.
    deviation = np.sqrt(squares / 4)
    z = np.abs(plus - total / 2) / np.where(deviation > 0, deviation, 1)
    return np.asarray(np.minimum(1, 2 * stats.norm.sf(z)))


def _exact(smaller: Floats, n: int) -> Floats:
    tails = _tails(n)
    return np.asarray(np.minimum(1, 2 * tails[np.rint(smaller).astype(int)]))


@cache
def _tails(n: int) -> Floats:
    """Return the probability that the sum of n ranks with random signs is at most 0, 1, 2 ..."""
    shares = np.ones(1)
    for rank in range(1, n + 1):
        longer = np.zeros(len(shares) + rank)
        longer[: len(shares)] += shares / 2
        longer[rank:] += shares / 2
        shares = longer
    return np.cumsum(shares)


def _exact_with_ties(ranks: Floats, plus: float) -> float:
    """Enumerate all signs of these ranks; twice a midrank is a whole number."""
    signs = _signs(len(ranks))
    sums = np.rint(2 * (signs @ ranks))
    smaller = min(round(2 * plus), round(2 * (ranks.sum() - plus)))
    return float(min(1.0, 2 * np.mean(sums <= smaller)))


@cache
def _signs(n: int) -> Floats:
    return ((np.arange(1 << n)[:, None] >> np.arange(n)) & 1).astype(float)
