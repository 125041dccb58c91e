"""`static`: the mean of token vectors that do not depend on context."""

import re
from itertools import chain
from pathlib import Path
from typing import Unpack

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from commonground.encoders.base import BaseEncoder, Options
from commonground.encoders.protocol import Vectors

_TOKENS_AT_ONCE = 100_000  # limits the memory for a very long text
_MOST_WORDS = 200_000  # in the cache: about 50 MB

# With these a word's tokens may depend on its neighbours: the tokenizer's sign for a space, and
# the first sign of its markers.
_UNUSUAL = re.compile("[\u2581<]")


class _Words(dict[str, list[int]]):
    """A cache of the tokens of each word.

    No token spans two words, so the tokens of a text are those of its words; the lookup is six
    times faster than tokenizing.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        super().__init__()
        self._tokenizer = tokenizer

    def __missing__(self, word: str) -> list[int]:
        if len(self) >= _MOST_WORDS:
            self.clear()
        self[word] = self._tokenizer.encode(word, add_special_tokens=False).ids
        return self[word]

    def tokens(self, text: str) -> list[int]:
        """Return the tokens of a text whose words are separated by single spaces."""
        if _UNUSUAL.search(text):
            return self._tokenizer.encode(text, add_special_tokens=False).ids
        return list(chain.from_iterable(map(self.__getitem__, text.split(" "))))


class StaticEncoder(BaseEncoder):
    """Static token vectors, read from the carrier's files without its code.

    There is no cache: reading from disk would be slower.
    """

    cached = False

    def __init__(
        self,
        name: str,
        fingerprint: str,
        weights: Path,
        tokenizer: Path,
        **options: Unpack[Options],
    ) -> None:
        (table,) = load_file(weights).values()
        super().__init__(name, fingerprint, table.shape[1], **options)
        self._table: Vectors = table.astype(np.float32)
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._words = _Words(self._tokenizer)

    def _encode_unique(self, texts: list[str]) -> Vectors:
        tokens = self._words.tokens
        return np.array([self._mean(tokens(text)) for text in texts], dtype=np.float32)

    def _mean(self, ids: list[int]) -> Vectors:
        first, *others = range(0, max(len(ids), 1), _TOKENS_AT_ONCE)
        total = self._sum(ids[first : first + _TOKENS_AT_ONCE])
        for start in others:
            total += self._sum(ids[start : start + _TOKENS_AT_ONCE])
        return total / np.float32(max(len(ids), 1))

    def _sum(self, ids: list[int]) -> Vectors:
        rows = self._table.take(np.array(ids, dtype=np.intp), axis=0)
        total: Vectors = np.add.reduce(rows, axis=0)
        return total
