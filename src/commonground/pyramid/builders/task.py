"""The input and output of a builder, and upper bounds on what it can reach."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

import numpy as np

from commonground.pyramid.builders.candidates import Candidates, all_cliques, grown_cliques
from commonground.pyramid.builders.graph import Floats, SegmentGraph
from commonground.pyramid.builders.pieces import Pieces, finest, pieces_of
from commonground.pyramid.builders.programme import Deadline

SECONDS: Final = 60.0
LIMIT: Final = 1_000_000
# Edges read at once.
_BLOCK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Solution:
    """The units of a pyramid.

    Attributes:
        units: Each unit as node numbers of the graph, ascending; heaviest first, then strongest,
            then by text. Units of a single segment are included.
        objective: What the builder maximises, for these units.
        bound: Proven upper bound of the objective.
        optimal: Whether the objective reaches the bound.
        candidates: Number of candidate units considered; a segment that segmentations of a
            sentence share counts once.
        complete: Whether these were all candidates.
    """

    units: tuple[tuple[int, ...], ...]
    objective: float
    bound: float
    optimal: bool
    candidates: int
    complete: bool

    @property
    def gap(self) -> float:
        """Distance from the objective to the bound, as a share of the bound; 0 if optimal."""
        return 0.0 if self.optimal else (self.bound - self.objective) / abs(self.bound)


def mean_attraction(units: Iterable[tuple[int, float]]) -> float:
    """Sum over the weights the mean attraction of their units (AP in the paper).

    Units of weight 1 are ignored: their attraction is 1 by definition.

    Args:
        units: Weight and attraction of each.

    Example:
        >>> mean_attraction([(3, 0.75), (2, 0.75), (2, 0.25), (1, 1.0)])
        1.25
    """
    classes: dict[int, list[float]] = {}
    for weight, attraction in units:
        classes.setdefault(weight, []).append(attraction)
    return fsum(fsum(values) / len(values) for weight, values in classes.items() if weight > 1)


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """For each piece its best similarity in each other text, in descending order.

    The bounds that follow need no list of candidates: a member of a unit of weight w has at most
    one neighbour from each other text, so the sum of its similarities is at most that of its best
    neighbours in w - 1 texts.
    """

    pieces: Pieces
    best: Floats  # pieces x (texts - 1); -inf without a neighbour

    @classmethod
    def of(cls, pieces: Pieces) -> "Neighbours":
        """Read every edge once."""
        best = np.full((len(pieces), max(1, pieces.texts)), -np.inf)
        for start in range(0, len(pieces.keys), _BLOCK):
            first, second = np.divmod(pieces.keys[start : start + _BLOCK], len(pieces))
            strength = pieces.strength[start : start + _BLOCK]
            np.maximum.at(best, (first, pieces.text[second]), strength)
            np.maximum.at(best, (second, pieces.text[first]), strength)
        return cls(pieces, -np.sort(-best, axis=1)[:, : max(0, pieces.texts - 1)])

    def attraction(self, weight: int) -> float:
        """Return an upper bound of the attraction of a unit of a weight; -inf without such units.

        The attraction is the mean, over members from as many texts, of their mean similarity to
        the others.
        """
        if weight > self.pieces.texts:
            return float(-np.inf)
        means = self.best[:, : weight - 1].mean(axis=1)
        of_text = np.full(self.pieces.texts, -np.inf)
        np.maximum.at(of_text, self.pieces.text, means)
        return float(np.sort(of_text)[-weight:].mean())

    def mean_attraction(self) -> float:
        """Return an upper bound of `mean_attraction` for any pyramid."""
        weights = range(2, self.pieces.texts + 1)
        return sum(max(0.0, self.attraction(weight)) for weight in weights)


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """A graph with its pieces and candidates, and the time to solve it."""

    graph: SegmentGraph
    pieces: Pieces
    candidates: Candidates
    deadline: Deadline
    pyreval: bool = False  # as in `build`

    @classmethod
    def of(
        cls,
        graph: SegmentGraph,
        seconds: float = SECONDS,
        limit: int = LIMIT,
        *,
        pyreval: bool = False,
    ) -> "Task":
        """List the candidates of a graph: all, or about `limit` grown ones if there are more."""
        deadline = Deadline(seconds)
        pieces = pieces_of(graph)
        candidates = all_cliques(pieces, limit)
        if candidates is None:
            candidates = grown_cliques(pieces, limit)
        return cls(graph, pieces, candidates, deadline, pyreval)

    def ceiling(self) -> float:
        """Return an upper bound of `mean_attraction`: for each weight its strongest unit alone."""
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
        """Return the solution with these compatible units of two or more pieces.

        The remaining segments become units of weight 1.

        Rounding may put the bound a little below the objective. `options` are the segmentations of
        sentences where the choice is not free.
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
        self, units: Sequence[tuple[int, ...]], fixed: Mapping[int, int]
    ) -> tuple[tuple[int, ...], ...]:
        """Return units as nodes of the graph, and add those of a single segment.

        A sentence takes the finest segmentation that has all its used segments, the first by text
        of equally fine ones. The rest of that segmentation becomes units of weight 1. In PyrEval a
        sentence without used segments stays whole: its first segmentation, "sorted by the index".
        """
        used = {piece for unit in units for piece in unit}
        sentences = {int(self.pieces.sentence[piece]) for piece in used}
        options = []
        for sentence, allowed in enumerate(self.pieces.allowed(used)):
            whole = self.pyreval and sentence not in sentences
            option = -1 if whole else fixed.get(sentence, finest(allowed))
            options.append(self.pieces.options[sentence][option])
        node_of = {
            piece: node
            for option in options
            for piece, node in zip(option.pieces, option.nodes, strict=True)
        }
        single = [(piece,) for piece in node_of if piece not in used]
        ranked = []
        for unit in (*units, *single):
            nodes = tuple(sorted(node_of[piece] for piece in unit))
            ranked.append((-len(unit), -self.graph.attraction(nodes), unit, nodes))
        return tuple(nodes for *_, nodes in sorted(ranked))
