"""Texts and units as evidence sees them: words with stems, weights and vectors."""

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

_NEGATIONS = frozenset(("no", "not", "never", "none", "nobody", "nothing", "neither", "nor"))
_NEGATIONS |= {"without", "cannot", "t"}  # "t" is what is left of "didn't"
_FIRST_WORD = 1996  # where the vocabulary's words begin, the most frequent first
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The words of one sentence.

    Attributes:
        stems: What two words must share to be the same word.
        spans: Where they are in the sentence.
        weights: From 0 to 1, the rarer the word in general the higher.
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
    """Sentences ready to be compared: words one after the other, sentences by their starts."""

    sentences: tuple[str, ...]
    words: tuple[Words, ...]
    vectors: Floats
    clauses: Floats


def read(sentences: Sequence[str], tokens: Sequence[TokenVectors]) -> ReadText:
    """Read a text once; every unit is then compared with what this returns."""
    kept = tuple(sentences)
    words = tuple(words_of(sentence, found) for sentence, found in zip(kept, tokens, strict=True))
    clauses = [
        pool(found, part.spans)
        for found, segmented in zip(tokens, segment(kept), strict=True)
        for part in segmented.finest
    ]
    return ReadText(
        sentences=kept,
        words=words,
        vectors=np.array([found.whole for found in tokens], dtype=np.float32),
        clauses=np.array(clauses, dtype=np.float32),
    )


def words_of(sentence: str, found: TokenVectors) -> Words:
    """Join word pieces into words; punctuation is left out."""
    starts = [
        place
        for place, piece in enumerate(found.tokens)
        if not piece.startswith("##") or place == 0
    ]
    ends = [*starts, len(found.tokens)][1:]
    stems, spans, weights, vectors = [], [], [], []
    for first, last in zip(starts, ends, strict=True):
        start, end = int(found.offsets[first, 0]), int(found.offsets[last - 1, 1])
        if not _WORD.search(sentence[start:end]):
            continue
        pieces = found.tokens[first:last]
        word = "".join(piece.removeprefix("##") for piece in pieces)
        stems.append(stem(word) if len(word) > 3 else word)
        spans.append((start, end))
        weights.append(word_weight(pieces[0]) if len(pieces) == 1 else 1.0)
        vectors.append(found.vectors[first:last].mean(axis=0))
    rows = np.array(vectors, dtype=np.float32).reshape(len(vectors), found.vectors.shape[1])
    return Words(
        tuple(stems),
        np.array(spans, dtype=np.int64).reshape(-1, 2),
        np.array(weights, dtype=np.float64),
        _units(rows),
        not _NEGATIONS.isdisjoint(stems),
    )


def subset(words: Words, kept: NDArray[np.int64]) -> Words:
    """Some of the words."""
    stems = tuple(words.stems[place] for place in kept)
    negated = not _NEGATIONS.isdisjoint(stems)
    return Words(stems, words.spans[kept], words.weights[kept], words.vectors[kept], negated)


def unit_mean(rows: Floats) -> Floats:
    """The mean of rows at length 1; zeros where there are none."""
    if not len(rows):
        return np.zeros(rows.shape[1], dtype=np.float32)
    (vector,) = _units(rows.mean(axis=0, keepdims=True))
    return np.asarray(vector, dtype=np.float32)


@cache
def word_weight(word: str) -> float:
    """How much a word tells, by Zipf's law on its rank in the tokenizer's vocabulary."""
    tokenizer = wordpiece_tokenizer()
    number = tokenizer.token_to_id(word)
    if number is None:
        return 1.0
    rank = max(1, number - _FIRST_WORD + 1)
    return log(1 + rank) / log(1 + tokenizer.get_vocab_size())


def pool(found: TokenVectors, spans: Sequence[tuple[int, int]]) -> Floats:
    """The unit mean of the token vectors that lie in the spans."""
    starts, ends = found.offsets[:, 0], found.offsets[:, 1]
    inside = np.zeros(len(starts), dtype=bool)
    for start, end in spans:
        inside |= (starts < end) & (ends > start)
    return unit_mean(found.vectors[inside])


def _units(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=np.float32)


PARTS = ("number", "name", "object", "qualifier", "subject", "verb")

_OBJECTS = frozenset(("dobj", "pobj", "attr", "oprd", "acomp", "dative"))
_JOINTS = frozenset(("IN", "TO", "RP"))  # a word that hangs on one of these belongs to its head


@dataclass(frozen=True, slots=True, eq=False)
class ReadUnit:
    """A unit ready to be compared with texts.

    Attributes:
        text: As it was given.
        words: Its words.
        vector: Its vector as a sentence.
        pooled: A vector made of its token vectors, as a clause's is.
        content: Whether a word is no stop word.
        parts: `PARTS` x words: whether a word is one.
        heads: For each word the place of the word it belongs to, its own for the root.
    """

    text: str
    words: Words
    vector: NDArray[np.float32]
    pooled: NDArray[np.float32]
    content: NDArray[np.bool_]
    parts: NDArray[np.bool_]
    heads: NDArray[np.int64]


def read_units(texts: Sequence[str], tokens: Sequence[TokenVectors]) -> list[ReadUnit]:
    """Units with their words marked by the parser's tags and dependencies."""
    from spacy.lang.en.stop_words import STOP_WORDS  # spaCy is slow to import

    units = []
    for text, found, doc in zip(texts, tokens, parse(texts), strict=True):
        words = words_of(text, found)
        lowered = [text[start:end].lower() for start, end in words.spans]
        content = np.array([word not in STOP_WORDS for word in lowered], dtype=bool)
        parts, heads = _marks(text, words, content, doc)
        whole = pool(found, [(0, len(text))])
        units.append(ReadUnit(text, words, found.whole, whole, content, parts, heads))
    return units


def part_of(unit: ReadUnit, text: str, kept: NDArray[np.bool_]) -> ReadUnit:
    """A unit of some of another one's words, with their vectors in the whole.

    Args:
        unit: The whole.
        text: The words that are left, for people.
        kept: For each word of the whole, whether it is left.
    """
    places_left = np.cumsum(kept) - 1
    own = np.flatnonzero(kept)
    heads = np.where(kept[unit.heads[own]], places_left[unit.heads[own]], places_left[own])
    words = subset(unit.words, own)
    vector = unit_mean(words.vectors)
    return ReadUnit(text, words, vector, vector, unit.content[own], unit.parts[:, own], heads)


def _marks(
    text: str, words: Words, content: NDArray[np.bool_], doc: "Doc"
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """What the words are and the places of their heads; the parser may cut words otherwise."""
    at = places(text)
    parts = np.zeros((len(PARTS), len(words.stems)), dtype=bool)
    heads = np.arange(len(words.stems))
    inside = [
        np.flatnonzero((words.spans[:, 0] < at[t.idx] + len(t)) & (words.spans[:, 1] > at[t.idx]))
        for t in doc
    ]
    for token in doc:
        own = inside[token.i]
        parts[:, own] |= _kinds(token)[:, None]
        head = inside[_head(token).i]
        if len(head):
            heads[own] = head[0]
    parts[PARTS.index("verb")] &= content  # not "is" and "has"
    return parts, heads


def _kinds(token: "Token") -> NDArray[np.bool_]:
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
    """The word it belongs to, past prepositions and particles."""
    head = token.head
    while head.tag_ in _JOINTS and head.head.i != head.i:
        head = head.head
    return head
