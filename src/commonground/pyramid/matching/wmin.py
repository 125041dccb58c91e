"""WMIN: the segments of a summary matched with units, greedily or proven.

The paper takes a greedy independent set of great weight (GWMIN of Sakai et al., 2003).
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from commonground.errors import CommongroundError
from commonground.pyramid.matching.graph import Cut, Graph, Matching

# Rows of the graph looked at in one go.
_BLOCK: Final = 2048


def wmin(
    sentences: Sequence[Sequence[Cut]],
    weights: Sequence[int],
    labels: Sequence[str],
    threshold: float,
) -> Matching:
    """Match the segments of a summary with the units of a pyramid, greedily.

    Again and again the node with the greatest weight / (degree + 1) is chosen and its neighbours
    are removed. Sentences, segmentations and units may come in any order.

    Args:
        sentences: For each sentence of the summary its alternative segmentations.
        weights: The weight of each unit.
        labels: A text for each unit, which settles ties.
        threshold: The least similarity that makes a match.

    Example:
        >>> whole = Cut(("It rained and the river rose.",), np.array([[0.6, 0.7]]))
        >>> split = Cut(("It rained", "the river rose."), np.array([[0.9, 0.1], [0.2, 0.8]]))
        >>> found = wmin([[whole, split]], [3, 2], ["rain", "flood"], 0.5)
        >>> found.raw, found.unit_count
        (5, 2)
    """
    graph = Graph.of(sentences, weights, labels, threshold)
    return graph.matching([graph.nodes[place] for place in greedy(graph)])


def greedy(graph: Graph) -> list[int]:
    """The places of the nodes that GWMIN chooses, in the order of choice."""
    weight = np.array([node.weight for node in graph.nodes], dtype=np.float64)
    edges = _Edges(graph)
    left = np.ones(len(weight), dtype=np.bool_)
    # Degree + 1, since a node counts as joined with itself.
    closed = edges.counts(left)
    chosen = []
    while left.any():
        places = np.flatnonzero(left)
        # Quotients of small whole numbers are equal or clearly different, and of equal ones
        # `argmax` takes the first: the nodes are in order of content.
        best = int(places[np.argmax(weight[places] / closed[places])])
        chosen.append(best)
        gone = left & edges.joined(np.array([best]))[0]
        closed -= edges.counts(gone)
        left &= ~gone
    return chosen


class _Edges:
    """Which nodes exclude each other, worked out as needed: a long text has many."""

    def __init__(self, graph: Graph) -> None:
        self._sentence = np.array([node.sentence for node in graph.nodes], dtype=np.int64)
        self._states = np.zeros((len(graph.nodes), len(graph.order)), dtype=np.float32)
        for place, node in enumerate(graph.nodes):
            self._states[place, [unit for unit in node.units if unit >= 0]] = 1

    def joined(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Rows x nodes; each node is joined with itself."""
        shared = self._states[rows] @ self._states.T > 0
        return np.asarray(shared | (self._sentence[rows, None] == self._sentence))

    def counts(self, others: NDArray[np.bool_]) -> NDArray[np.int64]:
        """For each node, how many of the others it is joined with."""
        found = np.zeros(len(self._sentence), dtype=np.int64)
        rows = np.flatnonzero(others)
        for start in range(0, len(rows), _BLOCK):
            found += self.joined(rows[start : start + _BLOCK]).sum(axis=0)
        return found


def wmin_exact(
    sentences: Sequence[Sequence[Cut]],
    weights: Sequence[int],
    labels: Sequence[str],
    threshold: float,
) -> Matching:
    """Match the segments of a summary with the units of a pyramid so that `raw` is greatest.

    It chooses among the same nodes as `wmin`, for comparison with it. Of equally heavy matchings
    it returns the one that the solver finds, which is the same for every order of the input.

    Args:
        sentences: For each sentence of the summary its alternative segmentations.
        weights: The weight of each unit.
        labels: A text for each unit, which settles ties.
        threshold: The least similarity that makes a match.
    """
    graph = Graph.of(sentences, weights, labels, threshold)
    return graph.matching([graph.nodes[place] for place in heaviest_set(graph)])


def heaviest_set(graph: Graph) -> list[int]:
    """The places of the nodes of an independent set of greatest weight."""
    if not graph.nodes:
        return []
    result = milp(
        -np.array([node.weight for node in graph.nodes], dtype=np.float64),
        integrality=np.ones(len(graph.nodes), dtype=np.int64),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(_groups(graph), -np.inf, 1),
        options={"mip_rel_gap": 0.0},
    )
    if result.status != 0:
        raise CommongroundError(f"the exact matching was not found: {result.message}")
    return [int(place) for place in np.flatnonzero(result.x > 0.5)]


def _groups(graph: Graph) -> csr_array:
    """Groups x nodes: of each sentence and of each unit's nodes, one at the most is chosen.

    That says the same as the edges, in fewer and tighter rows.
    """
    # Sentences in the order in which they occur among the nodes, which is one of content.
    occurring = dict.fromkeys(node.sentence for node in graph.nodes)
    sentences = {sentence: row for row, sentence in enumerate(occurring)}
    entries = [
        (row, column)
        for column, node in enumerate(graph.nodes)
        for row in (
            sentences[node.sentence],
            *(len(sentences) + unit for unit in node.units if unit >= 0),
        )
    ]
    rows, columns = zip(*entries, strict=True)
    shape = (len(sentences) + len(graph.order), len(graph.nodes))
    return csr_array((np.ones(len(entries)), (rows, columns)), shape=shape)
