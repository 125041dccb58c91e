"""EDUA-C in the other reading of section 4.4: every compatible clique must be taken.

The objective is `mean_attraction` again. A mean is not linear, but it is once the number of units
of each weight is known. So the search is over ranges of these numbers (branch and bound): each
range has a linear relaxation, the range with the highest bound is split in two, and once all
numbers are known a mixed-integer solver decides.

A set is maximal if no two free pieces are joined. So at most one piece of a clique may be free,
which gives a tighter relaxation than a constraint for each edge.
"""

from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import count
from typing import Final

import numpy as np

from commonground.pyramid.builders.candidates import Candidates
from commonground.pyramid.builders.graph import Floats
from commonground.pyramid.builders.packing import SAME, settle
from commonground.pyramid.builders.pieces import Board, Pieces
from commonground.pyramid.builders.programme import (
    TOLERANCE,
    Chosen,
    Columns,
    Frame,
    Relaxed,
    Row,
    choose,
    relax,
    spread,
)
from commonground.pyramid.builders.task import Solution, Task, mean_attraction

# The cost of a violated constraint in a relaxation; without it, the candidates that happen to be
# in the programme might not allow any solution.
_PENALTY: Final = 1000.0
# Values below this count as zero in a solution.
_TINY: Final = 1e-6

# The least and the greatest number of units of each weight, from 2 up.
Box = tuple[tuple[int, ...], tuple[int, ...]]


def edua_c_maximal(task: Task) -> Solution:
    """Find the maximal set of compatible cliques with the greatest `mean_attraction`.

    Ties between sets with as many units of each weight go to the finest segmentations, then to the
    first candidates (least sum of indices).
    """
    if not len(task.candidates):
        return task.solution([], 0.0, 0.0)
    if task.candidates.complete:
        return _Search(task).run()
    # Without all cliques: greedily, then pairs, until no two free pieces are joined.
    board = Board(task.pieces, commit=True)
    units = [task.candidates.unit(index) for index in _greedy(board, task.candidates)]
    first, second = task.pieces.edges()
    free = np.flatnonzero(board.free[first] & board.free[second])
    free = free[np.argsort(-task.pieces.strength[free], kind="stable")]
    pairs = np.column_stack([first[free], second[free]])
    units += [tuple(pairs[index].tolist()) for index in board.fill(pairs)]
    objective = mean_attraction((len(unit), task.pieces.attraction(unit)) for unit in units)
    return task.solution(units, objective, task.ceiling())


def _greedy(board: Board, candidates: Candidates, seeds: Sequence[int] = ()) -> list[int]:
    """Choose a maximal set: the seeds that fit, then the candidates that lower the means least."""
    chosen = [seeds[index] for index in board.fill(candidates.members[list(seeds)])]
    weights = sorted(set(candidates.weight.tolist()))
    values = {
        w: [candidates.attraction[i] for i in chosen if candidates.weight[i] == w] for w in weights
    }
    spans = {weight: candidates.of_weight(weight) for weight in weights}
    following = dict.fromkeys(weights, 0)
    while True:
        best = None
        for weight in list(following):
            span = spans[weight]
            index = board.first(candidates.members[span.start : span.stop], following[weight])
            if index is None:
                del following[weight]
                continue
            following[weight] = index
            gain = _gain(values[weight], float(candidates.attraction[span[index]]))
            best = max(best or (gain, weight), (gain, weight))
        if best is None:
            return chosen
        weight = best[1]
        index = spans[weight][following[weight]]
        board.place(candidates.unit(index))
        values[weight].append(candidates.attraction[index])
        chosen.append(index)


def _gain(values: list[float], value: float) -> float:
    """Return the change of the mean of values (0 if empty) with one more."""
    before = sum(values)
    return (before + value) / (len(values) + 1) - (before / len(values) if values else 0.0)


