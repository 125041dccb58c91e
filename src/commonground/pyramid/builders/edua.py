"""EDUA-G and EDUA-C: the builders of the paper, greedy and exact.

In EDUA-C the mean of a weight never gains from a second, weaker unit, so at most one unit a weight
is needed: the compatible cliques, one a weight at most, with the greatest sum of attractions.

In the other reading of section 4.4 every compatible clique must be taken. The objective is the
same, the sum over weights of the mean attraction of their units. A mean is not linear, but it is
once the number of units of each weight is known. So the search is over
ranges of these numbers: each has a linear relaxation, the range with the highest bound is split
in two, and where all numbers are known a mixed-integer solver has the last word.
"""

from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import count
from math import floor

import numpy as np

from commonground.pyramid.builders.board import Board
from commonground.pyramid.builders.candidates import Candidates
from commonground.pyramid.builders.packing import SAME, pack, settle
from commonground.pyramid.builders.pieces import Pieces
from commonground.pyramid.builders.programme import (
    TOLERANCE,
    Chosen,
    Relaxed,
    choose,
    relax,
    spread,
)
from commonground.pyramid.builders.ranges import Box, Ranges
from commonground.pyramid.builders.task import Solution, Task, mean_attraction

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


def edua_c_maximal(task: Task) -> Solution:
    """The maximal set of compatible cliques with the greatest sum of mean attractions.

    Of equally good sets with as many units of each weight it is the one with the finest
    segmentations, and of equally fine ones the one whose candidates come first (the least sum of
    places).
    """
    if not len(task.candidates):
        return task.solution([], 0.0, 0.0)
    if not task.candidates.complete:
        return _largest(task)
    return _Search(task).run()


def _largest(task: Task) -> Solution:
    """Greedy, where the candidates are not all cliques: then pairs, until no two are joined."""
    board = Board(task.pieces, commit=True)
    units = [task.candidates.unit(place) for place in _greedy(board, task.candidates)]
    first, second = task.pieces.edges()
    free = np.flatnonzero(board.free[first] & board.free[second])
    free = free[np.argsort(-task.pieces.strength[free], kind="stable")]
    pairs = np.column_stack([first[free], second[free]])
    units += [tuple(pairs[place].tolist()) for place in board.fill(pairs)]
    objective = mean_attraction((len(unit), task.pieces.attraction(unit)) for unit in units)
    return task.solution(units, objective, task.ceiling())


def _greedy(board: Board, candidates: Candidates, seeds: Sequence[int] = ()) -> list[int]:
    """A maximal set of candidates: the seeds that fit, then what the means lose least by."""
    taken = [seeds[place] for place in board.fill(candidates.members[list(seeds)])]
    weights = sorted(set(candidates.weight.tolist()))
    found = {
        w: [candidates.attraction[p] for p in taken if candidates.weight[p] == w] for w in weights
    }
    ranges = {weight: candidates.of_weight(weight) for weight in weights}
    following = dict.fromkeys(weights, 0)
    while True:
        best = None
        for weight in list(following):
            span = ranges[weight]
            place = board.first(candidates.members[span.start : span.stop], following[weight])
            if place is None:
                del following[weight]
                continue
            following[weight] = place
            gain = _gain(found[weight], float(candidates.attraction[span[place]]))
            best = max(best or (gain, weight), (gain, weight))
        if best is None:
            return taken
        weight = best[1]
        place = ranges[weight][following[weight]]
        board.place(candidates.unit(place))
        found[weight].append(candidates.attraction[place])
        taken.append(place)


def _gain(values: list[float], value: float) -> float:
    """How the mean of values, 0 if there are none, changes with one more."""
    before = sum(values)
    return (before + value) / (len(values) + 1) - (before / len(values) if values else 0.0)


