"""EDUA-C: the pyramid with the greatest sum of mean attractions.

The mean of a weight never gains from a second, weaker unit, so at most one unit a weight is
needed: the compatible cliques, one a weight at most, with the greatest sum of attractions.
"""

import numpy as np

from commonground.units._packing import pack
from commonground.units._solution import Solution
from commonground.units._task import Task


def edua_c(task: Task) -> Solution:
    """The best pyramid with at most one unit of each weight of two or more."""
    packing = pack(
        task.pieces,
        task.candidates,
        task.candidates.attraction,
        task.deadline,
        one_a_weight=True,
    )
    bound = packing.bound if task.candidates.complete else np.inf
    units = [task.candidates.unit(place) for place in packing.places]
    return task.solution(units, packing.value, min(bound, task.ceiling()))
