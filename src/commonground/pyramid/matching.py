"""Match the segments of a summary with the content units of a pyramid, greedily or exactly.

A node of the graph is a segmentation of a sentence with a set of units for its segments. Nodes of
the same sentence exclude each other, and so do nodes that share a unit; an independent set is
therefore a matching. The paper (WMIN) finds a heavy one with GWMIN (Sakai et al., 2003).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from commonground.errors import CommongroundError, InputError
from commonground.pyramid.builders.graph import Floats, gridded

# Units considered for each segment.
_BEST: Final = 2
# Sets of units kept for each segmentation, heaviest first: all of them for up to four segments
# with two units each. Bounds the graph for very long sentences.
_SETS: Final = 81
# Rows of the adjacency matrix computed at once.
_BLOCK: Final = 2048


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """One segmentation of a sentence.

    Attributes:
        texts: The segments.
        similarity: Segments x units: mean similarity of the segment to the unit's contributors.
            It should depend on the words alone; the matching is then independent of the order of
            sentences, segmentations and units.
        deviation: Their standard deviation, which only the method `pyreval` needs.
    """

    texts: tuple[str, ...]
    similarity: Floats
    deviation: Floats | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """A segment that states a unit; both by index."""

    sentence: int
    segmentation: int
    segment: int
    unit: int
    similarity: float


@dataclass(frozen=True, slots=True)
class Matching:
    """The units of a pyramid that a summary states.

    Attributes:
        matches: In the order of the summary; no unit occurs twice.
        segmentations: The segmentation chosen for each sentence; the finest without a match.
        raw: Sum of the weights of the matched units.
        unit_count: Number of segments in the chosen segmentations, matched or not.
    """

    matches: tuple[Match, ...]
    segmentations: tuple[int, ...]
    raw: int
    unit_count: int


@dataclass(frozen=True, slots=True)
class Node:
    """A segmentation with one of the sets of units that its segments can state."""

    sentence: int  # index of the sentence
    segmentation: int  # index of the segmentation
    units: tuple[int, ...]  # for each segment the index of its unit in `Graph.order`; -1 for none
    weight: int  # sum of the weights of the units
    similarity: float  # sum of the similarities


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """The nodes of a summary."""

    sentences: Sequence[Sequence[Cut]]  # the segmentations of each sentence
    order: tuple[int, ...]  # unit indices, sorted by content
    # Nodes with at least one unit, sorted by preference: highest mean similarity, then finest
    # segmentation, then text.
    nodes: tuple[Node, ...]

    @classmethod
    def of(
        cls,
        sentences: Sequence[Sequence[Cut]],
        weights: Sequence[int],
        labels: Sequence[str],
        threshold: float,
    ) -> "Graph":
        """Build the graph of a summary; the input order does not change its matchings.

        Args:
            sentences: The alternative segmentations of each sentence.
            weights: The weight of each unit.
            labels: The label of each unit, which breaks ties.
            threshold: Minimum similarity of a match.
        """
        _check(sentences, weights, labels)
        cuts_of = [[Cut(cut.texts, gridded(cut.similarity)) for cut in cuts] for cuts in sentences]
        order = _unit_order(cuts_of, weights, labels)
        ordered = [weights[unit] for unit in order]
        threshold = float(gridded(np.array(threshold)))
        nodes = [
            Node(sentence, segmentation, *unit_set)
            for sentence, cuts in enumerate(cuts_of)
            for segmentation, cut in enumerate(cuts)
            for unit_set in _unit_sets(cut.similarity[:, order], ordered, threshold)
        ]
        nodes.sort(key=lambda node: _preference(cuts_of[node.sentence], node))
        return cls(cuts_of, order, tuple(nodes))

    def matching(self, chosen: Sequence[int]) -> Matching:
        """Return the matching of an independent set of nodes, given by index.

        Example:
            >>> whole = Cut(("It rained and the river rose.",), np.array([[0.6, 0.7]]))
            >>> split = Cut(("It rained", "the river rose."), np.array([[0.9, 0.1], [0.2, 0.8]]))
            >>> graph = Graph.of([[whole, split]], [3, 2], ["rain", "flood"], 0.5)
            >>> graph.matching(greedy(graph)).raw
            5
        """
        nodes = sorted((self.nodes[index] for index in chosen), key=lambda node: node.sentence)
        segmentations = [
            min(range(len(cuts)), key=lambda i: (-len(cuts[i].texts), cuts[i].texts))
            for cuts in self.sentences
        ]
        matches = []
        for node in nodes:
            segmentations[node.sentence] = node.segmentation
            similarity = self.sentences[node.sentence][node.segmentation].similarity
            for segment, position in enumerate(node.units):
                if position >= 0:
                    unit = self.order[position]
                    value = float(similarity[segment, unit])
                    matches.append(Match(node.sentence, node.segmentation, segment, unit, value))
        count = sum(
            len(cuts[i].texts) for cuts, i in zip(self.sentences, segmentations, strict=True)
        )
        raw = sum(node.weight for node in nodes)
        return Matching(tuple(matches), tuple(segmentations), raw, count)


def greedy(graph: Graph) -> list[int]:
    """Return the nodes that GWMIN chooses, by index, in the order of choice.

    Each step chooses the node with the greatest weight / (degree + 1) and removes its neighbours.
    """
    weight = np.array([node.weight for node in graph.nodes], dtype=np.float64)
    adjacency = _Adjacency(graph)
    left = np.ones(len(weight), dtype=np.bool_)
    # Degree + 1, since a node counts as its own neighbour.
    degree = adjacency.count(left)
    chosen = []
    while left.any():
        rest = np.flatnonzero(left)
        # Ratios of small integers are equal or clearly different; `argmax` returns the first of
        # equal ones, and the nodes are sorted by preference.
        best = int(rest[np.argmax(weight[rest] / degree[rest])])
        chosen.append(best)
        removed = left & adjacency.rows(np.array([best]))[0]
        degree -= adjacency.count(removed)
        left &= ~removed
    return chosen


class _Adjacency:
    """Which nodes exclude each other, computed in blocks: a long text has many edges."""

    def __init__(self, graph: Graph) -> None:
        self._sentence = np.array([node.sentence for node in graph.nodes], dtype=np.int64)
        self._states = np.zeros((len(graph.nodes), len(graph.order)), dtype=np.float32)
        for row, node in enumerate(graph.nodes):
            self._states[row, [unit for unit in node.units if unit >= 0]] = 1

    def rows(self, nodes: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return rows of the adjacency matrix, whose diagonal is true."""
        shared = self._states[nodes] @ self._states.T > 0
        return np.asarray(shared | (self._sentence[nodes, None] == self._sentence))

    def count(self, others: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Count the neighbours of each node among the others."""
        counts = np.zeros(len(self._sentence), dtype=np.int64)
        rows = np.flatnonzero(others)
        for start in range(0, len(rows), _BLOCK):
            counts += self.rows(rows[start : start + _BLOCK]).sum(axis=0)
        return counts


def heaviest(graph: Graph) -> list[int]:
    """Return an independent set of greatest weight, by index.

    Ties are left to the solver, whose choice does not depend on the input order either.
    """
    if not graph.nodes:
        return []
    result = milp(
        -np.array([node.weight for node in graph.nodes], dtype=np.float64),
        integrality=np.ones(len(graph.nodes), dtype=np.int64),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(_exclusive_groups(graph), -np.inf, 1),
        options={"mip_rel_gap": 0.0},
    )
    if result.status != 0:
        raise CommongroundError(f"the solver found no exact matching: {result.message}")
    return np.flatnonzero(result.x > 0.5).tolist()


MATCHERS: Final[dict[str, Callable[[Graph], list[int]]]] = {"wmin": greedy, "exact": heaviest}


def _exclusive_groups(graph: Graph) -> csr_array:
    """Return groups x nodes: at most one node is chosen for each sentence and each unit.

    Equivalent to one constraint for each edge, in fewer and tighter rows.
    """
    # Sentences are numbered in the order of the nodes, which depends on content alone.
    occurring = dict.fromkeys(node.sentence for node in graph.nodes)
    sentences = {sentence: row for row, sentence in enumerate(occurring)}
    entries = []
    for column, node in enumerate(graph.nodes):
        units = [len(sentences) + unit for unit in node.units if unit >= 0]
        entries += [(row, column) for row in (sentences[node.sentence], *units)]
    rows, columns = zip(*entries, strict=True)
    shape = (len(sentences) + len(graph.order), len(graph.nodes))
    return csr_array((np.ones(len(entries)), (rows, columns)), shape=shape)


def _check(
    sentences: Sequence[Sequence[Cut]], weights: Sequence[int], labels: Sequence[str]
) -> None:
    if len(labels) != len(weights):
        raise InputError(f"{len(weights)} units have {len(labels)} labels")
    if any(weight < 1 for weight in weights):
        raise InputError(f"the weight of a unit must be at least 1, not {min(weights)}")
    for number, cuts in enumerate(sentences, 1):
        if not cuts:
            raise InputError(f"sentence {number} has no segmentation")
        for cut in cuts:
            shape = (len(cut.texts), len(weights))
            if cut.similarity.shape != shape or not np.isfinite(cut.similarity).all():
                raise InputError(
                    f"sentence {number} needs finite similarities of shape {shape} "
                    f"(segments, units), not of {cut.similarity.shape}"
                )


def _unit_order(
    sentences: Sequence[Sequence[Cut]], weights: Sequence[int], labels: Sequence[str]
) -> tuple[int, ...]:
    """Sort units by weight and label, then by their similarities."""
    cuts = sorted((cut for cuts in sentences for cut in cuts), key=lambda cut: cut.texts)
    columns = np.vstack([np.zeros((0, len(weights))), *(cut.similarity for cut in cuts)]).T.tolist()
    units = range(len(weights))
    return tuple(sorted(units, key=lambda unit: (-weights[unit], labels[unit], columns[unit])))


def _unit_sets(
    similarity: Floats, weights: Sequence[int], threshold: float
) -> list[tuple[tuple[int, ...], int, float]]:
    """List the sets of units that the segments can state: unit of each segment, weight, similarity.

    A segment states one of its best units or none, so that a repeated segment does not keep its
    neighbours from counting. Of several assignments of a set, the most similar one is kept.
    """
    # By set: similarity, and the negated unit of each segment so that the first units win ties.
    sets: dict[frozenset[int], tuple[float, tuple[int, ...]]] = {frozenset(): (0.0, ())}
    for row in similarity:
        best = [unit for unit in np.argsort(-row, kind="stable")[:_BEST] if row[unit] >= threshold]
        longer: dict[frozenset[int], tuple[float, tuple[int, ...]]] = {}
        for units, (total, assigned) in sets.items():
            options = [(units, (total, (*assigned, 1)))]
            for unit in set(best) - units:
                value = total + float(row[unit]), (*assigned, -int(unit))
                options.append((units | {unit}, value))
            for key, value in options:
                longer[key] = max(value, longer.get(key, value))
        sets = longer
        if len(sets) > _SETS:
            by_weight = sorted(
                sets.items(), key=lambda item: (sum(weights[unit] for unit in item[0]), item[1])
            )
            sets = dict(by_weight[-_SETS:])
    return [
        (tuple(-unit for unit in assigned), sum(weights[unit] for unit in units), total)
        for units, (total, assigned) in sets.items()
        if units
    ]


def _preference(
    cuts: Sequence[Cut], node: Node
) -> tuple[float, int, tuple[str, ...], tuple[int, ...], list[tuple[str, ...]], int]:
    texts = cuts[node.segmentation].texts
    count = sum(unit >= 0 for unit in node.units)
    others = sorted(cut.texts for cut in cuts)
    # The sentence index comes last: it only separates sentences with identical words.
    return (-node.similarity / count, -len(texts), texts, node.units, others, node.sentence)