class _Search:
    def __init__(self, task: Task) -> None:
        self._task = task
        self._candidates = task.candidates
        self._ranges = Ranges(task.pieces, task.candidates)
        self._columns = self._ranges.columns
        self._active = np.zeros(len(task.candidates), dtype=np.bool_)
        self._active[spread(self._columns, task.candidates.attraction)] = True
        self._best: list[int] = []
        self._options: dict[int, int] = {}
        self._value = -np.inf

    def run(self) -> Solution:
        """Split ranges until none is left that could hold a better set."""
        self._complete(())
        number = count()
        heap = [(-self._task.ceiling(), next(number), self._ranges.widest())]
        while heap and -heap[0][0] > self._value + SAME:
            above, _, box = heap[0]
            parts = self._explored(box, -above)
            if parts is None:
                return self._result(-above)
            heappop(heap)
            for part, bound in parts:
                heappush(heap, (-bound, next(number), part))
        self._settle()
        return self._result(self._value)

    def _result(self, bound: float) -> Solution:
        units = [self._candidates.unit(place) for place in self._best]
        return self._task.solution(units, self._value, bound, self._options)

    def _complete(self, seeds: Sequence[int]) -> None:
        self._offer(_greedy(Board(self._task.pieces, commit=True), self._candidates, seeds), {})

    def _offer(self, places: list[int], options: dict[int, int]) -> None:
        """Keep a set if it is better than the best so far."""
        value = self._worth(places)
        if value > self._value + SAME / 1000:
            self._best, self._options, self._value = places, options, value

    def _worth(self, places: list[int]) -> float:
        weights, attractions = self._candidates.weight[places], self._candidates.attraction[places]
        return mean_attraction(zip(weights.tolist(), attractions.tolist(), strict=True))

    def _explored(self, box: Box, above: float) -> list[tuple[Box, float]] | None:
        """The ranges that a range leaves to explore, with bounds; nothing if time is over."""
        frame = self._ranges.boxed(*box)
        relaxed = relax(self._columns, frame, self._active, self._task.deadline)
        if relaxed is None:
            return None
        bound = min(above, relaxed.bound)
        # What cannot matter here will hardly matter in a part of the range.
        self._active &= relaxed.reduced >= self._value - bound - TOLERANCE
        likely = np.flatnonzero(relaxed.share > 0.1)
        self._complete(likely[np.argsort(-relaxed.share[likely], kind="stable")].tolist())
        if bound <= self._value + SAME:
            return []
        if box[0] != box[1]:
            return [(part, bound) for part in self._ranges.split(box, relaxed.variables)]
        return self._solved(box, relaxed)

    def _solved(self, box: Box, relaxed: Relaxed) -> list[tuple[Box, float]] | None:
        """The best set with known numbers of units."""
        near = np.flatnonzero(relaxed.reduced >= self._value - relaxed.bound - TOLERANCE)
        exact = self._ranges.exact(box[0])
        chosen = choose(self._columns, exact, near, self._task.deadline)
        if chosen is None:
            return None
        if chosen.bound > -np.inf:
            self._take(chosen)
        return None if chosen.bound > self._value + SAME else []

    def _take(self, chosen: Chosen) -> None:
        self._offer(chosen.places.tolist(), self._ranges.options(chosen.variables))

    def _settle(self) -> None:
        """Among sets as good, with as many units of each weight: the finest, then the first."""
        weights = self._candidates.weight[self._best].tolist()
        numbers = tuple(weights.count(weight + 2) for weight in range(self._columns.weights))
        frame = self._ranges.boxed(numbers, numbers)
        relaxed = relax(self._columns, frame, self._active, self._task.deadline)
        if relaxed is None:
            return
        tied = np.flatnonzero(relaxed.reduced >= self._value - relaxed.bound - TOLERANCE)
        exact = self._ranges.exact(numbers, at_least=self._value - SAME)
        chosen = settle(self._task.pieces, self._columns, exact, tied, self._task.deadline)
        if chosen is None or self._worth(chosen.places.tolist()) < self._value - SAME / 1000:
            return
        self._value = -np.inf
        self._take(chosen)
