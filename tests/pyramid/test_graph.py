import numpy as np
import pytest

from commonground.errors import InputError
from commonground.pyramid import SegmentGraph
from commonground.pyramid.builders import graph as graph_module
from segment_graphs import Labels, random_labels, random_similarity

# Two texts of one sentence and one of two, no alternatives.
LABELS = Labels([0, 1, 2, 2], [0, 1, 2, 3], [0] * 4, [0] * 4, ["a", "b", "c", "d"])
SIMILARITY = np.array(
    [[1.0, 0.9, 0.5, 0.1], [0.9, 1.0, 0.7, 0.3], [0.5, 0.7, 1.0, 0.99], [0.1, 0.3, 0.99, 1.0]]
)


def edges(graph):
    return {
        (graph.words[a], graph.words[b]): float(s)
        for a, b, s in zip(graph.first, graph.second, graph.strength, strict=True)
    }


def test_an_edge_joins_similar_segments_of_different_texts():
    graph = LABELS.graph(SIMILARITY, threshold=0.5)
    assert edges(graph) == pytest.approx({("a", "b"): 0.9, ("a", "c"): 0.5, ("b", "c"): 0.7})


def test_the_percentile_is_over_pairs_of_different_texts():
    graph = LABELS.graph(SIMILARITY, percentile=75)
    assert graph.threshold == pytest.approx(np.percentile([0.9, 0.5, 0.1, 0.7, 0.3], 75))
    assert set(edges(graph)) == {("a", "b"), ("b", "c")}
    assert LABELS.graph(SIMILARITY).threshold == pytest.approx(
        np.percentile([0.9, 0.5, 0.1, 0.7, 0.3], 83)
    )


def test_attraction_is_the_mean_over_pairs():
    graph = LABELS.graph(SIMILARITY, threshold=0.5)
    assert graph.attraction([2, 0, 1]) == pytest.approx(0.7)
    assert graph.attraction([3]) == 1
    with pytest.raises(InputError, match="0 and 3 of a unit are not joined"):
        graph.attraction([0, 3])


def test_the_similarities_of_edges_as_a_matrix():
    matrix = LABELS.graph(SIMILARITY, threshold=0.5).similarity.toarray()
    assert np.array_equal(matrix, matrix.T)
    assert matrix[0, 1] == pytest.approx(0.9)
    assert matrix[2, 3] == 0


def test_where_the_halves_differ_the_larger_value_counts():
    lopsided = SIMILARITY.copy()
    lopsided[1, 0] = 0.95
    assert edges(LABELS.graph(lopsided, threshold=0.5))["a", "b"] == pytest.approx(0.95)


def test_blocks_do_not_change_the_graph(monkeypatch):
    rng = np.random.default_rng(1)
    labels = random_labels(rng, texts=4, sentences=4)
    similarity = random_similarity(rng, labels.words)
    whole = labels.graph(similarity)
    monkeypatch.setattr(graph_module, "_BLOCK", 50)
    parts = labels.graph(similarity)
    assert whole.threshold == parts.threshold
    assert np.array_equal(whole.first, parts.first)
    assert np.array_equal(whole.second, parts.second)
    assert np.array_equal(whole.strength, parts.strength)


def vector_graph(labels, vectors, **options):
    return SegmentGraph.from_vectors(
        labels.text,
        labels.sentence,
        labels.segmentation,
        labels.segment,
        labels.words,
        vectors,
        **options,
    )


def test_vectors_are_compared_by_cosine():
    vectors = np.array([[2.0, 0.0], [3.0, 4.0], [0.0, 5.0], [0.0, 0.0]])
    graph = vector_graph(LABELS, vectors, threshold=0.0)
    assert edges(graph) == pytest.approx(
        {("a", "b"): 0.6, ("a", "c"): 0.0, ("b", "c"): 0.8, ("a", "d"): 0.0, ("b", "d"): 0.0}
    )


def test_vectors_and_their_cosines_give_the_same_graph():
    rng = np.random.default_rng(2)
    labels = random_labels(rng, texts=4, sentences=4)
    words = {word: rng.normal(size=8) for word in labels.words}
    vectors = np.array([words[word] for word in labels.words])
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    ours, theirs = vector_graph(labels, vectors), labels.graph(unit @ unit.T)
    assert ours.threshold == pytest.approx(theirs.threshold)
    assert np.array_equal(ours.first, theirs.first)
    assert np.array_equal(ours.second, theirs.second)
    assert ours.strength == pytest.approx(theirs.strength)


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_nodes_does_not_change_a_digit(seed):
    rng = np.random.default_rng(seed)
    labels = random_labels(rng, texts=4, sentences=4)
    words = {word: rng.normal(size=33).astype(np.float32) for word in labels.words}
    order, other = labels.shuffled(rng)
    graphs = [vector_graph(given, [words[w] for w in given.words]) for given in (labels, other)]
    assert graphs[0].threshold == graphs[1].threshold
    back = {int(node): place for place, node in enumerate(order)}
    moved = {
        tuple(sorted((back[int(a)], back[int(b)]))): s
        for a, b, s in zip(graphs[0].first, graphs[0].second, graphs[0].strength, strict=True)
    }
    found = zip(graphs[1].first.tolist(), graphs[1].second.tolist(), strict=True)
    assert dict(zip(found, graphs[1].strength, strict=True)) == moved


@pytest.mark.parametrize("nodes", [0, 3])
def test_a_single_text_has_no_edges(nodes):
    labels = Labels([0] * nodes, list(range(nodes)), [0] * nodes, [0] * nodes, ["a"] * nodes)
    graph = labels.graph(np.ones((nodes, nodes)))
    assert (len(graph), len(graph.first), graph.threshold) == (nodes, 0, 1)
    assert len(vector_graph(labels, np.ones((nodes, 2))).first) == 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"similarity": SIMILARITY[:3]}, "square matrix"),
        ({"text": [0, 1, 2]}, "one number for each of the 4 segments"),
        ({"sentence": [0, 1, 2, 2]}, "given twice"),
        ({"sentence": [0, 0, 2, 3], "segment": [0, 1, 0, 0]}, "in two texts"),
        ({"similarity": np.full((4, 4), np.nan)}, "between -1 and 1"),
        ({"similarity": SIMILARITY * 2}, "between -1 and 1"),
        ({"percentile": 101.0}, "between 0 and 100"),
    ],
)
def test_bad_input_is_one_clear_line(changes, message):
    given = {**vars(LABELS), "similarity": SIMILARITY, **changes}
    with pytest.raises(InputError, match=message):
        SegmentGraph.of(**given)


def test_as_many_vectors_as_segments():
    with pytest.raises(InputError, match="as many vectors"):
        vector_graph(LABELS, np.ones((3, 2)))
