"""Tests of the difference between two metrics' correlations with people.

The permutation test swaps the standardised scores of single summaries between the two metrics.
Williams' test needs only the three correlations.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from commonground.benchmark.meta.resampling import Floats, level_correlations, row_correlations

Singles = NDArray[np.float32]

# Signs of differences held at once; single precision is enough to count draws.
_AT_ONCE: Final = 1 << 22
_TOLERANCE: Final = 1e-6
_TINY: Final = 1e-9


def permutation_p(
    first: Floats,
    second: Floats,
    human: Floats,
    *,
    permutations: int,
    seed: int = 0,
    levels: Collection[int] = (0, 1),
) -> Floats:
    """Test the difference of two correlations with people: levels (system, summary) x methods.

    `levels` leaves out a level, whose p-values are then NaN. P-values count the observed data, so
    they are never 0.
    """
    known = ~(np.isnan(first) | np.isnan(second) | np.isnan(human))
    x, y, truth = (np.where(known, side, np.nan) for side in (first, second, human))
    x, y = ((side - np.nanmean(side)) / (np.nanstd(side) or 1) for side in (x, y))
    observed = np.abs(level_correlations(x, truth) - level_correlations(y, truth))
    people = _Inputs.of(np.nan_to_num(truth).T, known.T)
    count = np.maximum(known.sum(axis=1), 1)
    means = np.where(known.any(axis=1), np.nan_to_num(truth).sum(axis=1) / count, np.nan)
    x, y = (np.nan_to_num(side).T for side in (x, y))
    generator = np.random.default_rng(seed)
    as_large = np.ones_like(observed)
    part = max(1, _AT_ONCE // (people.signs.size or 1))
    for start in range(0, permutations, part):
        size = min(part, permutations - start)
        swap = generator.random((size, *x.shape)) < 0.5
        pair = [np.where(swap, *sides) for sides in ((y, x), (x, y))]
        drawn = np.full((2, *observed.shape, size), np.nan)
        for side, values in enumerate(pair):
            if 0 in levels:
                averages = values.sum(axis=1) / count
                same = np.broadcast_to(means, averages.shape)
                one = np.ones((1, len(means)))
                drawn[side, 0] = row_correlations(averages, same, one)[:, :, 0]
            if 1 in levels:
                drawn[side, 1] = people.correlations(values.astype(np.float32))
        difference = np.abs(np.nan_to_num(drawn[0] - drawn[1]))
        as_large += (difference >= observed[:, :, None] - _TOLERANCE).sum(axis=2)
    p = as_large / (permutations + 1)
    p[[level for level in range(len(p)) if level not in levels]] = np.nan
    return np.where(np.isnan(observed), np.nan, p)


@dataclass(frozen=True, slots=True)
class _Inputs:
    """People's scores by input: centred values and ranks, and the signs of differences.

    `ends` has 1 and -1 at the two systems of each pair, so signs @ ends are twice the ranks.
    """

    known: Singles
    pair_known: Singles
    ends: Singles
    centred: Singles
    ranks: Singles
    signs: Singles

    @classmethod
    def of(cls, truth: Floats, known: NDArray[np.bool_]) -> "_Inputs":
        """Prepare people's scores, inputs x systems."""
        i, j = np.triu_indices(truth.shape[1], 1)
        ends = np.zeros((len(i), truth.shape[1]), np.float32)
        ends[np.arange(len(i)), i], ends[np.arange(len(i)), j] = 1, -1
        pair_known = (known[:, i] & known[:, j]).astype(np.float32)
        signs = np.sign(truth[:, i] - truth[:, j]).astype(np.float32) * pair_known
        single = known.astype(np.float32)
        centred = _centred(truth.astype(np.float32), single)
        ranks = (signs @ ends / 2).astype(np.float32)
        return cls(single, pair_known, ends, centred, ranks, signs)

    def correlations(self, values: Singles) -> Floats:
        """Return the mean over inputs for each permutation: methods x permutations."""
        size, systems = len(values), values.shape[-1]
        # One large product, and comparisons instead of `sign`: three times as fast.
        differences = values.reshape(-1, systems) @ self.ends.T
        signs = (differences > 0).astype(np.float32) - (differences < 0)
        ranks = (signs @ self.ends / 2).reshape(values.shape)
        signs = signs.reshape(size, len(self.signs), -1)
        if not self.pair_known.all():
            signs *= self.pair_known
            ranks = (signs @ self.ends / 2).astype(np.float32)
        sides = (
            (_centred(values, self.known), self.centred),
            (ranks, self.ranks),
            (signs, self.signs),
        )
        return np.stack([_mean_cosine(*pair) for pair in sides])


def _centred(values: Singles, known: Singles) -> Singles:
    count = np.maximum(known.sum(axis=-1, keepdims=True), 1)
    mean = (values * known).sum(axis=-1, keepdims=True) / count
    return np.asarray((values - mean) * known)


def _mean_cosine(values: Singles, people: Singles) -> Floats:
    """Return the mean over inputs of the cosine with people's, where it is defined."""
    cross = np.einsum("pnk,nk->pn", values, people, dtype=float)
    size = np.einsum("pnk,pnk->pn", values, values, dtype=float) * (people**2).sum(axis=-1)
    varies = size > _TINY
    cosines = np.where(varies, cross / np.sqrt(np.where(varies, size, 1)), 0)
    return np.asarray(cosines.sum(axis=1) / np.maximum(varies.sum(axis=1), 1))


def williams_p(first: float, second: float, between: float, n: int) -> float | None:
    """Test the difference of two dependent Pearson correlations with the same variable.

    `between` is the correlation of the two metrics; Williams (1959), with n - 3 degrees of
    freedom, two-sided. None if it is undefined.

    Example:
        >>> round(williams_p(0.9, 0.6, 0.7, 25), 4)
        0.0005
    """
    if n < 4:
        return None
    determinant = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    below = 2 * determinant * (n - 1) / (n - 3) + ((first + second) / 2) ** 2 * (1 - between) ** 3
    if not below > _TINY:
        return None
    t = (first - second) * np.sqrt((n - 1) * (1 + between) / below)
    return float(2 * stats.t.sf(abs(t), n - 3))
