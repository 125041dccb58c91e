"""WMIN: worked by hand, against its definition, and in any order."""

import numpy as np
import pytest

from commonground.errors import InputError
from commonground.pyramid.matching import Cut, Graph, Match, Matching, greedy, wmin, wmin_exact
from wmin_instances import THRESHOLD, instance


def cut(*texts, similarity):
    return Cut(texts, np.array(similarity, dtype=np.float64).reshape(len(texts), -1))


def test_the_segmentation_that_states_more_is_chosen():
    sentence = [
        cut("It rained and the river rose.", similarity=[[0.75, 0.625]]),
        cut("It rained", "the river rose.", similarity=[[0.875, 0.25], [0.25, 0.75]]),
    ]
    assert wmin([sentence], [3, 2], ["rain", "flood"], 0.5) == Matching(
        matches=(Match(0, 1, 0, 0, 0.875), Match(0, 1, 1, 1, 0.75)),
        segmentations=(1,),
        raw=5,
        unit_count=2,
    )


def test_greedy_choice_by_hand():
    # Nodes: sentence 0 with unit 0 (weight 4) or 1 (3); sentence 1 with unit 0 (4); sentence 2
    # with unit 1 (3). Weight / (degree + 1): 4/3, 3/3, 4/2, 3/2. The third goes first and removes
    # the first; of the other two, which exclude each other, 3/2 each, the more similar is left.
    summary = [
        [cut("a", similarity=[[0.75, 0.625]])],
        [cut("b", similarity=[[0.5, 0.0]])],
        [cut("c", similarity=[[0.0, 0.875]])],
    ]
    found = wmin(summary, [4, 3], ["one", "two"], 0.5)
    assert found.matches == (Match(1, 0, 0, 0, 0.5), Match(2, 0, 0, 1, 0.875))
    assert found.raw == 7
    assert found.unit_count == 3


def test_repeated_segment_counts_without_weight_and_spares_its_neighbour():
    # Both sentences say that it rained; each says something else besides.
    summary = [
        [cut("It rained", "the wind blew.", similarity=[[0.875, 0, 0], [0, 0.75, 0]])],
        [cut("It rained", "the river rose.", similarity=[[0.875, 0, 0], [0, 0, 0.75]])],
    ]
    found = wmin(summary, [3, 4, 2], ["rain", "wind", "flood"], 0.5)
    assert sorted(match.unit for match in found.matches) == [0, 1, 2]
    assert (found.raw, found.unit_count) == (9, 4)


def test_two_segments_of_a_sentence_state_a_unit_once():
    found = wmin([[cut("a", "b", similarity=[[0.75], [0.875]])]], [2], ["u"], 0.5)
    assert found.matches == (Match(0, 0, 1, 0, 0.875),)
    assert (found.raw, found.unit_count) == (2, 2)


def test_units_are_spread_over_segments_by_the_greatest_mean_similarity():
    # 0.9 + 0.5 < 0.8 + 0.75, though 0.9 is the greatest of all.
    similarity = [[0.9, 0.8], [0.75, 0.5]]
    found = wmin([[cut("a", "b", similarity=similarity)]], [1, 1], ["u", "v"], 0.5)
    assert [(match.segment, match.unit) for match in found.matches] == [(0, 1), (1, 0)]


def test_only_the_best_two_units_of_a_segment_are_considered():
    found = wmin([[cut("a", similarity=[[0.875, 0.75, 0.625]])]], [1, 2, 5], list("uvw"), 0.5)
    assert [match.unit for match in found.matches] == [1]


def test_the_threshold_itself_matches_and_less_does_not():
    for threshold in np.linspace(-1, 1, 201):
        assert wmin([[cut("a", similarity=[[threshold]])]], [1], ["u"], threshold).raw == 1
        below = threshold - 1e-6
        assert wmin([[cut("a", similarity=[[below]])]], [1], ["u"], threshold).raw == 0


def test_unmatched_sentence_counts_by_its_finest_segmentation():
    sentence = [
        cut("a b c", similarity=[[0.0]]),
        cut("a", "b", "c", similarity=[[0.0], [0.0], [0.0]]),
        cut("a b", "c", similarity=[[0.0], [0.0]]),
    ]
    assert wmin([sentence], [1], ["u"], 0.5) == Matching((), (1,), 0, 3)


