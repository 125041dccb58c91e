"""Choose among candidates with a linear programme, by column generation.

The programme has two parts. *Columns* are the candidates: each adds 1 to the use of its pieces, 1
to the number of units of its weight and its value to the sum of values of its weight. A *frame*
has the variables for these totals and for the segmentations, all constraints and the objective.
Constraints and objective never mention candidates, so the programme can be solved with a few of
them: `relax` adds candidates that would improve the optimum until none is left.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import coo_array, csc_array, eye_array, hstack, vstack

from commonground.pyramid.builders.candidates import Candidates
from commonground.pyramid.builders.graph import Floats, Ints
from commonground.pyramid.builders.pieces import Pieces

# A constraint: coefficients by variable, and the upper limit of their sum.
Row = tuple[Mapping[int, float], float]

# Candidates added at once, besides the best for each piece.
_STEP: Final = 500
# Candidates considered for that.
_SHORT: Final = 20_000
# The solver works to an absolute 1e-6 or so; objectives are scaled up to make that 1e-9.
_SCALE: Final = 1e3
TOLERANCE: Final = 1e-7
# With more candidates the mixed-integer solver does not respect its time limit.
_MOST: Final = 20_000
_INFEASIBLE: Final = 2

# The type stubs lack sparse matrices here.
_linprog: Any = linprog


class Deadline:
    """A time limit."""

    def __init__(self, seconds: float) -> None:
        self._end = monotonic() + seconds

    def left(self) -> float:
        """Return the seconds left, at least 0."""
        return max(0.0, self._end - monotonic())


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Candidates with their values, as columns."""

    candidates: Candidates
    value: Floats
    pieces: int

    @property
    def weights(self) -> int:
        """Number of weights, from 2 up."""
        return int(self.candidates.members.shape[1]) - 1

    def matrix(self, chosen: Ints) -> csc_array:
        """Return the columns of some candidates: rows for pieces, numbers and values by weight."""
        members = self.candidates.members[chosen]
        real = members < self.pieces
        column = np.arange(len(chosen))
        number = self.pieces + self.candidates.weight[chosen] - 2
        rows = np.concatenate([members[real], number, number + self.weights])
        columns = np.concatenate([np.repeat(column, real.sum(axis=1)), column, column])
        entries = np.concatenate([np.ones(len(rows) - len(chosen)), self.value[chosen]])
        shape = (self.pieces + 2 * self.weights, len(chosen))
        return coo_array((entries, (rows, columns)), shape=shape).tocsc()

    def reduced(self, duals: Floats) -> Floats:
        """Return the reduced value of each candidate at these prices of the rows."""
        price = np.append(duals[: self.pieces], 0.0)
        number = self.pieces + self.candidates.weight - 2
        growth = duals[number] + self.value * duals[number + self.weights]
        for column in self.candidates.members.T:
            growth += price[column]
        return np.asarray(growth)


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """The programme without its candidates: rows @ variables <= limits.

    The variables, in order: the totals of the candidates, that is the use of each piece, then the
    number and the sum of values for each weight; the options of each sentence; then those that a
    builder adds.
    """

    pieces: int
    options: int
    weights: int
    rows: csc_array
    limits: Floats
    profit: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(cls, pieces: Pieces, weights: int, added: int = 0) -> "Frame":
        """Require an option for each piece used, and at most one option for each sentence."""
        options = sum(map(len, pieces.options))
        sums = len(pieces) + 2 * weights
        count = sums + options + added
        zeros = np.zeros(count)
        high = np.full(count, np.inf)
        high[sums : sums + options] = 1
        rows_of: list[dict[int, float]] = [{piece: 1.0} for piece in range(len(pieces))]
        rows: list[Row] = [(row, 0.0) for row in rows_of]
        variable = sums
        for of_sentence in pieces.options:
            rows.append(({variable + bit: 1.0 for bit in range(len(of_sentence))}, 1.0))
            for option in of_sentence:
                for piece in option.pieces:
                    rows_of[piece][variable] = -1.0
                variable += 1
        empty = csc_array((0, count))
        frame = cls(len(pieces), options, weights, empty, zeros[:0], zeros, zeros, high)
        return frame.constrained(rows)

    @property
    def sums(self) -> int:
        """Number of variables for totals; the options follow."""
        return self.pieces + 2 * self.weights

    @property
    def number(self) -> range:
        """The variables that count the units of each weight."""
        return range(self.pieces, self.pieces + self.weights)

    @property
    def value(self) -> range:
        """The variables that sum the values of the units of each weight."""
        return range(self.pieces + self.weights, self.sums)

    @property
    def added(self) -> int:
        """The first variable that a builder added."""
        return self.sums + self.options

    def constrained(self, rows: Sequence[Row]) -> "Frame":
        """Return the frame with more constraints."""
        row = np.repeat(np.arange(len(rows)), [len(entry) for entry, _ in rows])
        column = [variable for entry, _ in rows for variable in entry]
        values = [value for entry, _ in rows for value in entry.values()]
        shape = (len(rows), self.rows.shape[1])
        more = coo_array((values, (row, column)), shape=shape).tocsc()
        limits = np.array([limit for _, limit in rows], dtype=np.float64)
        return replace(
            self,
            rows=csc_array(vstack([self.rows, more])),
            limits=np.concatenate([self.limits, limits]),
        )

    def changed(self, **changes: Mapping[int, float]) -> "Frame":
        """Return the frame with other values of `profit`, `low` or `high` for some variables."""
        arrays = {}
        for name, entries in changes.items():
            arrays[name] = getattr(self, name).copy()
            arrays[name][list(entries)] = list(entries.values())
        return replace(self, **arrays)


