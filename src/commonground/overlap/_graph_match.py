"""The maximum common subgraph of several graphs, exactly, as an integer programme.

One graph, the smallest, is the pattern. Every other graph gets an alignment: each node of the
pattern stands for at most one of its nodes and each of those for at most one of the pattern. An
edge is common if every other graph has an edge that fits it between the aligned ends, and these
fit each other pair by pair. The number of common edges is made as large as possible; among
alignments with as many, the one whose words fit best.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from commonground.overlap._graph_build import NarrativeGraph
from commonground.overlap._graph_fit import Fit
from commonground.overlap._graph_programme import Programme

_Edges = list[dict[int, float]]  # for each edge of the pattern, those of another graph that fit


@dataclass(frozen=True, slots=True)
class Matching:
    """Common edges.

    Attributes:
        edges: For each common edge its number in every graph.
        missed: No alignment has more common edges than these and so many more.
    """

    edges: tuple[tuple[int, ...], ...]
    missed: int


def match(graphs: Sequence[NarrativeGraph], fit: Fit, seconds: float | None = None) -> Matching:
    """The maximum common subgraph, or the best found within the limits.

    The graphs come in an order that does not depend on the caller.
    """
    pattern = min(range(len(graphs)), key=lambda place: len(graphs[place].edges))
    others = [place for place in range(len(graphs)) if place != pattern]
    task = _Task(graphs, pattern, others, fit, {})
    candidates = _possible(task)
    programme = _programme(task, candidates)
    solution = programme.solve(seconds)
    found: dict[int, dict[int, int]] = {}
    for kind, e, *rest in solution.chosen:
        if kind == "fit":
            k, f = rest
            found.setdefault(e, {pattern: e})[k] = f
    edges = tuple(tuple(found[e][k] for k in range(len(graphs))) for e in sorted(found))
    return Matching(edges, max(0, solution.bound - len(edges)))


@dataclass(frozen=True, slots=True, eq=False)
class _Task:
    """The graphs, which of them is the pattern and which are the others, and what is known."""

    graphs: Sequence[NarrativeGraph]
    pattern: int
    others: Sequence[int]
    fit: Fit
    known: dict[tuple[int, int, int, int], bool]

    def beside(self, one: int, f: int, other: int, edges: Mapping[int, float]) -> list[int]:
        """Those edges of graph `other` that fit edge `f` of graph `one`."""
        return [g for g in edges if self._fits(one, f, other, g)]

    def _fits(self, one: int, f: int, other: int, g: int) -> bool:
        # Asked from both sides, and again whenever candidates were dropped.
        key = (one, f, other, g) if one < other else (other, g, one, f)
        if key not in self.known:
            here, e, there, h = key
            left, right = self.graphs[here], self.graphs[there]
            self.known[key] = self.fit.edges(left.edges[e], left, right.edges[h], right) > 0
        return self.known[key]


def _possible(task: _Task) -> dict[int, _Edges]:
    """The edges that can be matched at all: in every graph, and with each other."""
    pattern = task.graphs[task.pattern]
    candidates = {k: task.fit.candidates(pattern, task.graphs[k]) for k in task.others}
    for e in range(len(pattern.edges)):
        while _drop(task, {k: candidates[k][e] for k in task.others}):
            pass
    return candidates


def _drop(task: _Task, edges: Mapping[int, dict[int, float]]) -> bool:
    """Drop candidates that some graph has nothing to set beside; say whether there were any."""
    wrong = [
        (k, f)
        for k in task.others
        for f in edges[k]
        if not all(k == other or task.beside(k, f, other, edges[other]) for other in task.others)
    ]
    for k, f in wrong:
        del edges[k][f]
    return bool(wrong)


def _programme(task: _Task, candidates: Mapping[int, _Edges]) -> Programme:
    pattern = task.graphs[task.pattern]
    programme = Programme()
    edges = [e for e in range(len(pattern.edges)) if candidates[task.others[0]][e]]
    # All that the fit of words can add stays below one edge.
    share = 0.5 / max(1, len(edges) * len(task.others))
    for e in edges:
        common = programme.variable(1.0, "edge", e)
        for k in task.others:
            fits = [
                programme.variable(share * worth, "fit", e, k, f)
                for f, worth in candidates[k][e].items()
            ]
            programme.row(fits, [common], 0, 0)
            _align(programme, task, e, k, candidates[k][e])
        for k in task.others:
            _pairwise(programme, task, e, k, candidates)
    _one_each(programme)
    return programme


def _align(programme: Programme, task: _Task, e: int, k: int, edges: Mapping[int, float]) -> None:
    """An edge fits only where its ends are aligned."""
    edge, graph = task.graphs[task.pattern].edges[e], task.graphs[k]
    for end in ("source", "target"):
        node = getattr(edge, end)
        if node is None:
            continue
        by_node: defaultdict[int, list[int]] = defaultdict(list)
        for f in edges:
            by_node[getattr(graph.edges[f], end)].append(programme.place("fit", e, k, f))
        for other, fits in by_node.items():
            aligned = programme.variable(0.0, "node", k, node, other)
            programme.row(fits, [aligned], None, 0)


def _pairwise(
    programme: Programme, task: _Task, e: int, k: int, candidates: Mapping[int, _Edges]
) -> None:
    """The edges that stand for one edge of the pattern fit each other."""
    for other in task.others:
        if other == k:
            continue
        every = candidates[other][e]
        for f in candidates[k][e]:
            beside = task.beside(k, f, other, every)
            if len(beside) < len(every):
                places = [programme.place("fit", e, other, g) for g in beside]
                programme.row([programme.place("fit", e, k, f)], places, None, 0)


def _one_each(programme: Programme) -> None:
    """A node is aligned with one node at most, and an edge stands for one edge at most."""
    once: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
    for (kind, *name), place in programme.places():
        if kind == "node":
            k, node, other = name
            once["from", k, node].append(place)
            once["to", k, other].append(place)
        elif kind == "fit":
            _, k, f = name
            once["edge", k, f].append(place)
    for places in once.values():
        if len(places) > 1:
            programme.row(places, [], None, 1)
