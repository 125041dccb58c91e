"""What every builder is given, and what it returns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from commonground.pyramid.builders.candidates import Candidates
from commonground.pyramid.builders.ceilings import Neighbours
from commonground.pyramid.builders.graph import SegmentGraph
from commonground.pyramid.builders.pieces import Pieces, finest
from commonground.pyramid.builders.programme import Deadline


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


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """A graph with its pieces and candidates, and the time to solve it."""

    graph: SegmentGraph
    pieces: Pieces
    candidates: Candidates
    deadline: Deadline

    def ceiling(self) -> float:
        """No pyramid has a greater sum of mean attractions: one unit a weight, the strongest."""
        if not self.candidates.complete:
            return Neighbours.of(self.pieces).mean_attraction()
        spans = map(self.candidates.of_weight, range(2, self.pieces.texts + 1))
        strongest = [float(self.candidates.attraction[span[0]]) for span in spans if span]
        return fsum(max(0.0, attraction) for attraction in strongest)

    def solution(
        self,
        units: Sequence[tuple[int, ...]],
        objective: float,
        bound: float,
        options: Mapping[int, int] | None = None,
    ) -> Solution:
        """The solution with these units of two or more pieces.

        Args:
            units: Compatible units.
            objective: What they are worth.
            bound: What none is worth more than; rounding may put it a hair below the objective.
            options: Segmentations to take for some sentences, where the choice is not free.
        """
        return Solution(
            units=self._nodes(units, options or {}),
            objective=objective,
            bound=max(objective, bound),
            optimal=bound <= objective,
            candidates=len(self.candidates),
            complete=self.candidates.complete,
        )

    def _nodes(
        self, units: Sequence[tuple[int, ...]], given: Mapping[int, int]
    ) -> tuple[tuple[int, ...], ...]:
        """Units as nodes of the graph, with those of a single segment added.

        A sentence takes the finest segmentation that has all its used segments, and of equally
        fine ones the first by text; one that no unit uses takes the finest of all. What is left
        of that segmentation becomes units of weight 1.
        """
        used = {piece for unit in units for piece in unit}
        options = [
            self.pieces.options[place][given.get(place, finest(allowed))]
            for place, allowed in enumerate(self.pieces.allowed(used))
        ]
        node_of = {
            piece: node
            for option in options
            for piece, node in zip(option.pieces, option.nodes, strict=True)
        }
        single = [(piece,) for piece in node_of if piece not in used]
        found = []
        for unit in (*units, *single):
            nodes = tuple(sorted(node_of[piece] for piece in unit))
            found.append((-len(unit), -self.graph.attraction(nodes), unit, nodes))
        return tuple(nodes for *_, nodes in sorted(found))
