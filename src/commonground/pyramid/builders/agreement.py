"""Our own objective: how much the texts agree, over all units."""

import numpy as np

from commonground.pyramid.builders.ceilings import Neighbours
from commonground.pyramid.builders.graph import Floats, Ints
from commonground.pyramid.builders.packing import pack
from commonground.pyramid.builders.task import Solution, Task


def gain(weight: Ints, attraction: Floats, floor: float) -> Floats:
    """What units are worth: (weight - 1) * (attraction - floor).

    One text states a unit, the others agree; each agreement counts by how much nearer the
    segments are than segments have to be. So it pays to join what belongs together and to find
    more such units, and a member pays that brings at least half as much as the average one.

    Example:
        >>> gain(np.array([2, 4]), np.array([0.75, 0.75]), floor=0.5)
        array([0.25, 0.75])
    """
    return np.asarray((weight - 1) * (attraction - floor))


def gain_ceiling(neighbours: Neighbours, floor: float) -> float:
    """The sum of gains of any pyramid is at most this.

    The gain of a unit of weight w is the sum over its members of 1/w of their similarities to the
    others, each less the floor. A member's part is at most what its best neighbours in w - 1
    texts give, for the best w; and a sentence has the segments of one of its segmentations.
    """
    above = np.maximum(neighbours.best - floor, 0.0)
    parts = np.cumsum(above, axis=1) / np.arange(2, above.shape[1] + 2)
    part = parts.max(axis=1, initial=0.0)
    return sum(
        max(float(part[list(option.pieces)].sum()) for option in options)
        for options in neighbours.pieces.options
    )


def agreement(task: Task, floor: float) -> Solution:
    """The pyramid with the greatest sum of gains over its units."""
    candidates = task.candidates
    value = gain(candidates.weight, candidates.attraction, floor)
    packing = pack(task.pieces, candidates, value, task.deadline)
    bound = packing.bound if candidates.complete else np.inf
    if bound > packing.value:
        bound = min(bound, gain_ceiling(Neighbours.of(task.pieces), floor))
    units = [candidates.unit(place) for place in packing.places]
    return task.solution(units, packing.value, bound)
