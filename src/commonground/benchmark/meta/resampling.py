"""Correlations of many rows at once under weights, for the bootstrap.

A bootstrap sample of systems is a vector of counts, and every correlation of a sample is a ratio of
sums under these counts. So thousands of samples take a few matrix products: Pearson's of the
values; Spearman's of the ranks, half the weighted sum of signs of differences; Kendall's tau-b of
the signs themselves. A missing value is NaN.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from commonground.agreement import METHODS

Floats = NDArray[np.float64]

# Numbers held at once in a table of signs.
_AT_ONCE: Final = 1 << 23
_TINY: Final = 1e-12


def row_correlations(x: Floats, y: Floats, weights: Floats, *, own: bool = False) -> Floats:
    """Correlate row by row under each row of weights: methods x rows x weights.

    With `own`, each row has the weights of the same number: methods x rows x 1. The methods are in
    the order of `METHODS`. NaN where a side is constant under the weights.
    """
    missing = np.isnan(x) | np.isnan(y)
    found = np.empty((len(METHODS), len(x), 1 if own else len(weights)))
    part = max(1, _AT_ONCE // (x.shape[1] * max(x.shape[1], found.shape[2])))
    for start in range(0, len(x), part):
        rows = slice(start, start + part)
        first, second = (np.where(missing[rows], np.nan, side[rows]) for side in (x, y))
        these = weights[rows] if own else weights
        found[0, rows] = _pearson(first, second, these, own)
        found[1, rows], found[2, rows] = _rank_correlations(first, second, these, own)
    return found


def _total(values: Floats, weights: Floats, own: bool) -> Floats:
    if own:
        return np.asarray((values * weights).sum(axis=1, keepdims=True))
    return np.asarray(values @ weights.T)


def _pearson(x: Floats, y: Floats, weights: Floats, own: bool) -> Floats:
    known = (~np.isnan(x)).astype(float)
    # Centred and scaled, so that the sums of squares lose no digits.
    x, y = _standardised(x), _standardised(y)
    count = np.maximum(_total(known, weights, own), 1)
    mean_x, mean_y = (_total(side, weights, own) / count for side in (x, y))
    products = [_total(a * b, weights, own) / count for a, b in ((x, y), (x, x), (y, y))]
    centres = (mean_x * mean_y, mean_x**2, mean_y**2)
    return _ratio(*(product - centre for product, centre in zip(products, centres, strict=True)))


def _standardised(values: Floats) -> Floats:
    count = np.maximum((~np.isnan(values)).sum(axis=1, keepdims=True), 1)
    centred = np.nan_to_num(values - np.nansum(values, axis=1, keepdims=True) / count)
    largest = np.abs(centred).max(axis=1, keepdims=True)
    # Rounding leaves a constant row with a spread of about 1e-17.
    scale = np.nanmax(np.abs(np.nan_to_num(values)), axis=1, keepdims=True)
    varies = largest > _TINY * scale
    return np.asarray(np.where(varies, centred / np.where(varies, largest, 1), 0))


def _rank_correlations(x: Floats, y: Floats, weights: Floats, own: bool) -> tuple[Floats, Floats]:
    """Return Spearman's and Kendall's, which share the signs of differences."""
    rows, size = x.shape
    signs = [_signs(side) for side in (x, y)]
    pairs = (weights[:, :, None] * weights[:, None, :]).reshape(len(weights), -1)
    if own:
        ranks = [np.matmul(side, weights[:, :, None]) for side in signs]
        by_rank = weights.T[None].transpose(2, 1, 0)
    else:
        ranks = [(side.reshape(-1, size) @ weights.T).reshape(rows, size, -1) for side in signs]
        by_rank = weights.T[None]
    products = ((0, 1), (0, 0), (1, 1))
    squares = [(ranks[a] * ranks[b] * by_rank).sum(axis=1) for a, b in products]
    counts = [_total((signs[a] * signs[b]).reshape(rows, -1), pairs, own) for a, b in products]
    return _ratio(*squares), _ratio(*counts)


def _signs(values: Floats) -> Floats:
    return np.asarray(np.nan_to_num(np.sign(values[:, :, None] - values[:, None, :])))


def _ratio(cross: Floats, first: Floats, second: Floats) -> Floats:
    varies = (first > _TINY) & (second > _TINY)
    size = np.sqrt(np.where(varies, first * second, 1))
    return np.where(varies, np.clip(cross / size, -1, 1), np.nan)


def level_correlations(metric: Floats, human: Floats) -> Floats:
    """Correlate a metric with people at both levels: levels (system, summary) x methods."""
    one = np.ones((1, len(human)))
    ours, theirs = (means(side, metric, human)[None] for side in (metric, human))
    system = row_correlations(ours, theirs, one)
    summary = row_correlations(metric.T, human.T, one)
    return np.stack([system[:, 0, 0], _mean(summary[:, :, 0])])


def means(values: Floats, *sides: Floats) -> Floats:
    """Return the mean over inputs of each system where no side is missing."""
    known = ~np.isnan(np.stack(sides)).any(axis=0)
    count = known.sum(axis=1)
    total = np.where(known, values, 0).sum(axis=1)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def _mean(values: Floats) -> Floats:
    known = ~np.isnan(values)
    count = known.sum(axis=-1)
    total = np.nan_to_num(values).sum(axis=-1)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def bootstrap(
    metrics: Floats, human: Floats, resamples: int, seed: int
) -> Iterator[tuple[int, Floats]]:
    """Yield for each metric its index and resampled correlations: levels x methods x resamples.

    Systems and inputs are resampled together, in the same way for all metrics.
    """
    generator = np.random.default_rng(seed)
    systems, inputs = human.shape
    rows = generator.multinomial(systems, np.full(systems, 1 / systems), resamples).astype(float)
    columns = generator.multinomial(inputs, np.full(inputs, 1 / inputs), resamples).astype(float)
    for index, metric in enumerate(metrics):
        known = ~(np.isnan(metric) | np.isnan(human))
        count = columns @ known.T
        ours, theirs = (
            np.where(count > 0, columns @ np.where(known, side, 0).T / np.maximum(count, 1), np.nan)
            for side in (metric, human)
        )
        drawn = np.empty((2, len(METHODS), resamples))
        drawn[0] = row_correlations(ours, theirs, rows, own=True)[:, :, 0]
        summary = row_correlations(metric.T, human.T, rows)
        defined = ~np.isnan(summary)
        weight = np.einsum("mkb,bk->mb", defined, columns)
        total = np.einsum("mkb,bk->mb", np.nan_to_num(summary), columns)
        drawn[1] = np.where(weight > 0, total / np.maximum(weight, 1), np.nan)
        yield index, drawn
