"""`static` and `sif`: means of token vectors that do not depend on context."""

import json
import re
from dataclasses import dataclass
from hashlib import sha256
from importlib import resources
from itertools import chain
from pathlib import Path
from typing import Unpack

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from commonground.encoders.base import BaseEncoder, Options, Vectors
from commonground.errors import ModelError

_TOKENS_AT_ONCE = 100_000  # limits the memory for a very long text
_MOST_WORDS = 200_000  # in the cache: about 50 MB

# With these a word's tokens may depend on its neighbours: the tokenizer's sign for a space, and
# the first sign of its markers.
_UNUSUAL = re.compile("[\u2581<]")

_SMOOTHING = 1e-3  # the `a` of Arora, Liang and Ma (2017)
_NOT_LEARNT = re.compile(r"<(unk|/?s|0x[0-9A-F]{2})>")  # markers and raw bytes
_COMPONENT = "data/sif-component.json"


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


@dataclass(frozen=True, slots=True, eq=False)
class Component:
    """The direction that all texts share: a unit vector, and the hash of it and its table."""

    direction: Vectors
    fingerprint: str


class SifEncoder(StaticEncoder):
    """Smooth inverse frequency (Arora, Liang and Ma 2017) over the table of `static`.

    A token has the weight a / (a + p), where p is its frequency and a is 0.001. The projection
    of the weighted mean on a fixed direction, the first component of the means of many texts, is
    removed; the direction is in `data/sif-component.json`. Both steps are linear, so they are
    applied once, to the table of `static`.
    """

    def __init__(
        self,
        name: str,
        component: Component,
        weights: Path,
        tokenizer: Path,
        **options: Unpack[Options],
    ) -> None:
        super().__init__(name, component.fingerprint, weights, tokenizer, **options)
        weighted = weigh(self._table, frequencies(self._tokenizer))
        self._table = leave_out(weighted, component.direction)


def weigh(table: Vectors, frequency: NDArray[np.float64]) -> Vectors:
    """Multiply each token vector by its weight."""
    weights = _SMOOTHING / (_SMOOTHING + frequency)
    return (table * weights[:, None]).astype(np.float32)


def leave_out(vectors: Vectors, direction: Vectors) -> Vectors:
    """Remove the projection on a direction of length 1."""
    return vectors - np.outer(vectors @ direction, direction)


def frequencies(tokenizer: Tokenizer) -> NDArray[np.float64]:
    """Estimate each token's frequency by Zipf's law from the order of the vocabulary.

    The tokenizer learnt the most frequent pieces first, so the number of a piece is its rank;
    single characters follow in a series of their own. The k-th token of either series has a
    share proportional to 1/k; markers and raw bytes have none.
    """
    tokens = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    single = np.array([len(token) == 1 for token, _ in tokens])
    learnt = np.array([not _NOT_LEARNT.fullmatch(token) for token, _ in tokens])
    shares = np.zeros(len(tokens))
    for series in (learnt & single, learnt & ~single):
        shares[series] = 1 / np.arange(1, series.sum() + 1)
    frequency: NDArray[np.float64] = shares / shares.sum()
    return frequency


def read_component(table_fingerprint: str) -> Component:
    """Return the direction fitted for the table with this fingerprint."""
    text = resources.files(__package__).joinpath(_COMPONENT).read_text(encoding="utf-8")
    data = json.loads(text)
    if data["table"] != table_fingerprint:
        raise ModelError(f"sif was fitted on the table {data['table'][:8]}; run bench/fit_sif.py")
    direction = np.array(data["component"], dtype=np.float32)
    digest = sha256(table_fingerprint.encode() + direction.astype("<f4").tobytes())
    return Component(direction, digest.hexdigest())
