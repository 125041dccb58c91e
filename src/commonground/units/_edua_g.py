"""EDUA-G: the greedy builder of appendix A, with a capacity for each weight."""

from math import floor

from commonground.units._board import Board
from commonground.units._cliques import Candidates
from commonground.units._pieces import Pieces
from commonground.units._solution import Solution, mean_attraction
from commonground.units._task import Task

_Unit = tuple[int, ...]


def capacities(texts: int, alpha: float, beta: float) -> dict[int, int]:
    """How many units each weight from 2 up may have: floor(alpha * weight ** -beta).

    Example:
        >>> capacities(5, alpha=235, beta=2.5)
        {2: 41, 3: 15, 4: 7, 5: 4}
    """
    return {weight: floor(alpha * weight**-beta) for weight in range(2, texts + 1)}


def edua_g(task: Task, alpha: float, beta: float) -> Solution:
    """The pyramid of the greedy allocation; its objective is the sum of mean attractions.

    Weights are filled from the heaviest down with the strongest candidates that fit, up to the
    capacity. Where a weight comes out with fewer units than the weight above, the weakest unit
    above loses a member and comes down, until every weight has as many as the one above.
    """
    pieces = task.pieces
    capacity = capacities(pieces.texts, alpha, beta)
    classes: dict[int, list[_Unit]] = {}
    board = Board(pieces, commit=True)
    for weight in sorted(capacity, reverse=True):
        classes[weight] = _allocated(board, task.candidates, weight, capacity[weight])
        if _balanced(pieces, classes, weight):
            board = Board(pieces, commit=True)
            board.place(*(unit for units in classes.values() for unit in units))
    found = [unit for units in classes.values() for unit in units]
    objective = mean_attraction((len(unit), pieces.attraction(unit)) for unit in found)
    return task.solution(found, objective, task.ceiling())


def _allocated(board: Board, candidates: Candidates, weight: int, capacity: int) -> list[_Unit]:
    places = candidates.of_weight(weight)
    members = candidates.members[places.start : places.stop]
    return [candidates.unit(places[place]) for place in board.fill(members, capacity)]


def _balanced(pieces: Pieces, classes: dict[int, list[_Unit]], lowest: int) -> bool:
    """Bring units down until no weight from `lowest` up has fewer units than the one above.

    The lowest such weight comes first, and then those above it, which may have become short.
    Each step takes a member from a unit, so there is an end. Returns whether there was a step.
    """
    moved = False
    while short := [
        weight
        for weight in range(lowest, max(classes))
        if len(classes[weight]) < len(classes[weight + 1])
    ]:
        # Of equally weak units the one that comes last by text.
        last_first = sorted(classes[short[0] + 1], reverse=True)
        weakest = min(last_first, key=pieces.attraction)
        classes[short[0] + 1].remove(weakest)
        classes[short[0]].append(_best_part(pieces, weakest))
        moved = True
    return moved


def _best_part(pieces: Pieces, unit: _Unit) -> _Unit:
    """The unit without the member it can best do without."""
    parts = [unit[:place] + unit[place + 1 :] for place in range(len(unit))]
    return min(
        parts,
        key=lambda part: (-pieces.attraction(part), pieces.coarseness[list(part)].sum(), part),
    )
