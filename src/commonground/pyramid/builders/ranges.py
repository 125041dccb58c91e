"""Maximal sets with the number of units of each weight in some range, as a linear programme.

That a set is maximal means that no two pieces that are still free are joined. So of a clique at
most one piece may be free, which binds the relaxation better than a constraint for each edge.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from commonground.pyramid.builders.candidates import Candidates
from commonground.pyramid.builders.graph import Floats
from commonground.pyramid.builders.pieces import Pieces
from commonground.pyramid.builders.programme import Columns, Frame, Row

# What a violated constraint costs in a relaxation; without it, the candidates that happen to be
# in the programme might not allow any solution.
_PENALTY: Final = 1000.0

# What counts as nothing in a solution.
_TINY: Final = 1e-6

# The least and the greatest number of units of each weight, from 2 up.
Box = tuple[tuple[int, ...], tuple[int, ...]]


class Ranges:
    """Frames for ranges of the number of units of each weight.

    A builder's variables are added to the frame: for each weight the mean of the values of its
    units and whether there are any, and one for how far constraints are violated. The value of a
    candidate is its attraction above the least of its weight, so that it is never negative.
    """

    def __init__(self, pieces: Pieces, candidates: Candidates) -> None:
        self._pieces = pieces
        self._spans = [
            candidates.of_weight(weight) for weight in range(2, candidates.members.shape[1] + 1)
        ]
        self._least = [float(candidates.attraction[span[-1]]) for span in self._spans]
        value = candidates.attraction - np.array([0.0, 0.0, *self._least])[candidates.weight]
        self.columns = Columns(candidates, value, len(pieces))
        # The greatest mean that so many units of a weight can have.
        self._means = [
            np.cumsum(value[span.start : span.stop]) / np.arange(1, len(span) + 1)
            for span in self._spans
        ]
        self._frame = self._framed()

    def _framed(self) -> Frame:
        weights = self.columns.weights
        frame = Frame.of(self._pieces, weights, added=2 * weights + 1)
        self._options = frame.sums
        self._mean = range(frame.added, frame.added + weights)
        self._any = range(frame.added + weights, frame.added + 2 * weights)
        self._slack = frame.added + 2 * weights
        profit = dict.fromkeys(self._mean, 1.0) | {self._slack: -_PENALTY}
        profit |= dict(zip(self._any, self._least, strict=True))
        return frame.changed(profit=profit).constrained([*self._committed(), *self._covered()])

    def _committed(self) -> list[Row]:
        """A sentence is committed to an option only by a unit that uses it."""
        rows: list[Row] = []
        option = self._options
        for options in self._pieces.options:
            for one in options:
                rows.append(({option: 1.0} | dict.fromkeys(one.pieces, -1.0), 0.0))
                option += 1
        return rows

    def _covered(self) -> list[Row]:
        """Of each clique at most one piece is neither used nor in an option not chosen."""
        start = np.cumsum([0, *map(len, self._pieces.options)]) + self._options
        blocked: list[dict[int, float]] = []
        for piece, (place, mask) in enumerate(
            zip(self._pieces.sentence.tolist(), self._pieces.mask, strict=True)
        ):
            others = [bit for bit in range(len(self._pieces.options[place])) if not mask >> bit & 1]
            blocked.append({piece: -1.0} | {int(start[place]) + bit: -1.0 for bit in others})
        rows: list[Row] = []
        for clique in clique_cover(self._pieces):
            row = {self._slack: -1.0}
            for piece in clique:
                row |= blocked[piece]
            rows.append((row, 1.0 - len(clique)))
        return rows

    def widest(self) -> Box:
        """The range that holds all sets."""
        room = np.zeros(self._pieces.texts, dtype=np.int64)
        for options in self._pieces.options:
            room[self._pieces.text[options[0].pieces[0]]] += len(options[0].pieces)
        most = []
        for place, span in enumerate(self._spans):
            number = 0
            while np.minimum(room, number + 1).sum() >= (place + 2) * (number + 1):
                number += 1
            most.append(min(number, len(span)))
        return (0,) * len(most), tuple(most)

    def boxed(self, low: Sequence[int], high: Sequence[int]) -> Frame:
        """The relaxation for a range.

        The mean of E over m units, low <= m <= high, is at most E / low. And as it is at most the
        greatest mean M of `low` units, it is at most E / high + M (high - m) / high.
        """
        rows: list[Row] = []
        lows: dict[int, float] = {}
        highs: dict[int, float] = dict(zip(self._frame.number, map(float, high), strict=True))
        for place, (least, most) in enumerate(zip(low, high, strict=True)):
            number, value = self._frame.number[place], self._frame.value[place]
            mean, some = self._mean[place], self._any[place]
            if not most:
                highs |= {mean: 0.0, some: 0.0}
                continue
            greatest = float(self._means[place][max(least, 1) - 1])
            highs |= {mean: greatest, some: 1.0}
            rows.append(({mean: 1.0, value: -1 / max(least, 1)}, 0.0))
            rows.append(({mean: 1.0, value: -1 / most, number: greatest / most}, greatest))
            if least:
                lows[some] = 1.0
                rows.append(({number: -1.0, self._slack: -1.0}, -float(least)))
            else:
                rows.append(({some: 1.0, number: -1.0}, 0.0))
        return self._frame.changed(low=lows, high=highs).constrained(rows)

    def exact(self, numbers: Sequence[int], at_least: float | None = None) -> Frame:
        """The programme for known numbers, nothing violated; with a least objective if given."""
        frame = self._frame
        known = {**dict(zip(frame.number, map(float, numbers), strict=True)), self._slack: 0.0}
        profit = dict.fromkeys(self._mean, 0.0)
        for place, number in enumerate(numbers):
            known |= {self._mean[place]: 0.0, self._any[place]: float(number > 0)}
            profit[frame.value[place]] = 1 / max(1, number)
        frame = frame.changed(profit=profit, low=known, high=known)
        if at_least is None:
            return frame
        worth = {place: -float(frame.profit[place]) for place in (*frame.value, *self._any)}
        return frame.constrained([(worth, -at_least)])

    def split(self, box: Box, variables: Floats) -> list[Box]:
        """Two halves of a range, at the weight whose mean the relaxation overrates most."""
        low, high = box
        over = []
        for place, (least, most) in enumerate(zip(low, high, strict=True)):
            number = variables[self._frame.number[place]]
            value = variables[self._frame.value[place]] / number if number > _TINY else 0.0
            overrated = float(variables[self._mean[place]] - value)
            over.append((most > least, round(overrated, 9), most - least, -place))
        place = -max(over)[3]
        number = float(variables[self._frame.number[place]])
        cut = min(max(int(number + _TINY), low[place]), high[place] - 1)
        upper = (*high[:place], cut, *high[place + 1 :])
        lower = (*low[:place], cut + 1, *low[place + 1 :])
        return [(low, upper), (lower, high)]

    def options(self, variables: Floats) -> dict[int, int]:
        """The option of each sentence that a solution commits to one."""
        found = {}
        option = self._options
        for place, options in enumerate(self._pieces.options):
            for bit in range(len(options)):
                if variables[option + bit] > 0.5:
                    found[place] = bit
            option += len(options)
        return found


def clique_cover(pieces: Pieces) -> list[list[int]]:
    """Cliques that have every edge in one of them, found greedily."""
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
            for piece in clique:
                for other in clique:
                    uncovered[piece] &= ~(1 << other)
            cliques.append(clique)
    return cliques
