import numpy as np
import pytest

from commonground.pyramid import build
from segment_graphs import (
    CLOSE,
    Labels,
    contents,
    is_pyramid,
    segments,
    small_graphs,
)


def pairs(*similarities):
    """Two texts with as many sentences: the first resembles the first, and so on."""
    count = len(similarities)
    labels = Labels(
        [0] * count + [1] * count,
        list(range(2 * count)),
        [0] * (2 * count),
        [0] * (2 * count),
        [f"a{n}" for n in range(count)] + [f"b{n}" for n in range(count)],
    )
    matrix = np.zeros((2 * count, 2 * count))
    for place, value in enumerate(similarities):
        matrix[place, count + place] = matrix[count + place, place] = value
    return labels.graph(matrix, threshold=0.5)


def test_the_two_readings():
    graph = pairs(0.9, 0.6)
    few = build(graph, "edua-c")
    assert contents(graph, few.units) == [("a0", "b0"), ("a1",), ("b1",)]
    assert (few.objective, few.bound, few.optimal) == (pytest.approx(0.9), few.objective, True)
    many = build(graph, "edua-c-maximal")
    assert contents(graph, many.units) == [("a0", "b0"), ("a1", "b1")]
    assert (many.objective, many.bound, many.optimal) == (pytest.approx(0.75), many.objective, True)


def test_a_weaker_unit_may_leave_room_for_a_better_sum():
    # The strongest pair ab is part of the only triple abc. Alone it is worth 0.99, but the
    # triple with the pair de is worth more.
    labels = Labels([0, 1, 2, 0, 1], [0, 1, 2, 3, 4], [0] * 5, [0] * 5, list("abcde"))
    matrix = np.zeros((5, 5))
    for first, second, value in ((0, 1, 0.99), (0, 2, 0.6), (1, 2, 0.6), (3, 4, 0.7)):
        matrix[first, second] = matrix[second, first] = value
    graph = labels.graph(matrix, threshold=0.5)
    found = build(graph, "edua-c")
    assert contents(graph, found.units) == [("a", "b", "c"), ("d", "e")]
    assert found.objective == pytest.approx(0.73 + 0.7)


def test_of_equal_choices_the_finest_segmentation():
    labels = Labels([0, 0, 0, 1], [0, 0, 0, 1], [0, 1, 1, 0], [0, 0, 1, 0], ["p q", "p", "q", "z"])
    matrix = np.zeros((4, 4))
    matrix[0, 3] = matrix[1, 3] = matrix[3, 0] = matrix[3, 1] = 0.8
    graph = labels.graph(matrix, threshold=0.5)
    for builder in ("edua-c", "edua-c-maximal"):
        assert contents(graph, build(graph, builder).units) == [("p", "z"), ("q",)]


def test_of_equally_fine_choices_the_first_by_text():
    labels = Labels([0, 1, 1], [0, 1, 2], [0] * 3, [0] * 3, ["a", "second", "first"])
    matrix = np.full((3, 3), 0.8)
    graph = labels.graph(matrix, threshold=0.5)
    for builder in ("edua-c", "edua-c-maximal"):
        assert contents(graph, build(graph, builder).units) == [("a", "first"), ("second",)]


def test_a_shared_segment_leaves_the_finest_segmentation_that_has_it():
    labels = Labels(
        [0, 0, 0, 0, 0, 0, 1],
        [0, 0, 0, 0, 0, 0, 1],
        [0, 1, 1, 2, 2, 2, 0],
        [0, 0, 1, 0, 1, 2, 0],
        ["p q r", "p", "q r", "p", "q", "r", "z"],
    )
    matrix = np.zeros((7, 7))
    matrix[1, 6] = matrix[6, 1] = matrix[3, 6] = matrix[6, 3] = 0.8
    graph = labels.graph(matrix, threshold=0.5)
    for builder in ("edua-g", "edua-c", "edua-c-maximal", "agreement"):
        found = build(graph, builder, floor=0.0, alpha=100)
        assert contents(graph, found.units) == [("p", "z"), ("q",), ("r",)]


def test_a_maximal_set_may_need_a_coarser_segmentation():
    # With the finest segmentation of the first text, q could still join y, at 0.5. Without
    # it, q is not there: the set is maximal with one pair of 0.9.
    labels = Labels(
        [0, 0, 0, 0, 0, 1, 1],
        [0, 0, 0, 0, 0, 1, 2],
        [0, 1, 1, 2, 2, 0, 0],
        [0, 0, 1, 0, 1, 0, 0],
        ["p q", "p", "q", "p", "Q", "x", "y"],
    )
    matrix = np.zeros((7, 7))
    for first, second, value in ((1, 5, 0.9), (3, 5, 0.9), (2, 6, 0.5)):
        matrix[first, second] = matrix[second, first] = value
    graph = labels.graph(matrix, threshold=0.5)
    found = build(graph, "edua-c-maximal")
    assert contents(graph, found.units) == [("Q",), ("p", "x"), ("y",)]
    assert found.objective == pytest.approx(0.9)


@pytest.mark.parametrize("seed", range(20))
def test_no_pyramid_has_a_greater_sum_of_means(seed):
    for small in small_graphs(seed):
        found = build(small.graph, "edua-c")
        values = {chosen: small.means(chosen) for chosen in small.sets}
        best = max(values.values())
        taken = small.places(found.units)
        assert found.optimal
        assert is_pyramid(small.graph, found.units)
        assert found.objective == pytest.approx(best, abs=CLOSE)
        assert values[taken] == pytest.approx(best, abs=CLOSE)
        # One unit a weight is enough, and of those sets none has finer segmentations.
        assert len(set(small.weights(taken))) == len(taken)
        tied = [
            chosen
            for chosen, value in values.items()
            if value > best - CLOSE and len(set(small.weights(chosen))) == len(chosen)
        ]
        assert segments(small.graph, found.units) == max(map(small.segments, tied))


@pytest.mark.parametrize("seed", range(20))
def test_no_maximal_set_has_a_greater_sum_of_means(seed):
    for small in small_graphs(seed):
        found = build(small.graph, "edua-c-maximal")
        values = {chosen: small.means(chosen) for chosen in small.maximal}
        best = max(values.values())
        taken = small.places(found.units)
        assert found.optimal
        assert is_pyramid(small.graph, found.units)
        assert found.objective == pytest.approx(best, abs=CLOSE)
        assert values[taken] == pytest.approx(best, abs=CLOSE)
        tied = [
            chosen
            for chosen, value in values.items()
            if value > best - CLOSE and small.weights(chosen) == small.weights(taken)
        ]
        assert segments(small.graph, found.units) == max(map(small.segments, tied))
