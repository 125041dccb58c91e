"""Which pieces can still join a unit, given the units placed so far."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from commonground.pyramid.builders.graph import Ints
from commonground.pyramid.builders.pieces import Pieces, finest


class Board:
    """Units are placed one after the other; what conflicts with them is no longer free.

    Args:
        pieces: What there is to place.
        commit: Whether a sentence is bound to a segmentation, the finest possible, by the first
            unit that uses it. Otherwise it stays open to all segmentations that have its used
            pieces.
    """

    def __init__(self, pieces: Pieces, *, commit: bool = False) -> None:
        self._pieces = pieces
        self._commit = commit
        self._allowed = pieces.allowed(())
        self._bounds = np.searchsorted(pieces.sentence, np.arange(len(pieces.options) + 1))
        # One more than there are pieces: the filling of a short row of candidates is always free.
        self.free: NDArray[np.bool_] = np.ones(len(pieces) + 1, dtype=np.bool_)

    def place(self, *units: Sequence[int]) -> None:
        """Use the pieces of units that are compatible with each other and with those placed."""
        touched = set()
        for piece in (piece for unit in units for piece in unit):
            sentence = int(self._pieces.sentence[piece])
            touched.add(sentence)
            self._allowed[sentence] &= self._pieces.mask[piece]
            self.free[piece] = False
        for sentence in touched:
            if self._commit:
                self._allowed[sentence] = 1 << finest(self._allowed[sentence])
            allowed = self._allowed[sentence]
            for piece in range(self._bounds[sentence], self._bounds[sentence + 1]):
                self.free[piece] &= bool(self._pieces.mask[piece] & allowed)

    def first(self, members: Ints, start: int = 0) -> int | None:
        """The first candidate from `start` on that is compatible with all units placed."""
        step = 64
        while start < len(members):
            fits = self.free[members[start : start + step]].all(axis=1)
            if fits.any():
                return start + int(fits.argmax())
            start += step
            step = min(4 * step, 1 << 16)
        return None

    def fill(self, members: Ints, most: int | None = None) -> list[int]:
        """Place candidates in their order wherever they fit, up to a number; which they are."""
        placed: list[int] = []
        place = self.first(members)
        while place is not None and (most is None or len(placed) < most):
            self.place([piece for piece in members[place].tolist() if piece < len(self._pieces)])
            placed.append(place)
            place = self.first(members, place + 1)
        return placed