@dataclass(frozen=True, slots=True, eq=False)
class Relaxed:
    """The optimum of the relaxation, where fractions of candidates may be chosen.

    Attributes:
        bound: Upper bound of the objective with whole candidates.
        share: The chosen fraction of each candidate.
        variables: The variables of the frame.
        reduced: A choice that contains the candidate is worth at most `bound` plus this.
    """

    bound: float
    share: Floats
    variables: Floats
    reduced: Floats


def relax(
    columns: Columns, frame: Frame, active: NDArray[np.bool_], deadline: Deadline
) -> Relaxed | None:
    """Solve the relaxation over all candidates; None if the time runs out.

    Args:
        columns: The candidates.
        frame: The rest of the programme; choosing no candidate must be feasible.
        active: Candidates to start with; those that enter are added in place.
        deadline: When to stop.
    """
    while deadline.left():
        chosen = np.flatnonzero(active)
        variables = frame.rows.shape[1]
        totals = hstack([columns.matrix(chosen), -eye_array(frame.sums, variables)])
        rows = hstack([csc_array((frame.rows.shape[0], len(chosen))), frame.rows])
        result = _linprog(
            -np.concatenate([np.zeros(len(chosen)), frame.profit]),
            A_ub=csc_array(rows),
            b_ub=frame.limits,
            A_eq=csc_array(totals),
            b_eq=np.zeros(frame.sums),
            bounds=np.column_stack(
                [
                    np.concatenate([np.zeros(len(chosen)), frame.low]),
                    np.concatenate([np.full(len(chosen), np.inf), frame.high]),
                ]
            ),
            method="highs",
            options={"time_limit": deadline.left()},
        )
        if result.status != 0:
            return None
        reduced = columns.reduced(result.eqlin.marginals)
        outside = np.where(active, -np.inf, reduced)
        if outside.max(initial=-np.inf) <= TOLERANCE / 10:
            share = np.zeros(len(columns.candidates))
            share[chosen] = result.x[: len(chosen)]
            # No packing has more units than half the pieces.
            slack = max(0.0, float(reduced.max(initial=0.0))) * frame.pieces / 2
            return Relaxed(-result.fun + slack, share, result.x[len(chosen) :], reduced)
        active[spread(columns, outside)] = True
    return None


def spread(columns: Columns, score: Floats) -> Ints:
    """Return the best candidates overall and the best for each piece, to try first."""
    short = min(_SHORT, len(score))
    order = np.sort(np.argpartition(-score, short - 1)[:short])
    order = order[np.argsort(-score[order], kind="stable")]
    best = np.full(columns.pieces + 1, short - 1)
    for column in columns.candidates.members[order].T:
        np.minimum.at(best, column, np.arange(short))
    return np.asarray(order[np.concatenate([best[:-1], np.arange(min(_STEP, short))])])


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """Whole candidates by index, the variables, and a bound of the objective.

    If the programme is infeasible, the bound is -inf and there are no candidates.
    """

    indices: Ints
    variables: Floats
    bound: float


def choose(
    columns: Columns,
    frame: Frame,
    indices: Ints,
    deadline: Deadline,
    cost: Floats | None = None,
) -> Chosen | None:
    """Choose the best whole candidates, or the best found in time; None if none was found.

    Args:
        columns: The candidates.
        frame: The rest of the programme.
        indices: The candidates to choose from.
        deadline: When to stop.
        cost: An extra cost of each of them.
    """
    if len(indices) > _MOST or not deadline.left():
        return None
    matrix = columns.matrix(indices)
    sums, pieces, count = frame.sums, frame.pieces, len(indices)
    # Numbers and values are written in terms of candidates, which leaves the solver integers only.
    totals = matrix[pieces:]
    profit = totals.T @ frame.profit[pieces:sums] - (0.0 if cost is None else cost)
    other = np.r_[0:pieces, sums : len(frame.profit)]
    integral = np.zeros(count + len(other), dtype=np.int64)
    integral[: count + pieces + frame.options] = 1
    number = list(frame.number)
    none = csc_array((len(number), len(other)))
    result = milp(
        -np.concatenate([profit, frame.profit[other]]) * _SCALE,
        integrality=integral,
        bounds=Bounds(
            np.concatenate([np.zeros(count), frame.low[other]]),
            np.concatenate([np.ones(count), frame.high[other]]),
        ),
        constraints=[
            LinearConstraint(hstack([on_candidates, on_variables], format="csc"), low, high)
            for on_candidates, on_variables, low, high in (
                (frame.rows[:, pieces:sums] @ totals, frame.rows[:, other], -np.inf, frame.limits),
                (matrix[:pieces], -eye_array(pieces, len(other)), 0, 0),
                (matrix[number], none, frame.low[number], frame.high[number]),
            )
        ],
        options={"mip_rel_gap": 0.0, "time_limit": deadline.left()},
    )
    if result.status == _INFEASIBLE:
        return Chosen(indices[:0], np.zeros(len(frame.profit)), -np.inf)
    if result.x is None:
        return None
    bound = np.inf if result.mip_dual_bound is None else -result.mip_dual_bound / _SCALE
    taken = result.x[:count] > 0.5
    variables = np.concatenate([matrix @ taken, result.x[count + pieces :]])
    return Chosen(indices[taken], variables, float(bound))
