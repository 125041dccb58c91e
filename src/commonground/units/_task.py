"""What every builder is given, and how it hands back its units."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from commonground.units._ceilings import Neighbours
from commonground.units._cliques import Candidates
from commonground.units._graph import SegmentGraph
from commonground.units._pieces import Pieces, finest
from commonground.units._programme import Deadline
from commonground.units._solution import Solution


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
