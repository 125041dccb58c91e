"""The maximum common subgraph of several graphs, exactly, as an integer programme.

One graph, the smallest, is the pattern. Every other graph gets an alignment: each node of the
pattern stands for at most one of its nodes and each of those for at most one of the pattern. An
edge is common if every other graph has an edge that fits it between the aligned ends, and these
fit each other pair by pair. The number of common edges is made as large as possible; among
alignments with as many, the one whose words fit best.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import floor, inf
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from commonground.narratives.definitions.narrative_graph import Fit, NarrativeGraph

MOST_VARIABLES = 20_000
"""Larger parts are not tried: a single step of the solver takes too long."""

MOST_STEPS = 100
"""Nodes of the search tree for a part. Narratives need one or two, even of 17,000 words."""

_SCALE = 1e3  # the solver works to an absolute 1e-6 or so
_SOLVED = 0

Name = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Solution:
    """What was chosen, by name, and a whole number that no choice can exceed in worth."""

    chosen: tuple[Name, ...]
    bound: int


class Programme:
    """Choices with their worth, and rows that limit them."""

    def __init__(self) -> None:
        self._places: dict[Name, int] = {}
        self._worth: list[float] = []
        self._rows: list[tuple[Sequence[int], Sequence[int], float, float]] = []

    def variable(self, worth: float, *name: Any) -> int:
        """The place of a choice, which is made if it is new."""
        place = self._places.setdefault(name, len(self._worth))
        if place == len(self._worth):
            self._worth.append(worth)
        return place

    def place(self, *name: Any) -> int:
        """The place of a choice that is there."""
        return self._places[name]

    def places(self) -> Iterable[tuple[Name, int]]:
        """All choices with their places."""
        return self._places.items()

    def row(
        self, plus: Sequence[int], minus: Sequence[int], low: float | None, high: float
    ) -> None:
        """How many of `plus` are chosen, less how many of `minus`, lies from `low` to `high`."""
        self._rows.append((plus, minus, -inf if low is None else low, high))

    def solve(self, seconds: float | None = None) -> Solution:
        """The most valuable choice; parts that no row connects are solved on their own.

        The smallest part goes first. What the time, if limited, does not suffice for stays
        unchosen.
        """
        if not self._worth:
            return Solution((), 0)
        deadline = inf if seconds is None else monotonic() + seconds
        matrix = self._matrix()
        limits = np.array([(low, high) for _, _, low, high in self._rows])
        taken = np.zeros(len(self._worth), dtype=bool)
        bound = 0.0
        for rows, columns in _parts(matrix):
            worth = np.array(self._worth)[columns]
            part = csr_array(matrix[rows][:, columns])
            chosen, most = _best(worth, part, limits[rows], deadline - monotonic())
            taken[columns] = chosen
            bound += most
        names = tuple(name for name, place in self._places.items() if taken[place])
        return Solution(names, floor(bound + 1e-6))

    def _matrix(self) -> Any:
        entries = [
            (number, place, sign)
            for number, (plus, minus, _, _) in enumerate(self._rows)
            for sign, places in ((1.0, plus), (-1.0, minus))
            for place in places
        ]
        rows, columns, values = zip(*entries, strict=True)
        shape = (len(self._rows), len(self._worth))
        return csr_array((values, (rows, columns)), shape=shape)


def _parts(matrix: Any) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Rows and columns that belong together, the smallest part first."""
    rows, columns = matrix.shape
    entries = matrix.tocoo()
    joined = csr_array(
        (np.ones(entries.nnz), (entries.row, rows + entries.col)),
        shape=(rows + columns, rows + columns),
    )
    count, part = connected_components(joined, directed=False)
    found = [
        (np.flatnonzero(part[:rows] == number), np.flatnonzero(part[rows:] == number))
        for number in range(count)
    ]
    return sorted(found, key=lambda one: (len(one[1]), one[1].tolist()))


def _best(
    worth: NDArray[np.float64], part: Any, limits: NDArray[np.float64], seconds: float
) -> tuple[NDArray[np.bool_], float]:
    """The best choice in a part, and what no choice in it can exceed."""
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
