import numpy as np
import pytest

from commonground.errors import InputError
from commonground.pyramid import BUILDERS, build
from commonground.pyramid.builders.build import EXACT, gain, gain_ceiling
from commonground.pyramid.builders.pieces import pieces_of
from commonground.pyramid.builders.task import Neighbours, mean_attraction
from segment_graphs import (
    CLOSE,
    Labels,
    contents,
    is_pyramid,
    random_graph,
    random_labels,
    random_similarity,
    segments,
    small_graphs,
)


def test_the_gain_of_a_unit():
    weight, attraction = np.array([2, 3, 5]), np.array([0.75, 0.75, 0.5])
    assert gain(weight, attraction, 0.5).tolist() == [0.25, 0.5, 0.0]
    # It is 2 / weight of the sum of what its pairs are above the floor.
    pairs = np.array([0.9, 0.7, 0.8])
    assert gain(np.array([3]), pairs.mean(keepdims=True), 0.5) == pytest.approx(
        2 / 3 * np.sum(pairs - 0.5)
    )


def test_agreement_takes_all_units_that_add_to_it():
    labels = Labels([0, 0, 1, 1], list(range(4)), [0] * 4, [0] * 4, ["a", "c", "b", "d"])
    matrix = np.zeros((4, 4))
    for first, second, value in ((0, 2, 0.9), (1, 3, 0.6), (0, 3, 0.7)):
        matrix[first, second] = matrix[second, first] = value
    graph = labels.graph(matrix, threshold=0.5)
    found = build(graph, "agreement")
    assert contents(graph, found.units) == [("a", "b"), ("c", "d")]
    assert found.objective == pytest.approx(0.4 + 0.1)
    # A higher floor: c and d are not near enough to count.
    found = build(graph, "agreement", floor=0.65)
    assert contents(graph, found.units) == [("a", "b"), ("c",), ("d",)]
    assert found.objective == pytest.approx(0.25)


@pytest.mark.parametrize("seed", range(20))
def test_no_pyramid_has_a_greater_sum_of_gains(seed):
    for small in small_graphs(seed):
        found = build(small.graph, "agreement")
        values = {chosen: small.gains(chosen, small.graph.threshold) for chosen in small.sets}
        best = max(values.values())
        assert found.optimal
        assert is_pyramid(small.graph, found.units)
        assert found.objective == pytest.approx(best, abs=CLOSE)
        assert values[small.places(found.units)] == pytest.approx(best, abs=CLOSE)
        tied = [chosen for chosen, value in values.items() if value > best - CLOSE]
        assert segments(small.graph, found.units) == max(map(small.segments, tied))


@pytest.mark.parametrize("builder", BUILDERS)
@pytest.mark.parametrize("seed", range(6))
def test_the_order_of_texts_and_nodes_does_not_matter(builder, seed):
    rng = np.random.default_rng(seed)
    labels = random_labels(rng, texts=4, sentences=2)
    similarity = random_similarity(rng, labels.words, levels=3 if seed % 2 else None)
    order, other = labels.shuffled(rng)
    # A few candidates, and then more than are listed.
    for limit in (10**6, 10):
        one = build(labels.graph(similarity), builder, limit=limit)
        two = build(other.graph(similarity[np.ix_(order, order)]), builder, limit=limit)
        assert (one.objective, one.bound) == (two.objective, two.bound)
        said = [[sorted(labels.words[n] for n in unit) for unit in one.units]]
        said.append([sorted(other.words[n] for n in unit) for unit in two.units])
        assert said[0] == said[1]


@pytest.mark.parametrize("builder", BUILDERS)
def test_identical_references(builder):
    # Three references of the same two sentences, the second with an alternative segmentation.
    one = ["It rained.", "We stayed in and read.", "We stayed in", "We read"]
    labels = Labels(
        [text for text in range(3) for _ in one],
        [2 * text + (place > 0) for text in range(3) for place in range(4)],
        [0, 0, 1, 1] * 3,
        [0, 0, 0, 1] * 3,
        one * 3,
    )
    similarity = np.array([[float(a == b) for a in labels.words] for b in labels.words])
    graph = labels.graph(similarity, threshold=0.5)
    found = build(graph, builder, alpha=1000)
    assert is_pyramid(graph, found.units)
    assert all(len(set(unit)) == 1 for unit in contents(graph, found.units))
    heaviest = [unit for unit in found.units if len(unit) == 3]
    expected = {"edua-g": 1, "edua-c": 1, "edua-c-maximal": 2, "agreement": 3}
    assert len(heaviest) == expected.get(builder), "add the count of a new builder above"
    # Every sentence in its finest segmentation.
    assert sum(map(len, found.units)) == 9


