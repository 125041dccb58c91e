"""Longest common subsequences: their length, and for ROUGE-Lsum their positions.

There can be several of one length, and rouge-score's choice affects the score, because it takes
the union over sentences. It walks back from the ends of both sequences: it takes a match if there
is one; else it drops the reference's last token if the rest has a common subsequence as long;
else the prediction's.

The table of lengths is bit-parallel. Along the reference a row grows by 0 or 1 at each position,
so one integer holds a row: the positions where it does *not* grow. A token of the prediction turns
a row into the next one in four operations (Crochemore et al. 2001, "A fast
and practical bit-vector algorithm for the longest common subsequence problem").
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import LCSseq

# Rows kept at once: 13 MB for two sentences of 100,000 tokens, where all would take 1.3 GB.
_BLOCK = 1024


def lcs_length(one: Sequence[int], other: Sequence[int]) -> int:
    """Return the length of the longest common subsequence."""
    return LCSseq.similarity(one, other)


@dataclass(frozen=True, slots=True)
class Positions:
    """The positions of each token of a reference sentence, one bit per position."""

    of: dict[Hashable, int]
    everywhere: int

    @classmethod
    def find(cls, tokens: Sequence[int]) -> "Positions":
        """Find the positions of the tokens; the first is the lowest bit."""
        of: dict[Hashable, int] = {}
        for position, token in enumerate(tokens):
            of[token] = of.get(token, 0) | 1 << position
        return cls(of, (1 << len(tokens)) - 1)

    def on_path(self, prediction: Sequence[int]) -> int:
        """Return the positions on the longest common subsequence that rouge-score chooses.

        Moving up the reference from where the path stands, it stops in each row at the first
        position that either matches the row's token or makes the row grow. Only there can it
        leave the row. A token that is not in the reference repeats the row before it, but with
        growing positions alone to stop at, and so do many of them in sequence.
        """
        path = 0
        everywhere = above = self.everywhere
        only_growth = False
        masks = list(map(self.of.get, prediction))
        for block, start in self._blocks_from_the_end(masks):
            rows = self._rows(start, block)
            for matches in reversed(block):
                if matches is None:
                    only_growth = True
                    continue
                stops = everywhere ^ rows.pop()
                if not only_growth:
                    stops |= matches
                only_growth = False
                stops &= above
                if not stops:
                    return path
                last = 1 << (stops.bit_length() - 1)
                above = last - 1
                if matches & last:
                    path |= last
                else:
                    above |= last
        return path

    def _rows(self, row: int, masks: Sequence[int | None]) -> list[int]:
        """Return the rows after a row, one for each token that the reference has."""
        rows = []
        everywhere = self.everywhere
        for matches in filter(None, masks):
            common = row & matches
            row = ((row + common) | (row - common)) & everywhere
            rows.append(row)
        return rows

    def _blocks_from_the_end(self, masks: list[int | None]) -> list[tuple[list[int | None], int]]:
        """Cut the prediction into blocks, each with the row before it; last block first."""
        blocks = []
        row = self.everywhere
        for start in range(0, len(masks), _BLOCK):
            block = masks[start : start + _BLOCK]
            blocks.append((block, row))
            if start + _BLOCK < len(masks):
                row = [row, *self._rows(row, block)][-1]
        return blocks[::-1]
