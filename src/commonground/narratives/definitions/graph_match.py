"""Narratives as graphs, and their exact maximum common subgraph as an integer programme.

The smallest graph is the pattern. Its nodes are aligned one to one with nodes of every other graph.
An edge is common if every other graph has a matching edge between the aligned ends, and these edges
match each other. The programme maximises the number of common edges, then the match of the words.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import floor, inf
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import block_array, csr_array
from scipy.sparse.csgraph import connected_components

from commonground.narratives.conflicts.pair import same_verb
from commonground.narratives.definitions.things import Likeness, Thing, merged, same_thing
from commonground.narratives.definitions.triples import (
    Mention,
    ParsedSentence,
    Predicate,
    attached,
    triples,
)

MOST_VARIABLES = 20_000
"""Limit for a component; a single solver step on a larger one takes too long."""

MOST_STEPS = 100
"""Search nodes for a component. Narratives need one or two, even with 17,000 words."""

_SCALE = 1e3  # the solver's absolute tolerance is about 1e-6
_SOLVED = 0
_LIGHT = ("be", "have", "do")  # say nothing without a subject: "somebody has a car"

Name = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """An edge from subject to object, by node index or None, and the first sentence with it."""

    source: int | None
    predicate: Predicate
    target: int | None
    sentence: Mention


@dataclass(frozen=True, slots=True)
class NarrativeGraph:
    """Nodes and edges in canonical order."""

    nodes: tuple[Thing, ...]
    edges: tuple[GraphEdge, ...]


def build_graph(sentences: Iterable[ParsedSentence]) -> NarrativeGraph:
    """Build the graph of one narrative.

    All wordings of a thing are one node. An edge with a subject implies the edge without it: if
    the police closed a bridge, it was closed. An edge with a preposition implies the edge without
    its verb: a meeting held in a hall is a meeting in a hall. A negated edge implies neither.
    """
    stated = [
        (triple, sentence.whole)
        for sentence in sentences
        for triple in (*triples(sentence.doc), *attached(sentence.doc))
    ]
    full = merged(end for triple, _ in stated for end in (triple.subject, triple.object) if end)
    distinct = {node.key: node for node in full.values()}
    nodes = sorted(distinct.values(), key=lambda node: (repr(node.key), node.text))
    index_of = {node.key: index for index, node in enumerate(nodes)}
    edges: dict[tuple[int | None, Predicate, int | None], GraphEdge] = {}
    for triple, sentence in stated:
        source, target = (
            None if end is None else index_of[full[end.key].key]
            for end in (triple.subject, triple.object)
        )
        predicate = triple.predicate
        stated_edges = [(source, predicate, target)]
        if source is not None and target is not None and not predicate.negated:
            if predicate.preposition:
                stated_edges.append((source, Predicate("", predicate.preposition), target))
            elif predicate.verb not in _LIGHT:
                stated_edges.append((None, predicate, target))
        for edge in stated_edges:
            edges.setdefault(edge, GraphEdge(*edge, sentence))
    order = sorted(edges, key=lambda e: (none_first(e[0]), none_first(e[2]), str(e[1])))
    return NarrativeGraph(tuple(nodes), tuple(edges[edge] for edge in order))


def none_first(index: int | None) -> int:
    """Return a sort key for an index or None."""
    return -1 if index is None else index


class Fit:
    """Scores matches between graphs; all nouns and verbs are encoded once."""

    def __init__(self, graphs: Sequence[NarrativeGraph], encoder: str, threshold: float) -> None:
        nouns = [node.text for graph in graphs for node in graph.nodes if node.kind == "thing"]
        verbs = [edge.predicate.verb for graph in graphs for edge in graph.edges]
        self._nouns = Likeness(nouns, encoder, threshold)
        self._verbs = Likeness(verbs, encoder, threshold)

    def _node_score(self, left: Thing, right: Thing) -> float:
        if left.key == right.key:
            return 1.0
        return 0.95 if same_thing(left, right) else 0.9 * self._nouns.of_things(left, right)

    def edges(
        self, edge: GraphEdge, left: NarrativeGraph, other: GraphEdge, right: NarrativeGraph
    ) -> float:
        """Score the match of an edge of `left` with one of `right`; 0 if they cannot match."""
        first, second = edge.predicate, other.predicate
        if replace(first, verb="") != replace(second, verb=""):
            return 0.0
        related = first.verb != second.verb and same_verb(first.verb, second.verb)
        scores = [0.95 if related else self._verbs.of(first.verb, second.verb)]
        for ours, theirs in ((edge.source, other.source), (edge.target, other.target)):
            if (ours is None) != (theirs is None):
                return 0.0
            if ours is not None and theirs is not None:
                scores.append(self._node_score(left.nodes[ours], right.nodes[theirs]))
        return 0.0 if min(scores) == 0 else sum(scores) / len(scores)

    def candidates(self, left: NarrativeGraph, right: NarrativeGraph) -> list[dict[int, float]]:
        """Return, for each edge of `left`, the matching edges of `right` with their scores."""
        by_mark: defaultdict[str, list[int]] = defaultdict(list)
        for index, edge in enumerate(right.edges):
            for mark in self._marks(edge, right):
                by_mark[mark].append(index)
        candidates = []
        for edge in left.edges:
            near = sorted({index for mark in self._marks(edge, left) for index in by_mark[mark]})
            scores = {index: self.edges(edge, left, right.edges[index], right) for index in near}
            candidates.append({index: score for index, score in scores.items() if score > 0})
        return candidates

    def _marks(self, edge: GraphEdge, graph: NarrativeGraph) -> Iterable[str]:
        """Return index keys of the object, or else the subject; matching edges share one."""
        end = edge.source if edge.target is None else edge.target
        return () if end is None else self._nouns.thing_marks(graph.nodes[end])


@dataclass(frozen=True, slots=True)
class Matching:
    """Common edges.

    Attributes:
        edges: For each common edge, its index in every graph.
        missed: Upper bound of the common edges that were not found.
    """

    edges: tuple[tuple[int, ...], ...]
    missed: int


def match(graphs: Sequence[NarrativeGraph], fit: Fit, seconds: float | None = None) -> Matching:
    """Return the maximum common subgraph, or the best within the limits.

    The graphs must be in canonical order.
    """
    task = _Task(graphs, fit)
    chosen, bound = task.programme().solve(seconds)
    matches: dict[int, dict[int, int]] = {}
    for kind, e, *rest in chosen:
        if kind == "fit":
            k, f = rest
            matches.setdefault(e, {task.pattern: e})[k] = f
    edges = tuple(tuple(matches[e][k] for k in range(len(graphs))) for e in sorted(matches))
    return Matching(edges, max(0, bound - len(edges)))


class _Task:
    """The matches of the pattern's edges `e` with edges `f` of the other graphs `k`."""

    def __init__(self, graphs: Sequence[NarrativeGraph], fit: Fit) -> None:
        self._graphs = graphs
        self._fit = fit
        self._known: dict[tuple[int, int, int, int], bool] = {}
        self.pattern = min(range(len(graphs)), key=lambda k: len(graphs[k].edges))
        self._edges = graphs[self.pattern].edges
        self._others = [k for k in range(len(graphs)) if k != self.pattern]
        self._matches = {k: fit.candidates(graphs[self.pattern], graphs[k]) for k in self._others}
        for e in range(len(self._edges)):
            while self._drop(e):
                pass

    def programme(self) -> "Programme":
        programme = Programme()
        edges = [e for e in range(len(self._edges)) if self._matches[self._others[0]][e]]
        # The match of the words adds less than one edge in total.
        share = 0.5 / max(1, len(edges) * len(self._others))
        for e in edges:
            common = programme.variable(1.0, "edge", e)
            for k in self._others:
                fits = [
                    programme.variable(share * score, "fit", e, k, f, once=[("edge", k, f)])
                    for f, score in self._matches[k][e].items()
                ]
                programme.row(fits, [common], low=0)
                self._align(programme, e, k)
            for k in self._others:
                self._agree(programme, e, k)
        return programme

    def _drop(self, e: int) -> bool:
        """Drop matches without a match in some other graph; return whether there were any."""
        wrong = [
            (k, f)
            for k in self._others
            for f in self._matches[k][e]
            if not all(k == other or self._beside(e, k, f, other) for other in self._others)
        ]
        for k, f in wrong:
            del self._matches[k][e][f]
        return bool(wrong)

    def _beside(self, e: int, k: int, f: int, other: int) -> list[int]:
        """Return the matches of `e` in graph `other` that match edge `f` of graph `k`."""
        return [g for g in self._matches[other][e] if self._fits(*sorted([(k, f), (other, g)]))]

    def _fits(self, first: tuple[int, int], second: tuple[int, int]) -> bool:
        key = (*first, *second)
        if key not in self._known:
            left, right = self._graphs[first[0]], self._graphs[second[0]]
            score = self._fit.edges(left.edges[first[1]], left, right.edges[second[1]], right)
            self._known[key] = score > 0
        return self._known[key]

    def _align(self, programme: "Programme", e: int, k: int) -> None:
        """Require that the ends of a matched edge are aligned."""
        for end in ("source", "target"):
            node = getattr(self._edges[e], end)
            if node is None:
                continue
            by_node: defaultdict[int, list[int]] = defaultdict(list)
            for f in self._matches[k][e]:
                other = getattr(self._graphs[k].edges[f], end)
                by_node[other].append(programme.columns["fit", e, k, f])
            for other, fits in by_node.items():
                once = [("from", k, node), ("to", k, other)]
                programme.row(fits, [programme.variable(0.0, "node", k, node, other, once=once)])

    def _agree(self, programme: "Programme", e: int, k: int) -> None:
        """Require that the matches of an edge match each other."""
        for other in self._others:
            for f in self._matches[k][e] if other != k else ():
                beside = self._beside(e, k, f, other)
                if len(beside) < len(self._matches[other][e]):
                    fits = [programme.columns["fit", e, other, g] for g in beside]
                    programme.row([programme.columns["fit", e, k, f]], fits)


