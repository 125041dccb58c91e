"""Choosing among candidates as a linear programme, however many candidates there are.

Two parts. *Columns* are the candidates: each adds 1 to the use of its pieces, 1 to the number of
units of its weight and its value to the sum of values of its weight. A *frame* holds the
variables for these three and for the segmentations of the sentences, with all constraints and
what is maximised. So a constraint or an objective never speaks of candidates, and the programme
can be solved with a few of them in it: `relax` adds those that would improve the optimum until
none does, and then knows the optimum over all.
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

# A constraint: coefficients by variable, and what their sum may be at most.
Row = tuple[Mapping[int, float], float]


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Candidates with their values, as columns."""

    candidates: Candidates
    value: Floats
    pieces: int

    @property
    def weights(self) -> int:
        """How many weights there are, from 2 up."""
        return int(self.candidates.members.shape[1]) - 1

    def matrix(self, places: Ints) -> csc_array:
        """The columns of some candidates: rows for pieces, numbers and values by weight."""
        members = self.candidates.members[places]
        real = members < self.pieces
        column = np.arange(len(places))
        kind = self.pieces + self.candidates.weight[places] - 2
        rows = np.concatenate([members[real], kind, kind + self.weights])
        columns = np.concatenate([np.repeat(column, real.sum(axis=1)), column, column])
        ones = np.ones(len(rows) - len(places))
        entries = np.concatenate([ones, self.value[places]])
        shape = (self.pieces + 2 * self.weights, len(places))
        return coo_array((entries, (rows, columns)), shape=shape).tocsc()

    def reduced(self, duals: Floats) -> Floats:
        """How fast the objective would grow with each candidate, at these prices of the rows."""
        price = np.append(duals[: self.pieces], 0.0)
        kind = self.pieces + self.candidates.weight - 2
        growth = duals[kind] + self.value * duals[kind + self.weights]
        for column in self.candidates.members.T:
            growth += price[column]
        return np.asarray(growth)


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """Variables and constraints besides the candidates: rows @ variables <= limits.

    The variables, in order: what candidates add up to, that is the use of each piece and the
    number and the sum of values for each weight; the options of each sentence; and then whatever
    a builder adds.
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
        """What holds for all builders: a piece needs an option, a sentence has one at most."""
        options = sum(map(len, pieces.options))
        sums = len(pieces) + 2 * weights
        count = sums + options + added
        empty = csc_array((0, count))
        zeros = np.zeros(count)
        high = np.full(count, np.inf)
        high[sums : sums + options] = 1
        frame = cls(len(pieces), options, weights, empty, zeros[:0], zeros, zeros, high)
        needs: list[dict[int, float]] = [{piece: 1.0} for piece in range(len(pieces))]
        rows: list[Row] = [(need, 0.0) for need in needs]
        option = sums
        for of_sentence in pieces.options:
            rows.append(({option + bit: 1.0 for bit in range(len(of_sentence))}, 1.0))
            for one in of_sentence:
                for piece in one.pieces:
                    needs[piece][option] = -1.0
                option += 1
        return frame.constrained(rows)

    @property
    def sums(self) -> int:
        """How many variables are what candidates add up to; the options come next."""
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
        """With more constraints."""
        row = np.repeat(np.arange(len(rows)), [len(entry) for entry, _ in rows])
        column = [place for entry, _ in rows for place in entry]
        values = [value for entry, _ in rows for value in entry.values()]
        shape = (len(rows), self.rows.shape[1])
        more = coo_array((values, (row, column)), shape=shape).tocsc()
        limits = np.array([limit for _, limit in rows], dtype=np.float64)
        return replace(
            self,
            rows=csc_array(vstack([self.rows, more])),
            limits=np.concatenate([self.limits, limits]),
        )

    def changed(
        self,
        profit: Mapping[int, float] | None = None,
        low: Mapping[int, float] | None = None,
        high: Mapping[int, float] | None = None,
    ) -> "Frame":
        """With other profits and bounds for some variables."""
        parts = []
        for given, changes in ((self.profit, profit), (self.low, low), (self.high, high)):
            array = given.copy()
            array[list(changes or {})] = list((changes or {}).values())
            parts.append(array)
        return replace(self, profit=parts[0], low=parts[1], high=parts[2])

    def linked(self, columns: Columns, places: Ints) -> csc_array:
        """The equations between candidates and variables: what candidates add up to, is."""
        less = -eye_array(self.sums, self.rows.shape[1])
        return csc_array(hstack([columns.matrix(places), less]))

    def apart(self, places: Ints) -> csc_array:
        """The rows, with room for candidates before the variables."""
        room = csc_array((self.rows.shape[0], len(places)))
        return csc_array(hstack([room, self.rows]))


# Candidates that enter at once, besides the best for each piece.
_STEP: Final = 500
# Candidates looked at for that.
_SHORT: Final = 20_000
# The solver works to an absolute 1e-6 or so; objectives are scaled up to make that 1e-9.
_SCALE: Final = 1e3
TOLERANCE: Final = 1e-7
# With more candidates than this the mixed-integer solver does not even keep to its time.
_MOST: Final = 20_000
_INFEASIBLE: Final = 2

# The type stubs know of no sparse matrices here.
_linprog: Any = linprog


class Deadline:
    """How much time is left."""

    def __init__(self, seconds: float) -> None:
        self._end = monotonic() + seconds

    def left(self) -> float:
        """Seconds left, 0 at the least."""
        return max(0.0, self._end - monotonic())


@dataclass(frozen=True, slots=True, eq=False)
class Relaxed:
    """The optimum where candidates may be chosen in parts.

    Attributes:
        bound: No choice of whole candidates has a greater objective.
        share: How much of each candidate is chosen.
        variables: The variables of the frame.
        reduced: A choice with this candidate in it is worth at most `bound` plus this.
    """

    bound: float
    share: Floats
    variables: Floats
    reduced: Floats


def relax(
    columns: Columns, frame: Frame, active: NDArray[np.bool_], deadline: Deadline
) -> Relaxed | None:
    """Solve the relaxation over all candidates; nothing if the time is over before.

    Args:
        columns: The candidates.
        frame: The rest; it must allow to choose none.
        active: Which candidates to begin with; those that entered are added.
        deadline: When to stop.
    """
    while deadline.left():
        places = np.flatnonzero(active)
        result = _linprog(
            -np.concatenate([np.zeros(len(places)), frame.profit]),
            A_ub=frame.apart(places),
            b_ub=frame.limits,
            A_eq=frame.linked(columns, places),
            b_eq=np.zeros(frame.sums),
            bounds=np.column_stack(
                [
                    np.concatenate([np.zeros(len(places)), frame.low]),
                    np.concatenate([np.full(len(places), np.inf), frame.high]),
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
            return _relaxed(columns, frame, places, result, reduced)
        active[spread(columns, outside)] = True
    return None


def spread(columns: Columns, score: Floats) -> Ints:
    """The best candidates of all and the best for each piece: what is worth trying first."""
    short = min(_SHORT, len(score))
    order = np.sort(np.argpartition(-score, short - 1)[:short])
    order = order[np.argsort(-score[order], kind="stable")]
    best = np.full(columns.pieces + 1, short - 1)
    for column in columns.candidates.members[order].T:
        np.minimum.at(best, column, np.arange(short))
    return np.asarray(order[np.concatenate([best[:-1], np.arange(min(_STEP, short))])])


def _relaxed(columns: Columns, frame: Frame, places: Ints, result: Any, reduced: Floats) -> Relaxed:
    share = np.zeros(len(columns.candidates))
    share[places] = result.x[: len(places)]
    # No packing has more units than half the pieces.
    slack = max(0.0, float(reduced.max(initial=0.0))) * frame.pieces / 2
    return Relaxed(-result.fun + slack, share, result.x[len(places) :], reduced)


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """Whole candidates: their places, the variables, and a bound on the objective.

    The bound is minus infinity, and there are no candidates, where no choice is possible.
    """

    places: Ints
    variables: Floats
    bound: float


def choose(
    columns: Columns,
    frame: Frame,
    places: Ints,
    deadline: Deadline,
    cost: Floats | None = None,
) -> Chosen | None:
    """The best choice of whole candidates, or the best found; nothing if none was found in time.

    Args:
        columns: The candidates.
        frame: The rest.
        places: The candidates to choose from.
        deadline: When to stop.
        cost: What each of them costs besides.
    """
    if len(places) > _MOST or not deadline.left():
        return None
    matrix = columns.matrix(places)
    sums, pieces = frame.sums, frame.pieces
    # Numbers and values are put in terms of candidates: the solver then sees whole numbers only.
    totals = matrix[pieces:]
    profit = totals.T @ frame.profit[pieces:sums] - (0.0 if cost is None else cost)
    other = np.r_[0:pieces, sums : len(frame.profit)]
    whole = np.zeros(len(places) + len(other), dtype=np.int64)
    whole[: len(places) + pieces + frame.options] = 1
    number = list(frame.number)
    result = milp(
        -np.concatenate([profit, frame.profit[other]]) * _SCALE,
        integrality=whole,
        bounds=Bounds(
            np.concatenate([np.zeros(len(places)), frame.low[other]]),
            np.concatenate([np.ones(len(places)), frame.high[other]]),
        ),
        constraints=[
            _constraint(
                frame.rows[:, pieces:sums] @ totals, frame.rows[:, other], -np.inf, frame.limits
            ),
            _constraint(matrix[:pieces], -eye_array(pieces, len(other)), 0, 0),
            _constraint(
                matrix[number],
                csc_array((len(number), len(other))),
                frame.low[number],
                frame.high[number],
            ),
        ],
        options={"mip_rel_gap": 0.0, "time_limit": deadline.left()},
    )
    if result.status == _INFEASIBLE:
        return Chosen(places[:0], np.zeros(len(frame.profit)), -np.inf)
    if result.x is None:
        return None
    bound = np.inf if result.mip_dual_bound is None else -result.mip_dual_bound / _SCALE
    taken = result.x[: len(places)] > 0.5
    variables = np.concatenate([matrix @ taken, result.x[len(places) + pieces :]])
    return Chosen(places[taken], variables, float(bound))


def _constraint(candidates: Any, variables: Any, low: Any, high: Any) -> LinearConstraint:
    return LinearConstraint(hstack([candidates, variables], format="csc"), low, high)
