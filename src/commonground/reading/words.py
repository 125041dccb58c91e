"""The words of a sentence: stems, offsets, weights and vectors."""

import re
from dataclasses import dataclass
from functools import cache
from math import log

import numpy as np
from numpy.typing import NDArray

from commonground.encoders import TokenVectors, wordpiece_tokenizer
from commonground.text import stem

Floats = NDArray[np.float32]

_NEGATIONS = frozenset(("no", "not", "never", "none", "nobody", "nothing", "neither", "nor"))
_NEGATIONS |= {"without", "cannot", "t"}  # "t" is the rest of "didn't"
_FIRST_WORD = 1996  # the first word of the vocabulary, which is sorted by frequency
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The words of one sentence.

    Attributes:
        stems: Words with the same stem count as the same word.
        spans: Offsets in the sentence.
        weights: From 0 to 1; the rarer the word in general, the higher.
        vectors: A unit row for each word in its context.
        negated: Whether one of them negates.
    """

    stems: tuple[str, ...]
    spans: NDArray[np.int64]
    weights: NDArray[np.float64]
    vectors: Floats
    negated: bool


def words_of(sentence: str, encoded: TokenVectors) -> Words:
    """Join word pieces into words, without punctuation."""
    starts = [
        index
        for index, piece in enumerate(encoded.tokens)
        if not piece.startswith("##") or index == 0
    ]
    ends = [*starts, len(encoded.tokens)][1:]
    stems, spans, weights, vectors = [], [], [], []
    for first, last in zip(starts, ends, strict=True):
        start, end = int(encoded.offsets[first, 0]), int(encoded.offsets[last - 1, 1])
        if not _WORD.search(sentence[start:end]):
            continue
        pieces = encoded.tokens[first:last]
        word = "".join(piece.removeprefix("##") for piece in pieces)
        stems.append(stem(word) if len(word) > 3 else word)
        spans.append((start, end))
        weights.append(word_weight(pieces[0]) if len(pieces) == 1 else 1.0)
        vectors.append(encoded.vectors[first:last].mean(axis=0))
    rows = np.array(vectors, dtype=np.float32).reshape(len(vectors), encoded.vectors.shape[1])
    return Words(
        tuple(stems),
        np.array(spans, dtype=np.int64).reshape(-1, 2),
        np.array(weights, dtype=np.float64),
        normalised(rows),
        not _NEGATIONS.isdisjoint(stems),
    )


@cache
def word_weight(word: str) -> float:
    """Return the information of a word, by Zipf's law on its rank in the vocabulary."""
    tokenizer = wordpiece_tokenizer()
    number = tokenizer.token_to_id(word)
    if number is None:
        return 1.0
    rank = max(1, number - _FIRST_WORD + 1)
    return log(1 + rank) / log(1 + tokenizer.get_vocab_size())


def normalised(rows: Floats) -> Floats:
    """Return the rows with length 1; zeros stay."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=np.float32)
