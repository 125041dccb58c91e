"""Linear programmes over candidates: relaxed, with candidates entering as needed, and whole."""

from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import csc_array, eye_array, hstack

from commonground.units._frame import Columns, Frame
from commonground.units._graph import Floats, Ints

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
