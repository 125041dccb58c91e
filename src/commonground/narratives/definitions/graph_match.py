"""The exact maximum common subgraph of several graphs, as an integer programme.

The smallest graph is the pattern. Its nodes are aligned one to one with nodes of every other graph.
An edge is common if every other graph has a matching edge between the aligned ends, and these edges
match each other. The programme maximises the number of common edges, then the match of the words.
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
"""Limit for a component; a single solver step on a larger one takes too long."""

MOST_STEPS = 100
"""Search nodes for a component. Narratives need one or two, even with 17,000 words."""

_SCALE = 1e3  # the solver's absolute tolerance is about 1e-6
_SOLVED = 0

Name = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Solution:
    """The chosen variables by name, and an upper bound of the objective."""

    chosen: tuple[Name, ...]
    bound: int


class Programme:
    """A 0-1 programme: variables with their worth, and constraints."""

    def __init__(self) -> None:
        self._columns: dict[Name, int] = {}
        self._worth: list[float] = []
        self._rows: list[tuple[Sequence[int], Sequence[int], float, float]] = []

    def variable(self, worth: float, *name: Any) -> int:
        """Return the column of a variable, which is added if it is new."""
        column = self._columns.setdefault(name, len(self._worth))
        if column == len(self._worth):
            self._worth.append(worth)
        return column

    def column(self, *name: Any) -> int:
        """Return the column of an existing variable."""
        return self._columns[name]

    def columns(self) -> Iterable[tuple[Name, int]]:
        """Return all variables with their columns."""
        return self._columns.items()

    def row(
        self, plus: Sequence[int], minus: Sequence[int], low: float | None, high: float
    ) -> None:
        """Add the constraint low <= sum(plus) - sum(minus) <= high."""
        self._rows.append((plus, minus, -inf if low is None else low, high))

    def solve(self, seconds: float | None = None) -> Solution:
        """Maximise the worth; connected components are solved separately, smallest first.

        Components left when the time is up contribute nothing but their bound.
        """
        if not self._worth:
            return Solution((), 0)
        deadline = inf if seconds is None else monotonic() + seconds
        matrix = self._matrix()
        limits = np.array([(low, high) for _, _, low, high in self._rows])
        taken = np.zeros(len(self._worth), dtype=bool)
        bound = 0.0
        for rows, columns in _components(matrix):
            worth = np.array(self._worth)[columns]
            part = csr_array(matrix[rows][:, columns])
            taken[columns], most = _best(worth, part, limits[rows], deadline - monotonic())
            bound += most
        names = tuple(name for name, column in self._columns.items() if taken[column])
        return Solution(names, floor(bound + 1e-6))

    def _matrix(self) -> Any:
        entries = [
            (row, column, sign)
            for row, (plus, minus, _, _) in enumerate(self._rows)
            for sign, columns in ((1.0, plus), (-1.0, minus))
            for column in columns
        ]
        rows, columns, values = zip(*entries, strict=True)
        shape = (len(self._rows), len(self._worth))
        return csr_array((values, (rows, columns)), shape=shape)


def _components(matrix: Any) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return rows and columns of each connected component, smallest first."""
    rows, columns = matrix.shape
    entries = matrix.tocoo()
    joined = csr_array(
        (np.ones(entries.nnz), (entries.row, rows + entries.col)),
        shape=(rows + columns, rows + columns),
    )
    count, labels = connected_components(joined, directed=False)
    components = [
        (np.flatnonzero(labels[:rows] == label), np.flatnonzero(labels[rows:] == label))
        for label in range(count)
    ]
    return sorted(components, key=lambda part: (len(part[1]), part[1].tolist()))


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


_Edges = list[dict[int, float]]  # for each edge of the pattern, the matches in another graph


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
    pattern = min(range(len(graphs)), key=lambda index: len(graphs[index].edges))
    others = [index for index in range(len(graphs)) if index != pattern]
    task = _Task(graphs, pattern, others, fit, {})
    solution = _programme(task, _possible(task)).solve(seconds)
    found: dict[int, dict[int, int]] = {}
    for kind, e, *rest in solution.chosen:
        if kind == "fit":
            k, f = rest
            found.setdefault(e, {pattern: e})[k] = f
    edges = tuple(tuple(found[e][k] for k in range(len(graphs))) for e in sorted(found))
    return Matching(edges, max(0, solution.bound - len(edges)))


@dataclass(frozen=True, slots=True, eq=False)
class _Task:
    """The graphs, the index of the pattern, the indices of the others, and cached matches."""

    graphs: Sequence[NarrativeGraph]
    pattern: int
    others: Sequence[int]
    fit: Fit
    known: dict[tuple[int, int, int, int], bool]

    def beside(self, one: int, f: int, other: int, edges: Mapping[int, float]) -> list[int]:
        """Return the edges of graph `other` that match edge `f` of graph `one`."""
        return [g for g in edges if self._fits(one, f, other, g)]

    def _fits(self, one: int, f: int, other: int, g: int) -> bool:
        key = (one, f, other, g) if one < other else (other, g, one, f)
        if key not in self.known:
            here, e, there, h = key
            left, right = self.graphs[here], self.graphs[there]
            self.known[key] = self.fit.edges(left.edges[e], left, right.edges[h], right) > 0
        return self.known[key]


def _possible(task: _Task) -> dict[int, _Edges]:
    """Return the edges that have a match in every graph, and matches that match each other."""
    pattern = task.graphs[task.pattern]
    candidates = {k: task.fit.candidates(pattern, task.graphs[k]) for k in task.others}
    for e in range(len(pattern.edges)):
        while _drop(task, {k: candidates[k][e] for k in task.others}):
            pass
    return candidates


def _drop(task: _Task, edges: Mapping[int, dict[int, float]]) -> bool:
    """Drop candidates without a match in some graph; return whether there were any."""
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
    # The match of the words adds less than one edge in total.
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
    """Require that the ends of a matched edge are aligned."""
    edge, graph = task.graphs[task.pattern].edges[e], task.graphs[k]
    for end in ("source", "target"):
        node = getattr(edge, end)
        if node is None:
            continue
        by_node: defaultdict[int, list[int]] = defaultdict(list)
        for f in edges:
            by_node[getattr(graph.edges[f], end)].append(programme.column("fit", e, k, f))
        for other, fits in by_node.items():
            aligned = programme.variable(0.0, "node", k, node, other)
            programme.row(fits, [aligned], None, 0)


def _pairwise(
    programme: Programme, task: _Task, e: int, k: int, candidates: Mapping[int, _Edges]
) -> None:
    """Require that the matches of an edge match each other."""
    for other in task.others:
        if other == k:
            continue
        every = candidates[other][e]
        for f in candidates[k][e]:
            beside = task.beside(k, f, other, every)
            if len(beside) < len(every):
                fits = [programme.column("fit", e, other, g) for g in beside]
                programme.row([programme.column("fit", e, k, f)], fits, None, 0)


def _one_each(programme: Programme) -> None:
    """Require that alignments and matches are one to one."""
    once: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
    for (kind, *name), column in programme.columns():
        if kind == "node":
            k, node, other = name
            once["from", k, node].append(column)
            once["to", k, other].append(column)
        elif kind == "fit":
            _, k, f = name
            once["edge", k, f].append(column)
    for columns in once.values():
        if len(columns) > 1:
            programme.row(columns, [], None, 1)
