"""Find the compatible candidates with the greatest total value, with proof.

On such graphs the solution of the relaxation is nearly integral. A candidate whose reduced value
is further below zero than the best choice so far is below the bound cannot be in a better one. The
few that remain go to a mixed-integer solver.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

import numpy as np

from commonground.pyramid.builders.candidates import Candidates
from commonground.pyramid.builders.graph import Floats, Ints
from commonground.pyramid.builders.pieces import Board, Pieces
from commonground.pyramid.builders.programme import (
    TOLERANCE,
    Chosen,
    Columns,
    Deadline,
    Frame,
    Relaxed,
    choose,
    relax,
    spread,
)

# Totals this close are equal.
SAME: Final = 1e-8
# Candidates in the first attempt at a proof.
_NEAREST: Final = 500


@dataclass(frozen=True, slots=True)
class Packing:
    """Compatible candidates by index, their total value and its upper bound."""

    indices: tuple[int, ...]
    value: float
    bound: float


def pack(
    pieces: Pieces,
    candidates: Candidates,
    value: Floats,
    deadline: Deadline,
    *,
    one_a_weight: bool = False,
) -> Packing:
    """Choose the compatible candidates with the greatest total value, or the best found in time.

    Ties go to the finest segmentations, then to the first candidates (least sum of indices).

    Args:
        pieces: The pieces.
        candidates: What to choose from.
        value: The value of each candidate; only positive ones are chosen.
        deadline: When to stop.
        one_a_weight: Whether to choose at most one candidate of each weight.
    """
    positive = np.flatnonzero(value > 0)
    order = positive[np.argsort(-value[positive], kind="stable")]
    best = _greedy(pieces, candidates, order, one_a_weight)
    if not best:
        return Packing((), 0.0, 0.0)
    columns = Columns(candidates, value, len(pieces))
    frame = Frame.of(pieces, columns.weights)
    frame = frame.changed(profit=dict.fromkeys(frame.value, 1.0))
    if one_a_weight:
        frame = frame.changed(high=dict.fromkeys(frame.number, 1.0))
    active = np.zeros(len(candidates), dtype=np.bool_)
    active[best] = True
    active[spread(columns, value)] = True
    relaxed = relax(columns, frame, active, deadline)
    if relaxed is None:
        return Packing(tuple(best), _total(value, best), np.inf)
    likely = np.lexsort((-value, -relaxed.share))[: int(active.sum())]
    rounded = _greedy(pieces, candidates, likely[value[likely] > 0], one_a_weight)
    best = max(best, rounded, key=lambda indices: _total(value, indices))
    return _proven(pieces, columns, frame, relaxed, best, deadline)


def _greedy(pieces: Pieces, candidates: Candidates, order: Ints, one_a_weight: bool) -> list[int]:
    """Choose what fits, in order; with one candidate of each weight, the heaviest first."""
    board = Board(pieces)
    if not one_a_weight:
        return [int(order[index]) for index in board.fill(candidates.members[order])]
    chosen = []
    for weight in range(pieces.texts, 1, -1):
        group = order[candidates.weight[order] == weight]
        chosen += [int(group[index]) for index in board.fill(candidates.members[group], 1)]
    return chosen


def _proven(
    pieces: Pieces,
    columns: Columns,
    frame: Frame,
    relaxed: Relaxed,
    best: Sequence[int],
    deadline: Deadline,
) -> Packing:
    """Close the gap between the best choice so far and the relaxation, then break ties."""
    value, bound, reduced = columns.value, relaxed.bound, relaxed.reduced
    total = _total(value, best)
    # A choice with a candidate outside the margin is worth at most `bound - margin`. The first
    # margin is narrow; if it is too narrow for a proof, the best total sets the second.
    margin = -float(np.sort(reduced)[-_NEAREST:][0])
    while bound > total + SAME:
        margin = min(margin, bound - total)
        near = np.flatnonzero(reduced >= -margin - TOLERANCE)
        chosen = choose(columns, frame, near, deadline)
        if chosen is None:
            return Packing(tuple(best), total, bound)
        best = max(best, chosen.indices.tolist(), key=lambda indices: _total(value, indices))
        total = _total(value, best)
        if chosen.bound > total + SAME:
            return Packing(tuple(best), total, min(bound, max(chosen.bound, bound - margin)))
        if bound - margin <= total + SAME:
            break
        margin = bound - total
    tied = np.flatnonzero((reduced >= total - bound - TOLERANCE) & (value > 0))
    if len(tied) > len(best):
        row = (dict.fromkeys(frame.value, -1.0), SAME - total)
        settled = settle(pieces, columns, frame.constrained([row]), tied, deadline)
        if settled is not None and _total(value, settled.indices.tolist()) >= total - SAME / 1000:
            best = settled.indices.tolist()
    return Packing(tuple(best), _total(value, best), _total(value, best))


def settle(
    pieces: Pieces, columns: Columns, frame: Frame, tied: Ints, deadline: Deadline
) -> Chosen | None:
    """Break ties between optimal choices: the finest segmentations, then the first candidates.

    Args:
        pieces: The pieces.
        columns: The candidates.
        frame: The constraints, with one that excludes worse choices.
        tied: The candidates that occur in optimal choices.
        deadline: When to stop.

    Returns:
        None if the time runs out, or if rounding leaves no choice.
    """
    sizes = [[len(option.nodes) for option in options] for options in pieces.options]
    losses = [max(of_sentence) - size for of_sentence in sizes for size in of_sentence]
    ranks = np.arange(len(tied), dtype=np.float64)
    # One segment lost costs more than all ranks together.
    step = 1 + float(ranks.sum())
    coarse = {frame.sums + option: -step * loss for option, loss in enumerate(losses)}
    bare = frame.changed(profit={**dict.fromkeys(range(len(frame.profit)), 0.0), **coarse})
    chosen = choose(columns, bare, tied, deadline, cost=ranks)
    return None if chosen is None or chosen.bound == -np.inf else chosen


def _total(value: Floats, indices: Sequence[int]) -> float:
    return fsum(value[list(indices)])
