"""Build the units of a pyramid: `edua-g` and `edua-c` of the paper, and our own `agreement`."""

from collections.abc import Callable, Mapping
from math import floor as round_down
from typing import Final

import numpy as np

from commonground.errors import InputError, unknown_name
from commonground.pyramid.builders.graph import Floats, Ints, SegmentGraph
from commonground.pyramid.builders.maximal import edua_c_maximal
from commonground.pyramid.builders.packing import pack
from commonground.pyramid.builders.pieces import Board, Pieces
from commonground.pyramid.builders.task import (
    LIMIT,
    SECONDS,
    Neighbours,
    Solution,
    Task,
    mean_attraction,
)

ALPHA: Final = 10.0  # beyond the number of segments
BETA: Final = 2.5

_Unit = tuple[int, ...]


def build(
    graph: SegmentGraph,
    builder: str = "edua-g",
    *,
    seconds: float = SECONDS,
    limit: int = LIMIT,
    alpha: float | None = None,
    beta: float = BETA,
    floor: float | None = None,
    pyreval: bool = False,
) -> Solution:
    """Build the units of a pyramid.

    The order of texts and nodes does not change the units. A result that is not optimal may have
    run out of time, and may differ on a faster machine.

    Args:
        graph: The segments and their similarities.
        builder: `edua-g`, `edua-c`, `edua-c-maximal` or `agreement`.
        seconds: Time limit of an exact builder, which then returns the best result so far.
        limit: Maximum number of candidate units to list. With more, the builder uses about as many
            of the strongest, and the bound is coarse.
        alpha: For `edua-g`, the scale of the capacities (default: number of segments + 10).
        beta: For `edua-g`, how fast the capacities fall with the weight.
        floor: For `agreement`, the similarity that is worth nothing (default: the threshold of the
            graph).
        pyreval: Follow PyrEval's code where the paper leaves a choice: sentences without a unit of
            weight 2 or more stay whole, and `edua-g` stops one unit below each capacity.
    """
    if builder not in BUILDERS:
        raise unknown_name("builder", builder, BUILDERS)
    if limit < 1:
        raise InputError(f"the limit on candidates is at least 1, not {limit}")
    options = {
        "edua-g": {"alpha": len(graph) + ALPHA if alpha is None else alpha, "beta": beta},
        "agreement": {"floor": graph.threshold if floor is None else floor},
    }
    task = Task.of(graph, seconds, limit, pyreval=pyreval)
    return _BUILDERS[builder](task, **options.get(builder, {}))


def capacities(texts: int, alpha: float, beta: float) -> dict[int, int]:
    """Return how many units each weight from 2 up may have: floor(alpha * weight ** -beta).

    Example:
        >>> capacities(5, alpha=235, beta=2.5)
        {2: 41, 3: 15, 4: 7, 5: 4}
    """
    return {weight: round_down(alpha * weight**-beta) for weight in range(2, texts + 1)}


def edua_g(task: Task, alpha: float, beta: float) -> Solution:
    """Allocate units greedily; the objective is `mean_attraction`.

    Weights are filled from the heaviest down with the strongest candidates that fit, up to the
    capacity. If a weight has fewer units than the weight above, the weakest unit above loses a
    member and moves down, until no weight has fewer units than the one above.
    """
    pieces, candidates = task.pieces, task.candidates
    capacity = capacities(pieces.texts, alpha, beta)
    classes: dict[int, list[_Unit]] = {}
    board = Board(pieces, commit=True)
    for weight in sorted(capacity, reverse=True):
        span = candidates.of_weight(weight)
        members = candidates.members[span.start : span.stop]
        most = max(0, capacity[weight] - task.pyreval)
        classes[weight] = [candidates.unit(span[index]) for index in board.fill(members, most)]
        if _balance(pieces, classes, weight):
            board = Board(pieces, commit=True)
            board.place(*(unit for units in classes.values() for unit in units))
    units = [unit for of_weight in classes.values() for unit in of_weight]
    objective = mean_attraction((len(unit), pieces.attraction(unit)) for unit in units)
    return task.solution(units, objective, task.ceiling())


