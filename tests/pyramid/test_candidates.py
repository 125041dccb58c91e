import numpy as np
import pytest

from commonground.pyramid.builders.candidates import all_cliques, grown_cliques
from commonground.pyramid.builders.pieces import pieces_of
from segment_graphs import Labels, cliques, random_graph

# A sentence in three segmentations, and another text with one segment.
SENTENCE = Labels(
    [0, 0, 0, 0, 0, 0, 1],
    [0, 0, 0, 0, 0, 0, 1],
    [0, 1, 1, 2, 2, 2, 0],
    [0, 0, 1, 0, 1, 2, 0],
    ["a b c", "a", "b c", "a", "b", "c", "z"],
)


def joined(*similarities):
    """The sentence's segments are similar to the other text's, and to nothing else."""
    matrix = np.eye(7)
    matrix[6, :6] = matrix[:6, 6] = similarities
    return matrix


def test_a_segment_that_segmentations_share_is_one_piece():
    pieces = pieces_of(SENTENCE.graph(joined(0.5, 0.6, 0.7, 0.6, 0.8, 0.9), threshold=0.1))
    assert len(pieces) == 6
    sentence = next(options for options in pieces.options if len(options) == 3)
    assert [option.nodes for option in sentence] == [(3, 4, 5), (1, 2), (0,)]
    assert sentence[0].pieces[0] == sentence[1].pieces[0]
    assert pieces.mask[sentence[0].pieces[0]] == 0b011
    assert pieces.coarseness[list(sentence[0].pieces)].tolist() == [0, 0, 0]
    assert pieces.coarseness[sentence[1].pieces[1]] == 1
    assert pieces.coarseness[sentence[2].pieces[0]] == 2


def test_the_same_words_with_other_similarities_stay_apart():
    pieces = pieces_of(SENTENCE.graph(joined(0.5, 0.6, 0.7, 0.65, 0.8, 0.9), threshold=0.1))
    assert len(pieces) == 7


def test_the_same_words_twice_in_a_segmentation_are_two_pieces():
    labels = Labels([0, 0, 1], [0, 0, 1], [0, 0, 0], [0, 1, 0], ["again", "again", "again"])
    pieces = pieces_of(labels.graph(np.ones((3, 3)), threshold=0.5))
    assert len(pieces) == 3
    assert len(pieces.keys) == 2


@pytest.mark.parametrize("seed", range(30))
def test_all_cliques_are_found_with_their_attraction(seed):
    rng = np.random.default_rng(seed)
    graph = random_graph(rng, texts=int(rng.integers(2, 6)), sentences=4, clauses=3)
    pieces = pieces_of(graph)
    node_piece = {}
    for options in pieces.options:
        for option in options:
            node_piece |= dict(zip(option.nodes, option.pieces, strict=True))
    expected = {
        tuple(sorted(node_piece[node] for node in unit)): graph.attraction(unit)
        for unit in cliques(graph)
    }
    found = all_cliques(pieces, 10**6)
    assert found.complete
    units = [found.unit(place) for place in range(len(found))]
    assert len(set(units)) == len(units)
    assert dict(zip(units, found.attraction.tolist(), strict=True)) == expected
    # Heaviest first, then strongest.
    order = list(zip((-found.weight).tolist(), (-found.attraction).tolist(), strict=True))
    assert order == sorted(order)
    for weight in (2, 3, 4, 9):
        places = found.of_weight(weight)
        assert [len(found.unit(place)) for place in places] == [weight] * len(places)
        assert len(places) == sum(len(unit) == weight for unit in units)


def test_more_cliques_than_the_limit_are_not_listed():
    pieces = pieces_of(random_graph(np.random.default_rng(0), texts=4, sentences=3))
    count = len(all_cliques(pieces, 10**6))
    assert len(all_cliques(pieces, count)) == count
    assert all_cliques(pieces, count - 1) is None
    assert all_cliques(pieces, 1) is None


@pytest.mark.parametrize("limit", [1, 20, 500])
@pytest.mark.parametrize("seed", range(10))
def test_a_choice_of_cliques_is_some_of_all(seed, limit):
    rng = np.random.default_rng(seed)
    pieces = pieces_of(random_graph(rng, texts=5, sentences=4, levels=5 if seed % 2 else None))
    every = all_cliques(pieces, 10**6)
    known = {every.unit(place): every.attraction[place] for place in range(len(every))}
    some = grown_cliques(pieces, limit)
    assert not some.complete
    units = [some.unit(place) for place in range(len(some))]
    assert len(set(units)) == len(units) > 0
    assert all(known[unit] == some.attraction[place] for place, unit in enumerate(units))


def test_the_choice_grows_from_the_strongest_edges():
    pieces = pieces_of(random_graph(np.random.default_rng(3), texts=5, sentences=4))
    every, some = all_cliques(pieces, 10**6), grown_cliques(pieces, 500)
    strongest = every.of_weight(2)[0]
    assert some.unit(some.of_weight(2)[0]) == every.unit(strongest)
    # It grew as far as it could: no clique of the choice that nothing of the choice extends is
    # extended by a single piece.
    units = {some.unit(place) for place in range(len(some))}
    larger = {every.unit(place) for place in range(len(every))}
    ends = [u for u in units if not any(set(u) < set(other) for other in units)]
    assert all(not any(set(end) < set(other) for other in larger) for end in ends)
