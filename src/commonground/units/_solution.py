"""What a builder returns."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum


@dataclass(frozen=True, slots=True)
class Solution:
    """The units of a pyramid.

    Attributes:
        units: Each unit as node numbers of the graph, ascending; the heaviest first, then the
            strongest, then by text. All weights, those of one segment included.
        objective: What the builder maximises, of these units.
        bound: Proven: no other set of units has a greater objective.
        optimal: Whether the bound is reached.
        candidates: How many candidate units were looked at; segments that segmentations of a
            sentence share count once.
        complete: Whether these were all there are.
    """

    units: tuple[tuple[int, ...], ...]
    objective: float
    bound: float
    optimal: bool
    candidates: int
    complete: bool

    @property
    def gap(self) -> float:
        """How far the objective may be below the best, as a share of the bound; 0 if optimal."""
        return 0.0 if self.optimal else (self.bound - self.objective) / abs(self.bound)


def mean_attraction(units: Iterable[tuple[int, float]]) -> float:
    """AP in the paper: the mean attraction of the units of each weight, summed over the weights.

    Units of weight 1 are left out: their attraction is 1 by definition, which adds the same to
    every pyramid that has any.

    Args:
        units: Weight and attraction of each.

    Example:
        >>> mean_attraction([(3, 0.75), (2, 0.75), (2, 0.25), (1, 1.0)])
        1.25
    """
    classes: dict[int, list[float]] = {}
    for weight, attraction in units:
        classes.setdefault(weight, []).append(attraction)
    return fsum(fsum(found) / len(found) for weight, found in classes.items() if weight > 1)