def _balance(pieces: Pieces, classes: dict[int, list[_Unit]], lowest: int) -> bool:
    """Move units down until no weight from `lowest` up has fewer units than the one above.

    Start with the lowest such weight; those above may become short. Each step removes a member
    from a unit, so the loop ends. Return whether any unit moved.
    """
    moved = False
    while short := [
        weight
        for weight in range(lowest, max(classes))
        if len(classes[weight]) < len(classes[weight + 1])
    ]:
        # Of equally weak units the last by text.
        last_first = sorted(classes[short[0] + 1], reverse=True)
        weakest = min(last_first, key=pieces.attraction)
        parts = [weakest[:index] + weakest[index + 1 :] for index in range(len(weakest))]
        best = min(
            parts,
            key=lambda part: (-pieces.attraction(part), pieces.coarseness[list(part)].sum(), part),
        )
        classes[short[0] + 1].remove(weakest)
        classes[short[0]].append(best)
        moved = True
    return moved


def edua_c(task: Task) -> Solution:
    """Find the pyramid with the greatest `mean_attraction`.

    A second, weaker unit never raises the mean of its weight, so one unit for each weight is
    enough: the compatible cliques, at most one of each weight, with the greatest total attraction.
    """
    candidates = task.candidates
    packing = pack(task.pieces, candidates, candidates.attraction, task.deadline, one_a_weight=True)
    bound = packing.bound if candidates.complete else np.inf
    units = [candidates.unit(index) for index in packing.indices]
    return task.solution(units, packing.value, min(bound, task.ceiling()))


def gain(weight: Ints, attraction: Floats, floor: float) -> Floats:
    """Return the gain of units: (weight - 1) * (attraction - floor).

    One text states a unit and the others agree; each agreement counts by how far the similarity is
    above the floor. The objective rewards joining what belongs together and finding more such
    units; a member raises it if it contributes at least half as much as the average one.

    Example:
        >>> gain(np.array([2, 4]), np.array([0.75, 0.75]), floor=0.5)
        array([0.25, 0.75])
    """
    return np.asarray((weight - 1) * (attraction - floor))


def gain_ceiling(neighbours: Neighbours, floor: float) -> float:
    """Return an upper bound of the total gain of any pyramid.

    The gain of a unit of weight w is the sum over its members of 1/w of their similarities to the
    others, each minus the floor. A member's part is at most that of its best neighbours in w - 1
    texts, for the best w; a sentence has the segments of one of its segmentations.
    """
    above = np.maximum(neighbours.best - floor, 0.0)
    parts = np.cumsum(above, axis=1) / np.arange(2, above.shape[1] + 2)
    part = parts.max(axis=1, initial=0.0)
    return sum(
        max(float(part[list(option.pieces)].sum()) for option in options)
        for options in neighbours.pieces.options
    )


def agreement(task: Task, floor: float) -> Solution:
    """Find the pyramid with the greatest total gain."""
    candidates = task.candidates
    value = gain(candidates.weight, candidates.attraction, floor)
    packing = pack(task.pieces, candidates, value, task.deadline)
    bound = packing.bound if candidates.complete else np.inf
    if bound > packing.value:
        bound = min(bound, gain_ceiling(Neighbours.of(task.pieces), floor))
    units = [candidates.unit(index) for index in packing.indices]
    return task.solution(units, packing.value, bound)


_BUILDERS: Final[Mapping[str, Callable[..., Solution]]] = {
    "edua-g": edua_g,
    "edua-c": edua_c,
    "edua-c-maximal": edua_c_maximal,
    "agreement": agreement,
}
BUILDERS: Final = tuple(_BUILDERS)
EXACT: Final = ("edua-c", "edua-c-maximal", "agreement")
"""Builders that look for an optimum and may run out of time."""
