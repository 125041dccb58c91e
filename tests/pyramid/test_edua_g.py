import numpy as np
import pytest

from commonground.pyramid import build
from commonground.pyramid.builders.build import capacities
from segment_graphs import Labels, cliques, committed, contents, is_pyramid, random_graph


def texts(count):
    """As many texts of one segment."""
    names = [chr(ord("a") + place) for place in range(count)]
    return Labels(list(range(count)), list(range(count)), [0] * count, [0] * count, names)


def matrix(count, **similarities):
    result = np.eye(count)
    for pair, value in similarities.items():
        first, second = (ord(letter) - ord("a") for letter in pair)
        result[first, second] = result[second, first] = value
    return result


def test_capacities_fall_with_the_weight():
    assert capacities(5, alpha=235, beta=2.5) == {2: 41, 3: 15, 4: 7, 5: 4}
    assert capacities(3, alpha=13, beta=2.5) == {2: 2, 3: 0}
    assert capacities(1, alpha=13, beta=2.5) == {}


def test_a_weight_without_capacity_stays_empty():
    graph = texts(3).graph(matrix(3, ab=0.9, ac=0.7, bc=0.8), threshold=0.5)
    found = build(graph, "edua-g")
    assert contents(graph, found.units) == [("a", "b"), ("c",)]
    assert found.objective == pytest.approx(0.9)
    found = build(graph, "edua-g", alpha=-1)
    assert contents(graph, found.units) == [("a",), ("b",), ("c",)]


def test_a_class_smaller_than_the_one_above_takes_a_part_of_its_weakest_unit():
    # Room for a unit of weight 3, but then there is none of weight 2: it is split, its best pair
    # is kept and the rest is free.
    graph = texts(3).graph(matrix(3, ab=0.7, ac=0.9, bc=0.8), threshold=0.5)
    found = build(graph, "edua-g", alpha=100)
    assert contents(graph, found.units) == [("a", "c"), ("b",)]
    # With four texts it goes down twice, through weight 3.
    graph = texts(4).graph(matrix(4, ab=0.7, ac=0.9, bc=0.8, ad=0.6, bd=0.6, cd=0.6), threshold=0.5)
    found = build(graph, "edua-g", alpha=100)
    assert contents(graph, found.units) == [("a", "c"), ("b",), ("d",)]


def test_what_a_split_unit_frees_is_for_lighter_classes_only():
    # abc comes down to bc after weight 2 was filled: a is not offered to d again.
    labels = Labels([0, 1, 2, 1], [0, 1, 2, 3], [0] * 4, [0] * 4, ["a", "b", "c", "d"])
    graph = labels.graph(matrix(4, ab=0.7, ac=0.7, bc=0.9, ad=0.6), threshold=0.5)
    found = build(graph, "edua-g", alpha=100)
    assert contents(graph, found.units) == [("a",), ("b", "c"), ("d",)]
    # With a fourth text the free segment, a, is there when weight 2 is filled.
    labels = Labels([0, 1, 2, 3, 1], [0, 1, 2, 3, 4], [0] * 5, [0] * 5, ["a", "b", "c", "d", "e"])
    similarity = matrix(5, ab=0.6, ac=0.6, ad=0.6, bc=0.9, bd=0.9, cd=0.9, ae=0.55)
    graph = labels.graph(similarity, threshold=0.5)
    found = build(graph, "edua-g", alpha=100)
    assert contents(graph, found.units) == [("a", "e"), ("b", "c", "d")]


def test_sentences_nothing_used_take_their_finest_segmentation():
    labels = Labels([0, 0, 0, 1], [0, 0, 0, 1], [0, 1, 1, 0], [0, 0, 1, 0], ["p q", "p", "q", "z"])
    graph = labels.graph(np.zeros((4, 4)), threshold=0.5)
    assert contents(graph, build(graph, "edua-g").units) == [("p",), ("q",), ("z",)]


def greedy(graph, alpha, beta):
    """Appendix A once more, on nodes and written without any thought of speed."""
    count = len(set(graph.text.tolist()))
    sizes = {}
    for key in zip(graph.sentence.tolist(), graph.segmentation.tolist(), strict=True):
        sizes[key] = sizes.get(key, 0) + 1

    def order(unit):
        keys = [(int(graph.sentence[node]), int(graph.segmentation[node])) for node in unit]
        return -graph.attraction(unit), -sum(sizes[key] for key in keys)

    classes = {weight: [] for weight in range(2, count + 1)}
    pool = sorted(cliques(graph), key=order)
    for weight in range(count, 1, -1):
        for unit in (unit for unit in pool if len(unit) == weight):
            placed = [other for units in classes.values() for other in units]
            full = len(classes[weight]) >= int(alpha * weight**-beta)
            if not full and committed(graph, (*placed, unit)) is not None:
                classes[weight].append(unit)
        level = weight
        while level < count:
            if len(classes[level]) >= len(classes[level + 1]):
                level += 1
                continue
            weakest = min(classes[level + 1], key=graph.attraction)
            classes[level + 1].remove(weakest)
            parts = [tuple(n for n in weakest if n != out) for out in weakest]
            classes[level].append(min(parts, key=order))
            level = weight
    return [unit for units in classes.values() for unit in units]


@pytest.mark.parametrize("seed", range(60))
def test_as_written_in_the_appendix(seed):
    rng = np.random.default_rng(seed)
    graph = random_graph(rng, texts=int(rng.integers(2, 6)), sentences=3, percentile=50)
    alpha, beta = float(rng.choice([13, 40, 200])), float(rng.choice([1.0, 2.5]))
    found = build(graph, "edua-g", alpha=alpha, beta=beta)
    assert is_pyramid(graph, found.units)
    heavy = [unit for unit in found.units if len(unit) > 1]
    assert contents(graph, heavy) == contents(graph, greedy(graph, alpha, beta))
    assert found.objective <= found.bound
    weights = [len(unit) for unit in heavy]
    for weight, capacity in capacities(max(weights, default=1), alpha, beta).items():
        assert weights.count(weight) <= capacity
        assert weights.count(weight) >= weights.count(weight + 1)


def test_the_default_scale_is_the_number_of_segments_and_ten():
    graph = random_graph(np.random.default_rng(5), texts=4, sentences=4)
    assert build(graph, "edua-g") == build(graph, "edua-g", alpha=len(graph) + 10, beta=2.5)
