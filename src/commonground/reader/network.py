"""The network behind the reader: word pieces in, logits out.

It encodes chunks of a text, then reads sentences against them.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from commonground.encoders import readable_text, wordpiece_tokenizer
from commonground.models import open_session, runtime_name

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

LAYERS, HEADS, WIDTH = 6, 12, 32
TEXT, SENTENCE = 0, 1  # the two sides, as the network was trained
_ENCODED = ["keys", "values"]
_READ = ["classes", "words"]
_WORD = re.compile(r"\S+")

START, END = 101, 102
"""The markers around every input, [CLS] and [SEP]."""

WINDOW = 160
"""Pieces of a sentence that are read at once, as in training; a longer one is read in parts."""

In = TypeVar("In")
Out = TypeVar("Out")


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """A sentence as word pieces.

    Attributes:
        ids: The pieces.
        words: For each piece the index of its word.
        spans: Start and end of each word in the sentence; words are what white space separates.
    """

    ids: Ints
    words: Ints
    spans: tuple[tuple[int, int], ...]

    def windows(self) -> Iterator[tuple[Ints, Ints]]:
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
    tokenizer = Tokenizer.from_str(wordpiece_tokenizer().to_str())  # a copy that never truncates
    tokenizer.no_truncation()
    return tokenizer


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """Keys and values of a text's tokens: layers x heads x tokens x width.

    The arrays are of the network's own type, on its own device.
    """

    keys: Any
    values: Any

    def part(self, tokens: slice) -> "Encoded":
        """Return some of the tokens."""
        return Encoded(self.keys[:, :, tokens], self.values[:, :, tokens])


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A sentence (pieces without markers) and the parts of a text it is read against."""

    ids: Ints
    past: Sequence[Encoded]


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """Raw answers for a sentence: four logits, and one for each piece."""

    classes: Floats
    pieces: Floats


class Network(Protocol):
    """What the reader needs of a network."""

    version: str

    def encode(self, chunks: Sequence[Ints], pool: Executor | None = None) -> list[Encoded]:
        """Encode chunks of text, markers included."""
        ...

    def read(self, asked: Sequence[Question], pool: Executor | None = None) -> list[Answer]:
        """Read each sentence against its text."""
        ...


NOTHING = Encoded(
    np.zeros((LAYERS, HEADS, 0, WIDTH), dtype=np.float32),
    np.zeros((LAYERS, HEADS, 0, WIDTH), dtype=np.float32),
)


class OnnxNetwork:
    """The network on the CPU, run by onnxruntime.

    Sentences are never batched, so the answer to one does not depend on the others.
    """

    def __init__(self, path: Path) -> None:
        self.version = runtime_name()
        self._session = open_session(path)

    def encode(self, chunks: Sequence[Ints], pool: Executor | None = None) -> list[Encoded]:
        """Encode chunks of text, markers included."""
        return _each(self._encode, chunks, pool)

    def read(self, asked: Sequence[Question], pool: Executor | None = None) -> list[Answer]:
        """Read each sentence against its text."""
        return _each(self._read, asked, pool)

    def _encode(self, ids: Ints) -> Encoded:
        return Encoded(*self._session.run(_ENCODED, _inputs(ids, TEXT, NOTHING)))

    def _read(self, question: Question) -> Answer:
        framed = np.concatenate([[START], question.ids, [END]])
        past = question.past[0] if len(question.past) == 1 else _joined(question.past)
        classes, pieces = self._session.run(_READ, _inputs(framed, SENTENCE, past))
        return Answer(classes, pieces[1:-1])


def _each(function: Callable[[In], Out], items: Sequence[In], pool: Executor | None) -> list[Out]:
    return list(pool.map(function, items) if pool else map(function, items))


def _joined(parts: Sequence[Encoded]) -> Encoded:
    return Encoded(
        np.concatenate([part.keys for part in parts], axis=2),
        np.concatenate([part.values for part in parts], axis=2),
    )


def _inputs(ids: Ints, side: int, past: Encoded) -> Mapping[str, NDArray[Any]]:
    """Return the inputs of the graph."""
    return {
        "ids": ids,
        "positions": np.arange(len(ids), dtype=np.int64),
        "sides": np.full(len(ids), side, dtype=np.int64),
        # An input for each layer: the graph would copy the layers of a single one.
        **{f"past_keys_{layer}": keys for layer, keys in enumerate(past.keys)},
        **{f"past_values_{layer}": values for layer, values in enumerate(past.values)},
    }
