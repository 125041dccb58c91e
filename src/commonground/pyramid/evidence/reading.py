"""Texts and units prepared for evidence: words with stems, weights and vectors."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from commonground.encoders import TokenVectors, wordpiece_tokenizer
from commonground.text import parse, places, segment, stem

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

Floats = NDArray[np.float32]

PARTS = ("number", "name", "object", "qualifier", "subject", "verb")

_NEGATIONS = frozenset(("no", "not", "never", "none", "nobody", "nothing", "neither", "nor"))
_NEGATIONS |= {"without", "cannot", "t"}  # "t" is the rest of "didn't"
_FIRST_WORD = 1996  # the first word of the vocabulary, which is sorted by frequency
_WORD = re.compile(r"\w")
_OBJECTS = frozenset(("dobj", "pobj", "attr", "oprd", "acomp", "dative"))
_JOINTS = frozenset(("IN", "TO", "RP"))  # a word attached to one of these belongs to its head


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


@dataclass(frozen=True, slots=True, eq=False)
class ReadText:
    """A text ready for comparison: words and vectors of its sentences, vectors of its clauses."""

    sentences: tuple[str, ...]
    words: tuple[Words, ...]
    vectors: Floats
    clauses: Floats


@dataclass(frozen=True, slots=True, eq=False)
class ReadUnit:
    """A unit ready for comparison.

    Attributes:
        text: The unit in words.
        words: Its words.
        vector: Its vector as a sentence.
        pooled: The mean of its token vectors, as for clauses.
        content: Whether a word is not a stop word.
        parts: `PARTS` x words: whether a word is one.
        heads: For each word the index of its head; its own for the root.
    """

    text: str
    words: Words
    vector: Floats
    pooled: Floats
    content: NDArray[np.bool_]
    parts: NDArray[np.bool_]
    heads: NDArray[np.int64]


def read(sentences: Sequence[str], tokens: Sequence[TokenVectors]) -> ReadText:
    """Prepare a text."""
    clauses = [
        _pool(encoded, clause.spans)
        for encoded, segmented in zip(tokens, segment(sentences), strict=True)
        for clause in segmented.finest
    ]
    return ReadText(
        sentences=tuple(sentences),
        words=tuple(map(words_of, sentences, tokens)),
        vectors=np.array([encoded.whole for encoded in tokens], dtype=np.float32),
        clauses=np.array(clauses, dtype=np.float32),
    )


def read_units(texts: Sequence[str], tokens: Sequence[TokenVectors]) -> list[ReadUnit]:
    """Prepare units; the parser marks the parts of their words."""
    from spacy.lang.en.stop_words import STOP_WORDS  # spaCy is slow to import

    units = []
    for text, encoded, doc in zip(texts, tokens, parse(texts), strict=True):
        words = words_of(text, encoded)
        lowered = [text[start:end].lower() for start, end in words.spans]
        content = np.array([word not in STOP_WORDS for word in lowered], dtype=bool)
        parts, heads = _parts_and_heads(text, words, content, doc)
        pooled = _pool(encoded, [(0, len(text))])
        units.append(ReadUnit(text, words, encoded.whole, pooled, content, parts, heads))
    return units


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
        _normalised(rows),
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


def _pool(encoded: TokenVectors, spans: Sequence[tuple[int, int]]) -> Floats:
    """Return the normalised mean of the token vectors in the spans; zeros without tokens."""
    starts, ends = encoded.offsets[:, 0], encoded.offsets[:, 1]
    inside = np.zeros(len(starts), dtype=bool)
    for start, end in spans:
        inside |= (starts < end) & (ends > start)
    rows = encoded.vectors[inside]
    if not len(rows):
        return np.zeros(rows.shape[1], dtype=np.float32)
    (vector,) = _normalised(rows.mean(axis=0, keepdims=True))
    return np.asarray(vector)


def _normalised(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def _parts_and_heads(
    text: str, words: Words, content: NDArray[np.bool_], doc: "Doc"
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Return parts and heads of the words, which the parser may split differently."""
    offsets = places(text)
    parts = np.zeros((len(PARTS), len(words.stems)), dtype=bool)
    heads = np.arange(len(words.stems))
    starts, ends = words.spans.T
    inside = []
    for token in doc:
        start = offsets[token.idx]
        inside.append(np.flatnonzero((starts < start + len(token)) & (ends > start)))
    for token in doc:
        own = inside[token.i]
        parts[:, own] |= _parts(token)[:, None]
        head = inside[_head(token).i]
        if len(head):
            heads[own] = head[0]
    parts[PARTS.index("verb")] &= content  # not "is" and "has"
    return parts, heads


def _parts(token: "Token") -> NDArray[np.bool_]:
    return np.array(
        [
            token.tag_ == "CD" or any(map(str.isdigit, token.text)),
            token.tag_ in ("NNP", "NNPS"),
            token.dep_ in _OBJECTS,
            token.tag_[:2] in ("JJ", "RB"),
            "subj" in token.dep_,
            token.tag_[:2] == "VB",
        ]
    )


def _head(token: "Token") -> "Token":
    """Return the head of a word, past prepositions and particles."""
    head = token.head
    while head.tag_ in _JOINTS and head.head.i != head.i:
        head = head.head
    return head
