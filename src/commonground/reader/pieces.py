"""Sentences as word pieces, with the word that each piece is part of."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from commonground.encoders import readable_text
from commonground.encoders import wordpiece_tokenizer as make_tokenizer

START, END = 101, 102
"""The markers around every input, [CLS] and [SEP]."""

WINDOW = 160
"""Pieces of a sentence that are read at once, as in training; a longer one is read in parts."""

_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """A sentence as word pieces.

    Attributes:
        ids: The pieces.
        words: For each piece the index of its word.
        spans: Start and end of each word in the sentence; words are what white space separates.
    """

    ids: NDArray[np.int64]
    words: NDArray[np.int64]
    spans: tuple[tuple[int, int], ...]

    def windows(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Yield pieces and words in parts of at most `WINDOW`, cut between words if possible."""
        start = 0
        while start < len(self.ids):
            end = min(start + WINDOW, len(self.ids))
            if end < len(self.ids):
                first = int(np.searchsorted(self.words, self.words[end]))
                end = first if first > start else end
            yield self.ids[start:end], self.words[start:end]
            start = end


@lru_cache(maxsize=4096)
def pieces_of(sentence: str) -> Pieces:
    """Cut a sentence into word pieces; a word of control characters has none."""
    spans = tuple(match.span() for match in _WORD.finditer(sentence))
    words = [readable_text(sentence[start:end]) for start, end in spans]
    encoding = _tokenizer().encode(words, is_pretokenized=True, add_special_tokens=False)
    ids = np.array(encoding.ids, dtype=np.int64)
    return Pieces(ids, np.array(encoding.word_ids, dtype=np.int64), spans)


@lru_cache(maxsize=1)
def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer.from_str(make_tokenizer().to_str())  # a copy that never truncates
    tokenizer.no_truncation()
    return tokenizer
