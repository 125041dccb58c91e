"""The compatible candidates with the greatest sum of values, proven.

The relaxation is nearly whole already on such graphs. What it leaves open is small: a candidate
whose reduced value is further below zero than the best choice found is below the bound cannot be
in a better one. The few that remain go to a mixed-integer solver.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

import numpy as np

from commonground.pyramid.builders.board import Board
from commonground.pyramid.builders.candidates import Candidates
from commonground.pyramid.builders.graph import Floats, Ints
from commonground.pyramid.builders.pieces import Pieces
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

# Two sums of values this close are equal.
SAME: Final = 1e-8

# How many candidates the first attempt at a proof looks at.
_NEAREST: Final = 500


@dataclass(frozen=True, slots=True)
class Packing:
    """Compatible candidates, by place; no others have a sum of values above `bound`."""

    places: tuple[int, ...]
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
    """The compatible candidates with the greatest sum of values, or the best found in time.

    Of equally good choices it is the one with the finest segmentations, and of equally fine ones
    the one whose candidates come first (the least sum of places).

    Args:
        pieces: The pieces.
        candidates: What to choose from.
        value: What each candidate is worth; those worth nothing are never chosen.
        deadline: When to stop.
        one_a_weight: Whether there may be one candidate of each weight at most.
    """
    worth = np.flatnonzero(value > 0)
    order = worth[np.argsort(-value[worth], kind="stable")]
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
        return Packing(tuple(best), _sum(value, best), np.inf)
    likely = np.lexsort((-value, -relaxed.share))[: int(active.sum())]
    rounded = _greedy(pieces, candidates, likely[value[likely] > 0], one_a_weight)
    best = max(best, rounded, key=lambda places: _sum(value, places))
    return _closed(pieces, columns, frame, relaxed, best, deadline)


def _greedy(pieces: Pieces, candidates: Candidates, order: Ints, one_a_weight: bool) -> list[int]:
    """What fits, in order; with one a weight, the heaviest first."""
    board = Board(pieces)
    if not one_a_weight:
        return [int(order[place]) for place in board.fill(candidates.members[order])]
    found = []
    for weight in range(pieces.texts, 1, -1):
        group = order[candidates.weight[order] == weight]
        found += [int(group[place]) for place in board.fill(candidates.members[group], 1)]
    return found


def _closed(
    pieces: Pieces,
    columns: Columns,
    frame: Frame,
    relaxed: Relaxed,
    best: Sequence[int],
    deadline: Deadline,
) -> Packing:
    """Close the gap between the best choice found and the relaxation, then settle ties."""
    value, bound, reduced = columns.value, relaxed.bound, relaxed.reduced
    found = _sum(value, best)
    # A choice with a candidate from outside the margin is worth at most `bound - margin`. The
    # first margin is narrow; if it was too narrow for a proof, what was found sets the second.
    margin = -float(np.sort(reduced)[-_NEAREST:][0])
    while bound > found + SAME:
        margin = min(margin, bound - found)
        near = np.flatnonzero(reduced >= -margin - TOLERANCE)
        chosen = choose(columns, frame, near, deadline)
        if chosen is None:
            return Packing(tuple(best), found, bound)
        best = max(best, chosen.places.tolist(), key=lambda places: _sum(value, places))
        found = _sum(value, best)
        if chosen.bound > found + SAME:
            return Packing(tuple(best), found, min(bound, max(chosen.bound, bound - margin)))
        if bound - margin <= found + SAME:
            break
        margin = bound - found
    tied = np.flatnonzero((reduced >= found - bound - TOLERANCE) & (value > 0))
    if len(tied) > len(best):
        row = (dict.fromkeys(frame.value, -1.0), SAME - found)
        settled = settle(pieces, columns, frame.constrained([row]), tied, deadline)
        if settled is not None and _sum(value, settled.places.tolist()) >= found - SAME / 1000:
            best = settled.places.tolist()
    return Packing(tuple(best), _sum(value, best), _sum(value, best))


def settle(
    pieces: Pieces, columns: Columns, frame: Frame, tied: Ints, deadline: Deadline
) -> Chosen | None:
    """Of choices that are equally good: the finest segmentations, then the first candidates.

    Nothing if the time is over, or if rounding leaves no choice.

    Args:
        pieces: The pieces.
        columns: The candidates.
        frame: The constraints, one that keeps out what is not as good among them.
        tied: The candidates that occur in such choices.
        deadline: When to stop.
    """
    sizes = [[len(option.nodes) for option in options] for options in pieces.options]
    losses = [max(of_sentence) - size for of_sentence in sizes for size in of_sentence]
    places = np.arange(len(tied), dtype=np.float64)
    # One segment lost weighs more than all the places together.
    step = 1 + float(places.sum())
    coarse = {frame.sums + place: -step * loss for place, loss in enumerate(losses)}
    bare = frame.changed(profit={**dict.fromkeys(range(len(frame.profit)), 0.0), **coarse})
    chosen = choose(columns, bare, tied, deadline, cost=places)
    return None if chosen is None or chosen.bound == -np.inf else chosen


def _sum(value: Floats, places: Sequence[int]) -> float:
    return fsum(value[list(places)])
