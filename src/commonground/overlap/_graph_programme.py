"""Integer programmes over yes-or-no choices, solved part by part."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor, inf
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

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
