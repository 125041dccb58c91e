"""The positions of a reference on longest common subsequences with the lines of a prediction.

ROUGE-Lsum needs the positions of a longest common subsequence. There can be several of one
length, and rouge-score's choice affects the score, because it takes the union over sentences. It
walks back from the ends of both sequences: it takes a match if there is one; else it drops the
reference's last token if the rest has a common subsequence as long; else the prediction's.

The table of lengths is bit-parallel. Along the reference a row grows by 0 or 1 at each position,
so one integer holds a row: the positions where it does *not* grow. A token of the prediction turns
a row into the next one in four operations (Crochemore et al. 2001, "A fast and practical bit-vector
algorithm for the longest common subsequence problem").
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from operator import or_
from typing import Final

# Rows kept at once: 13 MB for two sentences of 100,000 tokens, where all would take 1.3 GB.
_BLOCK = 1024

# A token of so few different sentences is rare.
_RARE: Final = 16
_OTHER: Final = -1  # stands for tokens that the reference sentence does not have

_Sentence = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Positions:
    """The positions of each token of a reference sentence, one bit per position."""

    of: dict[int, int]
    everywhere: int

    @classmethod
    def find(cls, tokens: Sequence[int]) -> "Positions":
        """Find the positions of the tokens; the first is the lowest bit."""
        of: dict[int, int] = {}
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


@dataclass(frozen=True, slots=True)
class Wordings:
    """The different sentences of a prediction, by token.

    Attributes:
        rare: The sentences with a rare token, by that token.
        frequent: By frequent token, the wordings: sentences without their rare tokens. Many
            sentences can share one.
        left_out: The sets of rare tokens that were left out of a wording, one for each sentence.
    """

    rare: dict[int, list[_Sentence]]
    frequent: dict[int, list[_Sentence]]
    left_out: dict[_Sentence, list[frozenset[int]]]

    @classmethod
    def find(cls, sentences: Sequence[Sequence[int]]) -> "Wordings":
        """Sort sentences by their tokens."""
        by_token: dict[int, list[_Sentence]] = {}
        different = dict.fromkeys(map(tuple, sentences))
        for sentence in different:
            for token in dict.fromkeys(sentence):
                by_token.setdefault(token, []).append(sentence)
        rare = {token: found for token, found in by_token.items() if len(found) <= _RARE}
        left_out: dict[_Sentence, list[frozenset[int]]] = {}
        frequent: dict[int, list[_Sentence]] = {}
        for sentence in different:
            wording = tuple(_without(sentence, rare))
            left_out.setdefault(wording, []).append(frozenset(sentence) & rare.keys())
        for wording in left_out:
            for token in dict.fromkeys(wording):
                frequent.setdefault(token, []).append(wording)
        return cls(rare, frequent, left_out)

    def union(self, positions: Positions) -> int:
        """Return the positions on the path with any of the sentences.

        A path has only positions of tokens that its sentence has, so a sentence is skipped if
        the union has all of these. Sentences that share rare tokens with the reference come
        first; to all others, rare tokens are tokens that the reference does not have.
        """
        shared = positions.of.keys() & (self.rare.keys() | self.frequent.keys())
        everything = reduce(or_, (positions.of[token] for token in shared), 0)
        rare = shared & self.rare.keys()
        union = 0
        for sentence in dict.fromkeys(one for token in sorted(rare) for one in self.rare[token]):
            if union == everything:
                return union
            union |= positions.on_path(sentence)
        tried = set[_Sentence]()
        for token in sorted(shared - rare, key=lambda one: (len(self.frequent[one]), one)):
            places = positions.of[token]
            for wording in self.frequent[token]:
                if places & union == places:
                    break
                if wording not in tried:
                    tried.add(wording)
                    if any(tokens.isdisjoint(rare) for tokens in self.left_out[wording]):
                        union |= positions.on_path(wording)
        return union


def _without(sentence: _Sentence, rare: dict[int, list[_Sentence]]) -> Iterator[int]:
    """Yield the tokens, with one number for each run of rare ones."""
    for is_rare, run in groupby(sentence, rare.__contains__):
        yield from (_OTHER,) if is_rare else run
