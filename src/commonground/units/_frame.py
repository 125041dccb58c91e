"""Choosing among candidates as a linear programme, however many candidates there are.

Two parts. *Columns* are the candidates: each adds 1 to the use of its pieces, 1 to the number of
units of its weight and its value to the sum of values of its weight. A *frame* holds the
variables for these three and for the segmentations of the sentences, with all constraints and
what is maximised. So a constraint or an objective never speaks of candidates, and the programme
can be solved with a few of them in it: `relax` adds those that would improve the optimum until
none does, and then knows the optimum over all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import coo_array, csc_array, eye_array, hstack, vstack

from commonground.units._cliques import Candidates
from commonground.units._graph import Floats, Ints
from commonground.units._pieces import Pieces

# A constraint: coefficients by variable, and what their sum may be at most.
Row = tuple[Mapping[int, float], float]


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Candidates with their values, as columns."""

    candidates: Candidates
    value: Floats
    pieces: int

    @property
    def weights(self) -> int:
        """How many weights there are, from 2 up."""
        return int(self.candidates.members.shape[1]) - 1

    def matrix(self, places: Ints) -> csc_array:
        """The columns of some candidates: rows for pieces, numbers and values by weight."""
        members = self.candidates.members[places]
        real = members < self.pieces
        column = np.arange(len(places))
        kind = self.pieces + self.candidates.weight[places] - 2
        rows = np.concatenate([members[real], kind, kind + self.weights])
        columns = np.concatenate([np.repeat(column, real.sum(axis=1)), column, column])
        ones = np.ones(len(rows) - len(places))
        entries = np.concatenate([ones, self.value[places]])
        shape = (self.pieces + 2 * self.weights, len(places))
        return coo_array((entries, (rows, columns)), shape=shape).tocsc()

    def reduced(self, duals: Floats) -> Floats:
        """How fast the objective would grow with each candidate, at these prices of the rows."""
        price = np.append(duals[: self.pieces], 0.0)
        kind = self.pieces + self.candidates.weight - 2
        growth = duals[kind] + self.value * duals[kind + self.weights]
        for column in self.candidates.members.T:
            growth += price[column]
        return np.asarray(growth)


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """Variables and constraints besides the candidates: rows @ variables <= limits.

    The variables, in order: what candidates add up to, that is the use of each piece and the
    number and the sum of values for each weight; the options of each sentence; and then whatever
    a builder adds.
    """

    pieces: int
    options: int
    weights: int
    rows: csc_array
    limits: Floats
    profit: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(cls, pieces: Pieces, weights: int, added: int = 0) -> "Frame":
        """What holds for all builders: a piece needs an option, a sentence has one at most."""
        options = sum(map(len, pieces.options))
        sums = len(pieces) + 2 * weights
        count = sums + options + added
        empty = csc_array((0, count))
        zeros = np.zeros(count)
        high = np.full(count, np.inf)
        high[sums : sums + options] = 1
        frame = cls(len(pieces), options, weights, empty, zeros[:0], zeros, zeros, high)
        needs: list[dict[int, float]] = [{piece: 1.0} for piece in range(len(pieces))]
        rows: list[Row] = [(need, 0.0) for need in needs]
        option = sums
        for of_sentence in pieces.options:
            rows.append(({option + bit: 1.0 for bit in range(len(of_sentence))}, 1.0))
            for one in of_sentence:
                for piece in one.pieces:
                    needs[piece][option] = -1.0
                option += 1
        return frame.constrained(rows)

    @property
    def sums(self) -> int:
        """How many variables are what candidates add up to; the options come next."""
        return self.pieces + 2 * self.weights

    @property
    def number(self) -> range:
        """The variables that count the units of each weight."""
        return range(self.pieces, self.pieces + self.weights)

    @property
    def value(self) -> range:
        """The variables that sum the values of the units of each weight."""
        return range(self.pieces + self.weights, self.sums)

    @property
    def added(self) -> int:
        """The first variable that a builder added."""
        return self.sums + self.options

    def constrained(self, rows: Sequence[Row]) -> "Frame":
        """With more constraints."""
        row = np.repeat(np.arange(len(rows)), [len(entry) for entry, _ in rows])
        column = [place for entry, _ in rows for place in entry]
        values = [value for entry, _ in rows for value in entry.values()]
        shape = (len(rows), self.rows.shape[1])
        more = coo_array((values, (row, column)), shape=shape).tocsc()
        limits = np.array([limit for _, limit in rows], dtype=np.float64)
        return replace(
            self,
            rows=csc_array(vstack([self.rows, more])),
            limits=np.concatenate([self.limits, limits]),
        )

    def changed(
        self,
        profit: Mapping[int, float] | None = None,
        low: Mapping[int, float] | None = None,
        high: Mapping[int, float] | None = None,
    ) -> "Frame":
        """With other profits and bounds for some variables."""
        parts = []
        for given, changes in ((self.profit, profit), (self.low, low), (self.high, high)):
            array = given.copy()
            array[list(changes or {})] = list((changes or {}).values())
            parts.append(array)
        return replace(self, profit=parts[0], low=parts[1], high=parts[2])

    def linked(self, columns: Columns, places: Ints) -> csc_array:
        """The equations between candidates and variables: what candidates add up to, is."""
        less = -eye_array(self.sums, self.rows.shape[1])
        return csc_array(hstack([columns.matrix(places), less]))

    def apart(self, places: Ints) -> csc_array:
        """The rows, with room for candidates before the variables."""
        room = csc_array((self.rows.shape[0], len(places)))
        return csc_array(hstack([room, self.rows]))