class Programme:
    """A 0-1 programme: variables with their worth, and constraints."""

    def __init__(self) -> None:
        self.columns: dict[Name, int] = {}
        self._worth: list[float] = []
        self._rows: list[tuple[Sequence[int], Sequence[int], float, float]] = []
        self._once: defaultdict[Name, list[int]] = defaultdict(list)

    def variable(self, worth: float, *name: Any, once: Iterable[Name] = ()) -> int:
        """Return the column of a variable, which is added if it is new.

        Of the variables with the same key in `once`, at most one is chosen.
        """
        column = self.columns.setdefault(name, len(self._worth))
        if column == len(self._worth):
            self._worth.append(worth)
            for key in once:
                self._once[key].append(column)
        return column

    def row(
        self, plus: Sequence[int], minus: Sequence[int], *, low: float = -inf, high: float = 0
    ) -> None:
        """Add the constraint low <= sum(plus) - sum(minus) <= high."""
        self._rows.append((plus, minus, low, high))

    def solve(self, seconds: float | None = None) -> tuple[list[Name], int]:
        """Maximise the worth; return the chosen variables and an upper bound of the objective.

        Connected components are solved separately, smallest first. Those left when the time is up
        contribute nothing but their bound.
        """
        if not self._worth:
            return [], 0
        deadline = inf if seconds is None else monotonic() + seconds
        once = [(columns, (), -inf, 1.0) for columns in self._once.values() if len(columns) > 1]
        constraints = [*self._rows, *once]
        entries = [
            (sign, row, column)
            for row, (plus, minus, _, _) in enumerate(constraints)
            for sign, columns in ((1.0, plus), (-1.0, minus))
            for column in columns
        ]
        values, *indices = zip(*entries, strict=True)
        matrix = csr_array((values, indices), shape=(len(constraints), len(self._worth)))
        limits = np.array([(low, high) for _, _, low, high in constraints])
        taken = np.zeros(len(self._worth), dtype=bool)
        bound = 0.0
        for rows, columns in _components(matrix):
            worth = np.array(self._worth)[columns]
            part = csr_array(matrix[rows][:, columns])
            taken[columns], most = _best(worth, part, limits[rows], deadline - monotonic())
            bound += most
        return [name for name, column in self.columns.items() if taken[column]], floor(bound + 1e-6)


