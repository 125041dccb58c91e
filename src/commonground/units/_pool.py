"""Some good candidates, where there are too many cliques to list them all.

From each segment's strongest edges cliques grow by the piece nearest to all members, as far as
they can; every stage on the way is a candidate.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from commonground.units._cliques import Candidates, ranked
from commonground.units._graph import Floats, Ints
from commonground.units._pieces import Pieces

# Seeds that grow at once.
_BLOCK: Final = 2000


def grown_cliques(pieces: Pieces, limit: int) -> Candidates:
    """About as many cliques as the limit, at most; the strongest edges grow.

    Where there are more edges than `limit`, only the strongest so many are looked at.
    """
    edges = _Edges.strongest(pieces, limit)
    seeds = edges.seeds(max(1, limit // (len(pieces) * pieces.texts)))
    found: dict[int, list[tuple[Ints, Floats]]] = {}
    for start in range(0, len(seeds), _BLOCK):
        for members, total in _grow(edges, seeds[start : start + _BLOCK]):
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
