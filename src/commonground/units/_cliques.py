"""Candidate units: cliques with at most one segment from each text, and how they attract."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from commonground.units._graph import Floats, Ints
from commonground.units._pieces import Pieces

# Bytes of unpacked neighbourhoods at once.
_BLOCK: Final = 1 << 24


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Cliques of two or more pieces.

    They are in order of weight, the heaviest first; then the strongest first; then those that
    leave the finest segmentations; then by text.

    Attributes:
        members: Candidates x the greatest weight: pieces, ascending; lighter rows are filled up
            with the number of pieces, which is none.
        weight: How many pieces each has.
        attraction: The mean similarity of its pairs.
        complete: Whether these are all cliques there are.
    """

    members: Ints
    weight: Ints
    attraction: Floats
    complete: bool

    def __len__(self) -> int:
        return len(self.weight)

    def of_weight(self, weight: int) -> range:
        """The places of the candidates of one weight."""
        start, stop = np.searchsorted(-self.weight, [-weight, 1 - weight])
        return range(int(start), int(stop))

    def unit(self, place: int) -> tuple[int, ...]:
        """The pieces of one candidate."""
        return tuple(self.members[place, : self.weight[place]].tolist())


def all_cliques(pieces: Pieces, limit: int) -> Candidates | None:
    """Every clique of two or more pieces, or nothing where there are more than `limit`.

    Pieces of one text are never joined, so a clique has at most one of each. Cliques grow by
    pieces that come later, so each is found once, in lexicographic order.
    """
    if len(pieces.keys) > limit:
        return None
    later = _later(pieces)
    level, total = np.stack(pieces.edges(), axis=1), pieces.strength
    levels = []
    count = 0
    while len(level):
        levels.append((level, total))
        count += len(level)
        level, total = _grown(pieces, later, level, total, limit - count)
        if count + len(level) > limit:
            return None
    return ranked(pieces, levels, complete=True)


def ranked(pieces: Pieces, levels: Sequence[tuple[Ints, Floats]], *, complete: bool) -> Candidates:
    """Candidates in order, from the cliques of each weight and the sums of their similarities.

    Args:
        pieces: The pieces.
        levels: Cliques x weight, in lexicographic order, and the sums; from weight 2 up.
        complete: Whether these are all cliques.
    """
    count = sum(len(total) for _, total in levels)
    members = np.full((count, len(levels) + 1), len(pieces), dtype=np.int32)
    weight = np.empty(count, dtype=np.int32)
    attraction = np.empty(count)
    start = 0
    for level, total in reversed(levels):
        stop, width = start + len(level), level.shape[1]
        mean = total / (width * (width - 1) // 2)
        order = np.lexsort((pieces.coarseness[level].sum(axis=1), -mean))
        members[start:stop, :width] = level[order]
        weight[start:stop] = width
        attraction[start:stop] = mean[order]
        start = stop
    return Candidates(members, weight, attraction, complete)


def _later(pieces: Pieces) -> NDArray[np.uint8]:
    """For each piece the pieces after it that it is joined to, a bit each."""
    count = len(pieces)
    packed = np.zeros((count, (count + 7) // 8), dtype=np.uint8)
    bounds = np.searchsorted(pieces.keys, np.arange(count + 1, dtype=np.int64) * count)
    for piece in range(count):
        row = np.zeros(count, dtype=np.uint8)
        row[pieces.keys[bounds[piece] : bounds[piece + 1]] - piece * count] = 1
        packed[piece] = np.packbits(row)
    return packed


def _grown(
    pieces: Pieces, later: NDArray[np.uint8], level: Ints, total: Floats, limit: int
) -> tuple[Ints, Floats]:
    """The cliques of the next weight, and the sums of their similarities.

    Where there are more than `limit`, it stops once it has that many.
    """
    weight = level.shape[1]
    grown: list[Ints] = [np.empty((0, weight + 1), np.int32)]
    totals: list[Floats] = [np.empty(0)]
    found = 0
    step = max(1, _BLOCK // max(1, len(pieces)))
    for start in range(0, len(level), step):
        block = level[start : start + step]
        common = np.bitwise_and.reduce(later[block], axis=1)
        row, piece = np.nonzero(np.unpackbits(common, axis=1, count=len(pieces)))
        sums = total[start + row]
        for column in range(weight):
            sums = sums + pieces.strengths(block[row, column], piece)
        grown.append(np.column_stack([block[row], piece.astype(np.int32)]))
        totals.append(sums)
        found += len(row)
        if found > limit:
            break
    return np.concatenate(grown), np.concatenate(totals)