def _components(matrix: Any) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return rows and columns of each connected component, smallest first."""
    joined = block_array([[None, matrix], [matrix.T, None]])
    count, labels = connected_components(joined, directed=False)
    rows, columns = np.split(labels, [matrix.shape[0]])
    parts = [
        (np.flatnonzero(rows == part), np.flatnonzero(columns == part)) for part in range(count)
    ]
    return sorted(parts, key=lambda part: (len(part[1]), part[1].tolist()))


def _best(
    worth: NDArray[np.float64], part: Any, limits: NDArray[np.float64], seconds: float
) -> tuple[NDArray[np.bool_], float]:
    """Return the best choice in a component and an upper bound of its worth."""
    nothing = np.zeros(len(worth), dtype=bool)
    if seconds <= 0 or len(worth) > MOST_VARIABLES:
        return nothing, float(worth.sum())
    result = milp(
        -worth * _SCALE,
        integrality=np.ones(len(worth), dtype=np.int64),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(part, limits[:, 0], limits[:, 1]),
        options={"mip_rel_gap": 0.0, "node_limit": MOST_STEPS, "time_limit": seconds},
    )
    chosen = nothing if result.x is None else np.asarray(result.x > 0.5)
    if result.status == _SOLVED:
        return chosen, float(worth[chosen].sum())
    least = result.mip_dual_bound
    return chosen, float(worth.sum() if least is None else min(worth.sum(), -least / _SCALE))