class _Search:
    """Branch and bound over ranges of the number of units of each weight."""

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
        """Split ranges until none can contain a better set."""
        self._complete(())
        number = count()
        heap = [(-self._task.ceiling(), next(number), self._ranges.widest())]
        while heap and -heap[0][0] > self._value + SAME:
            above, _, box = heap[0]
            parts = self._explore(box, -above)
            if parts is None:
                return self._solution(-above)
            heappop(heap)
            for part, bound in parts:
                heappush(heap, (-bound, next(number), part))
        self._settle()
        return self._solution(self._value)

    def _solution(self, bound: float) -> Solution:
        units = [self._candidates.unit(index) for index in self._best]
        return self._task.solution(units, self._value, bound, self._options)

    def _complete(self, seeds: Sequence[int]) -> None:
        self._offer(_greedy(Board(self._task.pieces, commit=True), self._candidates, seeds), {})

    def _offer(self, indices: list[int], options: dict[int, int]) -> None:
        """Keep a set if it is better than the best so far."""
        value = self._objective(indices)
        if value > self._value + SAME / 1000:
            self._best, self._options, self._value = indices, options, value

    def _objective(self, indices: list[int]) -> float:
        weights = self._candidates.weight[indices].tolist()
        return mean_attraction(
            zip(weights, self._candidates.attraction[indices].tolist(), strict=True)
        )

    def _explore(self, box: Box, above: float) -> list[tuple[Box, float]] | None:
        """Return the parts of a range still to explore, with bounds; None if the time is over."""
        frame = self._ranges.boxed(*box)
        relaxed = relax(self._columns, frame, self._active, self._task.deadline)
        if relaxed is None:
            return None
        bound = min(above, relaxed.bound)
        # A candidate that cannot matter here will hardly matter in a part of the range.
        self._active &= relaxed.reduced >= self._value - bound - TOLERANCE
        likely = np.flatnonzero(relaxed.share > 0.1)
        self._complete(likely[np.argsort(-relaxed.share[likely], kind="stable")].tolist())
        if bound <= self._value + SAME:
            return []
        if box[0] != box[1]:
            return [(part, bound) for part in self._ranges.split(box, relaxed.variables)]
        return self._solve(box, relaxed)

    def _solve(self, box: Box, relaxed: Relaxed) -> list[tuple[Box, float]] | None:
        """Find the best set with known numbers of units; None if the time is over."""
        near = np.flatnonzero(relaxed.reduced >= self._value - relaxed.bound - TOLERANCE)
        exact = self._ranges.exact(box[0])
        chosen = choose(self._columns, exact, near, self._task.deadline)
        if chosen is None:
            return None
        if chosen.bound > -np.inf:
            self._take(chosen)
        return None if chosen.bound > self._value + SAME else []

    def _take(self, chosen: Chosen) -> None:
        self._offer(chosen.indices.tolist(), self._ranges.options(chosen.variables))

    def _settle(self) -> None:
        """Break ties between sets with as many units of each weight."""
        weights = self._candidates.weight[self._best].tolist()
        numbers = tuple(weights.count(weight + 2) for weight in range(self._columns.weights))
        frame = self._ranges.boxed(numbers, numbers)
        relaxed = relax(self._columns, frame, self._active, self._task.deadline)
        if relaxed is None:
            return
        tied = np.flatnonzero(relaxed.reduced >= self._value - relaxed.bound - TOLERANCE)
        exact = self._ranges.exact(numbers, at_least=self._value - SAME)
        chosen = settle(self._task.pieces, self._columns, exact, tied, self._task.deadline)
        if chosen is None or self._objective(chosen.indices.tolist()) < self._value - SAME / 1000:
            return
        self._value = -np.inf
        self._take(chosen)


