"""Small matching problems, and their answers by trying everything."""

from itertools import product

import numpy as np

from commonground.pyramid.matching import Cut

THRESHOLD = 0.5


def instance(seed, sentences=3, units=4, grid=None):
    """Sentences, weights and labels; with a grid, similarities are multiples of it (ties)."""
    rng = np.random.default_rng(seed)
    summary = []
    for sentence in range(sentences):
        sizes = [1, *(int(size) for size in rng.integers(2, 4, rng.integers(0, 3)))]
        summary.append(
            [
                cut([f"{sentence}.{place}.{part}" for part in range(size)], rng, units, grid)
                for place, size in enumerate(sizes)
            ]
        )
    weights = [int(weight) for weight in rng.integers(1, 6, units)]
    return summary, weights, [f"unit {place}" for place in range(units)]


def cut(texts, rng, units, grid):
    similarity = rng.uniform(0, 1, (len(texts), units))
    if grid:
        similarity = np.rint(similarity / grid) * grid
    return Cut(tuple(texts), similarity)


def best_by_trying_everything(summary, weights, order):
    """The greatest raw score: every segmentation, every unit of the best two or none, by hand."""
    options = []
    for cuts in summary:
        options.append([units for found in cuts for units in _unit_sets(found, weights, order)])
    best = 0
    for choice in product(*options):
        units = [unit for chosen in choice for unit in chosen]
        if len(units) == len(set(units)):
            best = max(best, sum(weights[unit] for unit in units))
    return best


def _unit_sets(found, weights, order):
    candidates = []
    for row in found.similarity:
        ranked = sorted(range(len(weights)), key=lambda unit: (-row[unit], order.index(unit)))
        candidates.append([None, *(unit for unit in ranked[:2] if row[unit] >= THRESHOLD)])
    for choice in product(*candidates):
        units = [unit for unit in choice if unit is not None]
        if len(units) == len(set(units)):
            yield frozenset(units)
