"""A document: the sentences of a text with everything that later steps need."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from commonground.encoders import (
    Encoder,
    TokenEncoder,
    TokenVectors,
    as_encoder,
    wordpiece_tokenizer,
)
from commonground.errors import InputError
from commonground.text import Segment, Sentence, parse, places, segment_parsed, stem

if TYPE_CHECKING:
    from spacy.tokens import Doc

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

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


@dataclass(frozen=True, slots=True, eq=False)
class Parsed:
    """A closely read sentence.

    Attributes:
        sentence: Its text and offsets.
        doc: Its parse.
        offsets: The offset in the sentence of each character of the parse.
        words: Its words with their vectors.
        rows: For each token of the parse the row of its word; -1 for punctuation.
        vector: Its vector, a unit row.
        pooled: The mean of its token vectors, as for clauses.
        clauses: The finest segmentation; offsets count from the start of the sentence.
        clause_vectors: A unit row for each clause.
    """

    sentence: Sentence
    doc: "Doc"
    offsets: Sequence[int]
    words: Words
    rows: Ints
    vector: Floats
    pooled: Floats
    clauses: tuple[Segment, ...]
    clause_vectors: Floats

    @classmethod
    def of(cls, sentence: Sentence, doc: "Doc", tokens: TokenVectors) -> "Parsed":
        """Join the parse of a sentence and its token vectors."""
        text = sentence.text
        words, offsets = words_of(text, tokens), places(text)
        clauses = segment_parsed(text, doc).finest
        return cls(
            sentence,
            doc,
            offsets,
            words,
            _rows(words, np.array([offsets[token.idx] for token in doc], dtype=np.int64)),
            tokens.whole,
            _pool(tokens, [(0, len(text))]),
            clauses,
            np.array([_pool(tokens, clause.spans) for clause in clauses], dtype=np.float32),
        )

    @property
    def text(self) -> str:
        """The sentence."""
        return self.sentence.text

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the offsets in the text of characters of the parse."""
        base = self.sentence.start
        return base + self.offsets[start], base + self.offsets[end - 1] + 1


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """The sentences of a text, all with vectors; those of a very long text not all parsed.

    Attributes:
        sentences: All sentences, in order.
        vectors: A unit row for each sentence.
        close: The indices of the closely read sentences, in order.
        parsed: These sentences.
        encoder: What the vectors come from.
    """

    sentences: tuple[Sentence, ...]
    vectors: Floats
    close: Ints
    parsed: tuple[Parsed, ...]
    encoder: TokenEncoder

    @property
    def texts(self) -> list[str]:
        """The text of each sentence."""
        return [sentence.text for sentence in self.sentences]

    def only(self, row: int) -> "Document":
        """Return one closely read sentence as a document."""
        parsed = self.parsed[row]
        vectors = self.vectors[self.close[[row]]]
        return Document((parsed.sentence,), vectors, np.zeros(1, int), (parsed,), self.encoder)


def token_encoder(encoder: str | Encoder) -> TokenEncoder:
    """Return an encoder, loaded if it is a name; raise InputError without token vectors."""
    loaded = as_encoder(encoder)
    if not isinstance(loaded, TokenEncoder):
        raise InputError(f"evidence needs token vectors, which {loaded.name!r} has not")
    return loaded


def read(
    sentences: Sequence[Sentence],
    encoder: TokenEncoder,
    *,
    vectors: Floats | None = None,
    close: Ints | None = None,
    entities: bool = False,
) -> Document:
    """Encode and parse sentences; this is the slow step.

    Args:
        sentences: Sentences of one text, in order.
        encoder: Gives the vectors of sentences and words.
        vectors: Vectors of all sentences, if only some of them are read closely.
        close: Indices of the sentences to read closely (default: all).
        entities: Also find named entities, lemmas and coarse parts of speech.
    """
    indices = np.arange(len(sentences)) if close is None else close
    chosen = [sentences[index] for index in indices]
    texts = [sentence.text for sentence in chosen]
    parsed = tuple(map(Parsed.of, chosen, parse(texts, entities=entities), encoder.tokens(texts)))
    if vectors is None:
        rows = [sentence.vector for sentence in parsed]
        vectors = np.array(rows, dtype=np.float32) if rows else encoder.encode([])
    return Document(tuple(sentences), vectors, indices, parsed, encoder)


def _rows(words: Words, starts: Ints) -> Ints:
    """Return the word that each start lies in; -1 for none."""
    if not len(words.spans):
        return np.full(len(starts), -1, dtype=np.int64)
    first, end = words.spans.T
    rows = np.minimum(np.searchsorted(end, starts, side="right"), len(end) - 1)
    return np.where((first[rows] <= starts) & (starts < end[rows]), rows, -1)


def _pool(tokens: TokenVectors, spans: Sequence[tuple[int, int]]) -> Floats:
    """Return the normalised mean of the token vectors in the spans; zeros without tokens."""
    starts, ends = tokens.offsets[:, 0], tokens.offsets[:, 1]
    inside = np.zeros(len(starts), dtype=bool)
    for start, end in spans:
        inside |= (starts < end) & (ends > start)
    rows = tokens.vectors[inside]
    if not len(rows):
        return np.zeros(rows.shape[1], dtype=np.float32)
    (vector,) = normalised(rows.mean(axis=0, keepdims=True))
    return np.asarray(vector)