def test_of_equals_the_more_similar_then_the_finer_then_the_first_text():
    def chosen(*cuts):
        return wmin([list(cuts)], [1], ["u"], 0.5).segmentations

    assert chosen(cut("a", "b", similarity=[[0.5], [0]]), cut("a b", similarity=[[0.75]])) == (1,)
    assert chosen(cut("a b", similarity=[[0.75]]), cut("a", "b", similarity=[[0.75], [0]])) == (1,)
    assert chosen(
        cut("a b", "c", similarity=[[0.75], [0]]), cut("a", "b c", similarity=[[0.75], [0]])
    ) == (1,)


def test_nothing_to_match():
    assert wmin([], [1], ["u"], 0.5) == Matching((), (), 0, 0)
    nothing = Cut(("a",), np.zeros((1, 0)))
    assert wmin([[nothing]], [], [], 0.5) == Matching((), (0,), 0, 1)


@pytest.mark.parametrize(
    ("summary", "weights", "labels", "message"),
    [
        ([], [1, 2], ["u"], "2 units have 1 labels"),
        ([], [0], ["u"], "at least 1, not 0"),
        ([[]], [1], ["u"], "sentence 1 has no segmentation"),
        ([[cut("a", similarity=[[0.5, 0.5]])]], [1], ["u"], r"shape \(1, 1\).* not of \(1, 2\)"),
        ([[cut("a", similarity=[[np.nan]])]], [1], ["u"], "finite"),
    ],
)
def test_wrong_input_is_named(summary, weights, labels, message):
    with pytest.raises(InputError, match=message):
        wmin(summary, weights, labels, 0.5)


def neighbours(nodes, place):
    """By the definition: the same sentence, or a unit in common."""
    units = {unit for unit in nodes[place].units if unit >= 0}
    return {
        other
        for other, node in enumerate(nodes)
        if other != place and (node.sentence == nodes[place].sentence or units & set(node.units))
    }


@pytest.mark.parametrize("seed", range(40))
def test_greedy_by_its_definition(seed):
    graph = Graph.of(*instance(seed, sentences=5, units=6), THRESHOLD)
    nodes = graph.nodes
    joined = [neighbours(nodes, place) for place in range(len(nodes))]
    left, expected = set(range(len(nodes))), []
    while left:
        best = max(left, key=lambda v: (nodes[v].weight / (len(joined[v] & left) + 1), -v))
        expected.append(best)
        left -= joined[best] | {best}
    assert greedy(graph) == expected
    # What Sakai et al. prove of it.
    promised = sum(node.weight / (len(joined[v]) + 1) for v, node in enumerate(nodes))
    assert sum(nodes[place].weight for place in expected) >= promised - 1e-9


def said(found, summary, labels):
    """A matching by content: what states what, and how every sentence was cut."""
    pairs = sorted(
        (summary[m.sentence][m.segmentation].texts[m.segment], labels[m.unit], m.similarity)
        for m in found.matches
    )
    cuts = sorted(
        cuts[place].texts for cuts, place in zip(summary, found.segmentations, strict=True)
    )
    return pairs, cuts, found.raw, found.unit_count


def shuffled(summary, weights, labels, rng):
    """The same in another order of sentences, segmentations and units."""
    units = rng.permutation(len(weights))
    mixed = [
        [Cut(cuts[place].texts, cuts[place].similarity[:, units]) for place in order]
        for cuts in (summary[place] for place in rng.permutation(len(summary)))
        for order in [rng.permutation(len(cuts))]
    ]
    return mixed, [weights[unit] for unit in units], [labels[unit] for unit in units]


@pytest.mark.parametrize("match", [wmin, wmin_exact])
@pytest.mark.parametrize("seed", range(30))
def test_order_never_matters(match, seed):
    # A coarse grid makes ties everywhere; the first sentence comes twice.
    summary, weights, labels = instance(seed, sentences=4, units=5, grid=0.25)
    given = ([*summary, summary[0]], weights, labels)
    mixed = shuffled(*given, np.random.default_rng(seed))
    first, second = match(*given, THRESHOLD), match(*mixed, THRESHOLD)
    assert said(first, given[0], labels) == said(second, mixed[0], mixed[2])


def test_a_sentence_of_many_segments_stays_small():
    rng = np.random.default_rng(0)
    clauses = Cut(tuple(f"clause {place}" for place in range(30)), rng.uniform(0.5, 1, (30, 40)))
    weights = [1 + place % 5 for place in range(40)]
    graph = Graph.of([[clauses]], weights, ["u"] * 40, 0.5)
    assert len(graph.nodes) == 81
    # A single sentence: its heaviest set.
    (place,) = greedy(graph)
    assert graph.nodes[place].weight == max(node.weight for node in graph.nodes)
