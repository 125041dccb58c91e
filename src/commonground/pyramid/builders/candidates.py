"""Candidate units: cliques with at most one segment from each text, all or some good ones.

Where there are too many to list them all, cliques grow from each segment's strongest edges by the
piece nearest to all members, as far as they can; every stage on the way is a candidate.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from commonground.pyramid.builders.graph import Floats, Ints
from commonground.pyramid.builders.pieces import Pieces

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


# Seeds that grow at once.
_SEEDS_AT_ONCE: Final = 2000


def grown_cliques(pieces: Pieces, limit: int) -> Candidates:
    """About as many cliques as the limit, at most; the strongest edges grow.

    Where there are more edges than `limit`, only the strongest so many are looked at.
    """
    edges = _Edges.strongest(pieces, limit)
    seeds = edges.seeds(max(1, limit // (len(pieces) * pieces.texts)))
    found: dict[int, list[tuple[Ints, Floats]]] = {}
    for start in range(0, len(seeds), _SEEDS_AT_ONCE):
        for members, total in _grow(edges, seeds[start : start + _SEEDS_AT_ONCE]):
            found.setdefault(members.shape[1], []).append((members, total))
    levels = []
    for weight in sorted(found):
        rows, sums = (np.concatenate(parts) for parts in zip(*found[weight], strict=True))
        rows, place = np.unique(np.sort(rows, axis=1), axis=0, return_index=True)
        levels.append((rows.astype(np.int32), sums[place]))
    return ranked(pieces, levels, complete=False)


@dataclass(frozen=True, slots=True, eq=False)
class _Edges:
    """The edges in both directions, by their first end: keys ascending, as in `Pieces`."""

    count: int
    keys: NDArray[np.int64]
    strength: Floats
    start: NDArray[np.int64]

    @classmethod
    def strongest(cls, pieces: Pieces, limit: int) -> "_Edges":
        keys, strength = pieces.keys, pieces.strength
        if len(keys) > limit:
            # Ties at the limit are settled by the order of the keys, which is that of the texts.
            cut = np.partition(strength, len(strength) - limit)[len(strength) - limit]
            kept = np.concatenate([np.flatnonzero(strength > cut), np.flatnonzero(strength == cut)])
            kept = np.sort(kept[:limit])
            keys, strength = keys[kept], strength[kept]
        first, second = np.divmod(keys, len(pieces))
        both = np.concatenate([keys, second * len(pieces) + first])
        order = np.argsort(both)
        starts = np.arange(len(pieces) + 1, dtype=np.int64) * len(pieces)
        both, strength = both[order], np.concatenate([strength, strength])[order]
        return cls(len(pieces), both, strength, np.searchsorted(both, starts))

    def seeds(self, each: int) -> NDArray[np.int64]:
        """The edges that are among the strongest few of one of their ends."""
        first, second = np.divmod(self.keys, self.count)
        order = np.lexsort((self.keys, -self.strength, first))
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order)) - self.start[first[order]]
        low, high = np.minimum(first, second), np.maximum(first, second)
        return np.unique((low * self.count + high)[rank < each])

    def neighbours(self, piece: Ints) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
        """For each of some pieces its neighbours: whose, which and how strong."""
        size = self.start[piece + 1] - self.start[piece]
        owner = np.repeat(np.arange(len(piece)), size)
        offset = np.arange(len(owner)) - np.repeat(np.cumsum(size) - size, size)
        place = np.repeat(self.start[piece], size) + offset
        return owner, self.keys[place] % self.count, self.strength[place]

    def between(self, first: Ints, second: Ints) -> tuple[NDArray[np.bool_], Floats]:
        """Which pairs are joined, and how strongly."""
        keys = first * self.count + second
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return self.keys[place] == keys, self.strength[place]


def _grow(edges: _Edges, seeds: NDArray[np.int64]) -> list[tuple[Ints, Floats]]:
    """The stages of the cliques that grow from some edges, with the sums of similarities."""
    first, second = np.divmod(seeds, edges.count)
    members, total = np.column_stack([first, second]), edges.between(first, second)[1]
    stages = [(members, total)]
    owner, piece, near = edges.neighbours(first)
    joined, more = edges.between(second[owner], piece)
    owner, piece, near = owner[joined], piece[joined], (near + more)[joined]
    while len(owner):
        order = np.lexsort((piece, -near, owner))
        owner, piece, near = owner[order], piece[order], near[order]
        best = np.flatnonzero(np.diff(owner, prepend=-1))
        alive = owner[best]
        members = np.column_stack([members[alive], piece[best]])
        total = total[alive] + near[best]
        stages.append((members, total))
        owner = np.searchsorted(alive, owner)
        joined, more = edges.between(members[owner, -1], piece)
        owner, piece, near = owner[joined], piece[joined], (near + more)[joined]
    return stages