class Ranges:
    """Programmes for ranges of the number of units of each weight.

    They add variables to the frame: for each weight the mean of the values of its units and
    whether there are any, and one for violated constraints. The value of a candidate is its
    attraction above the least of its weight, so it is never negative.
    """

    def __init__(self, pieces: Pieces, candidates: Candidates) -> None:
        self._pieces = pieces
        weights = candidates.members.shape[1] - 1
        self._spans = [candidates.of_weight(index + 2) for index in range(weights)]
        least = [float(candidates.attraction[span[-1]]) for span in self._spans]
        value = candidates.attraction - np.array([0.0, 0.0, *least])[candidates.weight]
        self.columns = Columns(candidates, value, len(pieces))
        # By weight and number of units: the greatest mean possible.
        self._means = [
            np.cumsum(value[span.start : span.stop]) / np.arange(1, len(span) + 1)
            for span in self._spans
        ]
        frame = Frame.of(pieces, weights, added=2 * weights + 1)
        self._options = frame.sums
        self._mean = range(frame.added, frame.added + weights)
        self._any = range(frame.added + weights, frame.added + 2 * weights)
        self._slack = frame.added + 2 * weights
        profit = dict.fromkeys(self._mean, 1.0) | {self._slack: -_PENALTY}
        profit |= dict(zip(self._any, least, strict=True))
        rows = [*self._used_rows(), *self._cover_rows()]
        self._frame = frame.changed(profit=profit).constrained(rows)

    def _used_rows(self) -> list[Row]:
        """Allow an option only if a unit uses it."""
        options = (option for of_sentence in self._pieces.options for option in of_sentence)
        return [
            ({variable: 1.0} | dict.fromkeys(option.pieces, -1.0), 0.0)
            for variable, option in enumerate(options, self._options)
        ]

    def _cover_rows(self) -> list[Row]:
        """Of each clique, at most one piece is neither used nor excluded by the chosen option."""
        start = np.cumsum([0, *map(len, self._pieces.options)]) + self._options
        blocked: list[dict[int, float]] = []
        for piece, (sentence, mask) in enumerate(
            zip(self._pieces.sentence.tolist(), self._pieces.mask, strict=True)
        ):
            bits = range(len(self._pieces.options[sentence]))
            others = [int(start[sentence]) + bit for bit in bits if not mask >> bit & 1]
            blocked.append({piece: -1.0} | dict.fromkeys(others, -1.0))
        rows: list[Row] = []
        for clique in clique_cover(self._pieces):
            row = {self._slack: -1.0}
            for piece in clique:
                row |= blocked[piece]
            rows.append((row, 1.0 - len(clique)))
        return rows

    def widest(self) -> Box:
        """Return the range that contains all sets."""
        room = np.zeros(self._pieces.texts, dtype=np.int64)
        for options in self._pieces.options:
            room[self._pieces.text[options[0].pieces[0]]] += len(options[0].pieces)
        most = []
        for weight, span in enumerate(self._spans, 2):
            number = 0
            while np.minimum(room, number + 1).sum() >= weight * (number + 1):
                number += 1
            most.append(min(number, len(span)))
        return (0,) * len(most), tuple(most)

    def boxed(self, low: Sequence[int], high: Sequence[int]) -> Frame:
        """Return the relaxation for a range.

        The mean of total E over m units, low <= m <= high, is at most E / low. It is also at most
        the greatest mean M of `low` units, and so at most E / high + M (high - m) / high.
        """
        rows: list[Row] = []
        lows: dict[int, float] = {}
        highs: dict[int, float] = dict(zip(self._frame.number, map(float, high), strict=True))
        for index, (least, most) in enumerate(zip(low, high, strict=True)):
            number, value = self._frame.number[index], self._frame.value[index]
            mean, present = self._mean[index], self._any[index]
            if not most:
                highs |= {mean: 0.0, present: 0.0}
                continue
            greatest = float(self._means[index][max(least, 1) - 1])
            highs |= {mean: greatest, present: 1.0}
            rows.append(({mean: 1.0, value: -1 / max(least, 1)}, 0.0))
            rows.append(({mean: 1.0, value: -1 / most, number: greatest / most}, greatest))
            if least:
                lows[present] = 1.0
                rows.append(({number: -1.0, self._slack: -1.0}, -float(least)))
            else:
                rows.append(({present: 1.0, number: -1.0}, 0.0))
        return self._frame.changed(low=lows, high=highs).constrained(rows)

    def exact(self, numbers: Sequence[int], at_least: float | None = None) -> Frame:
        """Return the programme for known numbers, with a lower bound of the objective."""
        frame = self._frame
        known = {**dict(zip(frame.number, map(float, numbers), strict=True)), self._slack: 0.0}
        profit = dict.fromkeys(self._mean, 0.0)
        for index, number in enumerate(numbers):
            known |= {self._mean[index]: 0.0, self._any[index]: float(number > 0)}
            profit[frame.value[index]] = 1 / max(1, number)
        frame = frame.changed(profit=profit, low=known, high=known)
        if at_least is None:
            return frame
        row = {variable: -float(frame.profit[variable]) for variable in (*frame.value, *self._any)}
        return frame.constrained([(row, -at_least)])

    def split(self, box: Box, variables: Floats) -> list[Box]:
        """Halve a range at the weight whose mean the relaxation overestimates most."""
        low, high = box
        over = []
        for index, (least, most) in enumerate(zip(low, high, strict=True)):
            number = variables[self._frame.number[index]]
            value = variables[self._frame.value[index]] / number if number > _TINY else 0.0
            overestimate = float(variables[self._mean[index]] - value)
            over.append((most > least, round(overestimate, 9), most - least, -index))
        index = -max(over)[3]
        number = float(variables[self._frame.number[index]])
        cut = min(max(int(number + _TINY), low[index]), high[index] - 1)
        upper = (*high[:index], cut, *high[index + 1 :])
        lower = (*low[:index], cut + 1, *low[index + 1 :])
        return [(low, upper), (lower, high)]

    def options(self, variables: Floats) -> dict[int, int]:
        """Return the option of each sentence that a solution commits to one."""
        committed = {}
        variable = self._options
        for sentence, options in enumerate(self._pieces.options):
            for bit in range(len(options)):
                if variables[variable + bit] > 0.5:
                    committed[sentence] = bit
            variable += len(options)
        return committed


def clique_cover(pieces: Pieces) -> list[list[int]]:
    """Return cliques that together contain every edge, found greedily."""
    near = [0] * len(pieces)
    for first, second in zip(*(ends.tolist() for ends in pieces.edges()), strict=True):
        near[first] |= 1 << second
        near[second] |= 1 << first
    uncovered = list(near)
    cliques = []
    for first in range(len(pieces)):
        while uncovered[first]:
            clique, common = [first], near[first]
            while common:
                # Edges not covered yet come first.
                fresh = common & uncovered[clique[-1]] or common
                piece = fresh.bit_length() - 1
                clique.append(piece)
                common &= near[piece]
            members = sum(1 << piece for piece in clique)
            for piece in clique:
                uncovered[piece] &= ~members
            cliques.append(clique)
    return cliques
