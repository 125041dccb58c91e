"""Candidate units: cliques with at most one segment from each text.

With too many cliques to list, cliques grow from each segment's strongest edges, each time by the
piece nearest to all members; every stage is a candidate.
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
# Seeds that grow at once.
_SEEDS: Final = 2000


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Cliques of two or more pieces.

    Sorted by weight (heaviest first), attraction (strongest first), fineness of the segmentations
    they leave, then text.

    Attributes:
        members: Candidates x greatest weight: pieces, ascending; lighter rows are padded with
            `len(pieces)`.
        weight: Number of pieces.
        attraction: Mean similarity of the pairs.
        complete: Whether these are all cliques.
    """

    members: Ints
    weight: Ints
    attraction: Floats
    complete: bool

    def __len__(self) -> int:
        return len(self.weight)

    def of_weight(self, weight: int) -> range:
        """Return the indices of the candidates of a weight."""
        start, stop = np.searchsorted(-self.weight, [-weight, 1 - weight])
        return range(int(start), int(stop))

    def unit(self, index: int) -> tuple[int, ...]:
        """Return the pieces of a candidate."""
        return tuple(self.members[index, : self.weight[index]].tolist())


def all_cliques(pieces: Pieces, limit: int) -> Candidates | None:
    """List every clique of two or more pieces; None if there are more than `limit`.

    Pieces of a text are never joined, so a clique has at most one of each text. Cliques grow by
    later pieces only, so each is found once, in lexicographic order.
    """
    if len(pieces.keys) > limit:
        return None
    later = _later_neighbours(pieces)
    level, total = np.stack(pieces.edges(), axis=1), pieces.strength
    levels = []
    count = 0
    while len(level):
        levels.append((level, total))
        count += len(level)
        level, total = _next_level(pieces, later, level, total, limit - count)
        if count + len(level) > limit:
            return None
    return _ranked(pieces, levels, complete=True)


def _ranked(pieces: Pieces, levels: Sequence[tuple[Ints, Floats]], *, complete: bool) -> Candidates:
    """Sort cliques into candidates.

    Each level, from weight 2 up, has cliques x weight in lexicographic order and the sums of their
    similarities.
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


def _later_neighbours(pieces: Pieces) -> NDArray[np.uint8]:
    """Return for each piece its neighbours with a higher number, as packed bits."""
    count = len(pieces)
    packed = np.zeros((count, (count + 7) // 8), dtype=np.uint8)
    bounds = np.searchsorted(pieces.keys, np.arange(count + 1, dtype=np.int64) * count)
    for piece in range(count):
        row = np.zeros(count, dtype=np.uint8)
        row[pieces.keys[bounds[piece] : bounds[piece + 1]] - piece * count] = 1
        packed[piece] = np.packbits(row)
    return packed


def _next_level(
    pieces: Pieces, later: NDArray[np.uint8], level: Ints, total: Floats, limit: int
) -> tuple[Ints, Floats]:
    """Return the cliques of the next weight and their sums; stop soon after `limit` cliques."""
    weight = level.shape[1]
    cliques: list[Ints] = [np.empty((0, weight + 1), np.int32)]
    totals: list[Floats] = [np.empty(0)]
    count = 0
    step = max(1, _BLOCK // max(1, len(pieces)))
    for start in range(0, len(level), step):
        block = level[start : start + step]
        common = np.bitwise_and.reduce(later[block], axis=1)
        row, piece = np.nonzero(np.unpackbits(common, axis=1, count=len(pieces)))
        sums = total[start + row]
        for column in range(weight):
            sums = sums + pieces.strengths(block[row, column], piece)
        cliques.append(np.column_stack([block[row], piece.astype(np.int32)]))
        totals.append(sums)
        count += len(row)
        if count > limit:
            break
    return np.concatenate(cliques), np.concatenate(totals)


def grown_cliques(pieces: Pieces, limit: int) -> Candidates:
    """Grow about `limit` cliques at most from the strongest edges.

    With more edges than `limit`, only the `limit` strongest are used.
    """
    edges = _Edges.strongest(pieces, limit)
    seeds = edges.seeds(max(1, limit // (len(pieces) * pieces.texts)))
    by_weight: dict[int, list[tuple[Ints, Floats]]] = {}
    for start in range(0, len(seeds), _SEEDS):
        for members, total in _grow(edges, seeds[start : start + _SEEDS]):
            by_weight.setdefault(members.shape[1], []).append((members, total))
    levels = []
    for _, parts in sorted(by_weight.items()):
        rows, sums = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        rows, index = np.unique(np.sort(rows, axis=1), axis=0, return_index=True)
        levels.append((rows.astype(np.int32), sums[index]))
    return _ranked(pieces, levels, complete=False)


@dataclass(frozen=True, slots=True, eq=False)
class _Edges:
    """Edges in both directions, sorted by key as in `Pieces`; `start` is each piece's first."""

    count: int
    keys: NDArray[np.int64]
    strength: Floats
    start: NDArray[np.int64]

    @classmethod
    def strongest(cls, pieces: Pieces, limit: int) -> "_Edges":
        keys, strength = pieces.keys, pieces.strength
        if len(keys) > limit:
            # Ties at the limit are broken by key, that is by the order of the texts.
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
        """Return the keys of the edges that are among the `each` strongest of one of their ends."""
        first, second = np.divmod(self.keys, self.count)
        order = np.lexsort((self.keys, -self.strength, first))
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order)) - self.start[first[order]]
        low, high = np.minimum(first, second), np.maximum(first, second)
        return np.unique((low * self.count + high)[rank < each])

    def neighbours(self, piece: Ints) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
        """Return the neighbours of some pieces: row in `piece`, neighbour, similarity."""
        size = self.start[piece + 1] - self.start[piece]
        owner = np.repeat(np.arange(len(piece)), size)
        offset = np.arange(len(owner)) - np.repeat(np.cumsum(size) - size, size)
        edge = np.repeat(self.start[piece], size) + offset
        return owner, self.keys[edge] % self.count, self.strength[edge]

    def between(self, first: Ints, second: Ints) -> tuple[NDArray[np.bool_], Floats]:
        """Return which pairs are joined, and their similarity."""
        keys = first * self.count + second
        edge = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return self.keys[edge] == keys, self.strength[edge]


def _grow(edges: _Edges, seeds: NDArray[np.int64]) -> list[tuple[Ints, Floats]]:
    """Grow cliques from edges; return the members and sums of similarities of every stage."""
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
