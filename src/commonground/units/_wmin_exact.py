"""The heaviest matching of a summary with a pyramid, proven; WMIN's exact twin."""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from commonground.errors import CommongroundError
from commonground.units._wmin_graph import Cut, Graph, Matching


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
