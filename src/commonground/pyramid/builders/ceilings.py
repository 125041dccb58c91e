"""Bounds that need no list of candidates: what the strongest neighbours of a segment allow.

A member of a unit of weight w has at most one neighbour from each other text there, so the
sum of its similarities is at most that of its best neighbours in w - 1 texts.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from commonground.pyramid.builders.graph import Floats
from commonground.pyramid.builders.pieces import Pieces

# Edges looked at in one go.
_BLOCK: Final = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """For each piece its best similarity in each other text, the greatest first.

    Attributes:
        pieces: The pieces.
        best: Pieces x (texts - 1); minus infinity where there is no neighbour.
    """

    pieces: Pieces
    best: Floats

    @classmethod
    def of(cls, pieces: Pieces) -> "Neighbours":
        """Look at every edge once."""
        best = np.full((len(pieces), max(1, pieces.texts)), -np.inf)
        for start in range(0, len(pieces.keys), _BLOCK):
            first, second = np.divmod(pieces.keys[start : start + _BLOCK], len(pieces))
            strength = pieces.strength[start : start + _BLOCK]
            np.maximum.at(best, (first, pieces.text[second]), strength)
            np.maximum.at(best, (second, pieces.text[first]), strength)
        return cls(pieces, -np.sort(-best, axis=1)[:, : max(0, pieces.texts - 1)])

    def attraction(self, weight: int) -> float:
        """The attraction of a unit of some weight is at most this; -infinity if there is none.

        It is the mean, over the members, of their mean similarity to the others; and the members
        are from as many texts.
        """
        if weight > self.pieces.texts:
            return float(-np.inf)
        means = self.best[:, : weight - 1].mean(axis=1)
        of_text = np.full(self.pieces.texts, -np.inf)
        np.maximum.at(of_text, self.pieces.text, means)
        return float(np.sort(of_text)[-weight:].mean())

    def mean_attraction(self) -> float:
        """The sum over weights of the mean attraction is at most this, for any pyramid."""
        weights = range(2, self.pieces.texts + 1)
        return sum(max(0.0, self.attraction(weight)) for weight in weights)
