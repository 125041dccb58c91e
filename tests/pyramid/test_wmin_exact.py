"""The exact matching: against trying everything, and above the greedy one."""

import numpy as np
import pytest

from commonground.pyramid.matching import Cut, Graph, Matching, wmin, wmin_exact
from wmin_instances import THRESHOLD, best_by_trying_everything, instance


@pytest.mark.parametrize("grid", [None, 0.25])
def test_hundreds_of_small_problems(grid):
    below = 0
    for seed in range(120):
        given = instance(seed, sentences=2 + seed % 2, units=3 + seed % 3, grid=grid)
        order = Graph.of(*given, THRESHOLD).order
        exact, greedy = wmin_exact(*given, THRESHOLD), wmin(*given, THRESHOLD)
        assert exact.raw == best_by_trying_everything(given[0], given[1], order)
        assert greedy.raw <= exact.raw
        below += greedy.raw < exact.raw
    # Otherwise the comparison would say nothing.
    assert below


def test_both_agree_where_nothing_conflicts():
    # Each sentence states a unit of its own.
    for seed in range(20):
        weights = [int(weight) for weight in np.random.default_rng(seed).integers(1, 6, 7)]
        similarity = np.eye(7)
        summary = [[Cut((f"sentence {row}",), similarity[row : row + 1])] for row in range(7)]
        labels = [f"unit {place}" for place in range(7)]
        exact = wmin_exact(summary, weights, labels, 0.5)
        assert exact == wmin(summary, weights, labels, 0.5)
        assert (exact.raw, exact.unit_count) == (sum(weights), 7)


def test_greedy_can_lose():
    # Nodes, with weight / (degree + 1): a with unit 0 4/3, a with 1 2/2, b with 0 4/3, b with 2
    # 1/2. Of the two best, a is the more similar; b is left with unit 2: 4 + 1, not 2 + 4.
    summary = [
        [Cut(("a",), np.array([[0.75, 0.625, 0.0]]))],
        [Cut(("b",), np.array([[0.625, 0.0, 0.5]]))],
    ]
    weights, labels = [4, 2, 1], ["u", "v", "w"]
    assert [match.unit for match in wmin(summary, weights, labels, 0.5).matches] == [0, 2]
    exact = wmin_exact(summary, weights, labels, 0.5)
    assert [match.unit for match in exact.matches] == [1, 0]
    assert exact.raw == 6


def test_matches_hold_together():
    for seed in range(40):
        summary, weights, labels = instance(seed, sentences=6, units=8)
        found = wmin_exact(summary, weights, labels, THRESHOLD)
        units = [match.unit for match in found.matches]
        assert len(units) == len(set(units))
        assert found.raw == sum(weights[unit] for unit in units)
        for match in found.matches:
            assert match.segmentation == found.segmentations[match.sentence]
            cut = summary[match.sentence][match.segmentation]
            assert match.similarity == pytest.approx(cut.similarity[match.segment, match.unit])
            assert match.similarity >= THRESHOLD
        chosen = zip(summary, found.segmentations, strict=True)
        assert found.unit_count == sum(len(cuts[place].texts) for cuts, place in chosen)


def test_nothing_to_match():
    assert wmin_exact([], [1], ["u"], 0.5) == Matching((), (), 0, 0)
    assert wmin_exact([[Cut(("a",), np.zeros((1, 1)))]], [1], ["u"], 0.5).raw == 0