@pytest.mark.parametrize("builder", BUILDERS)
@pytest.mark.parametrize("nodes", [0, 3])
def test_one_text_is_a_pyramid_of_single_segments(builder, nodes):
    labels = Labels(
        [0] * nodes, list(range(nodes)), [0] * nodes, [0] * nodes, ["b", "c", "a"][:nodes]
    )
    found = build(labels.graph(np.ones((nodes, nodes))), builder)
    assert found.units == ((2,), (0,), (1,))[3 - nodes :]
    assert (found.objective, found.bound, found.optimal, found.gap) == (0, 0, True, 0)
    assert (found.candidates, found.complete) == (0, True)


@pytest.mark.parametrize("builder", EXACT)
@pytest.mark.parametrize("seed", range(8))
def test_without_time_there_is_still_a_pyramid_and_a_bound(builder, seed):
    rng = np.random.default_rng(seed)
    graph = random_graph(rng, texts=4, sentences=2, percentile=60)
    best, quick = build(graph, builder), build(graph, builder, seconds=0)
    assert best.optimal
    assert is_pyramid(graph, quick.units)
    assert quick.objective <= best.objective + CLOSE
    assert quick.bound >= best.objective - CLOSE
    assert quick.gap == pytest.approx(1 - quick.objective / quick.bound)


@pytest.mark.parametrize("builder", BUILDERS)
@pytest.mark.parametrize("seed", range(8))
def test_with_some_of_the_candidates_the_bound_still_holds(builder, seed):
    rng = np.random.default_rng(seed)
    graph = random_graph(rng, texts=4, sentences=2, percentile=60)
    best, some = build(graph, builder), build(graph, builder, limit=10)
    assert best.complete
    assert not some.complete
    assert some.candidates < best.candidates
    assert is_pyramid(graph, some.units)
    assert some.bound >= best.bound - CLOSE
    if builder in EXACT:
        assert some.objective <= best.objective + CLOSE


@pytest.mark.parametrize("seed", range(10))
def test_bounds_from_neighbours_hold(seed):
    for small in small_graphs(seed):
        neighbours = Neighbours.of(pieces_of(small.graph))
        for unit, attraction in zip(small.cliques, small.attraction, strict=True):
            assert attraction <= neighbours.attraction(len(unit)) + CLOSE
        assert neighbours.attraction(9) == -np.inf
        assert max(map(small.means, small.sets)) <= neighbours.mean_attraction() + CLOSE
        for floor in (small.graph.threshold, 0.0, 0.8):
            best = max(small.gains(chosen, floor) for chosen in small.sets)
            assert best <= gain_ceiling(neighbours, floor) + CLOSE


def test_units_come_heaviest_first_then_strongest():
    graph = random_graph(np.random.default_rng(4), texts=4, sentences=3)
    for builder in BUILDERS:
        units = build(graph, builder).units
        keys = [(-len(unit), -graph.attraction(unit)) for unit in units]
        assert keys == sorted(keys)
        assert all(list(unit) == sorted(unit) for unit in units)


def test_the_sum_of_means_leaves_single_segments_out():
    assert mean_attraction([]) == 0
    assert mean_attraction([(1, 1.0), (2, 0.5), (2, 1.0), (3, 0.25)]) == 1.0


def test_an_unknown_builder_is_named_with_the_nearest():
    graph = random_graph(np.random.default_rng(0))
    with pytest.raises(InputError, match="unknown builder 'edua-d'; did you mean 'edua-"):
        build(graph, "edua-d")


def test_a_limit_of_nothing_is_an_error():
    with pytest.raises(InputError, match="at least 1, not 0"):
        build(random_graph(np.random.default_rng(0)), limit=0)
