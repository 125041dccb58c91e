"""Features of a unit and a text: how well the text's words cover the unit's.

Words are compared by stem and by the best match of their contextual vectors, so that a synonym
counts for something and the same word for more. All units are computed together, in batches whose
tables stay small however long the text is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter1d

from commonground.pyramid.evidence.units import PARTS, ReadUnit
from commonground.reading import Document

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

FEATURES = (
    "sentence cosine",  # best of the text's sentences
    "clause cosine",  # best of its clauses
    "stem recall",  # weighted share of the unit's stems anywhere in the text
    "stem recall in one sentence",
    "soft recall",  # the same by best match of contextual word vectors
    "soft recall in one sentence",
    "word recall",  # a stem counts 1, any other word its best match
    "weakest word",  # the content word with the worst match anywhere
    "weakest word in one sentence",
    "missing weight",  # total weight of content words without a match
    "pair recall",  # neighbouring stems that are neighbours in the text
    "numbers",  # word recall of some parts of the unit
    "names",
    "objects",
    "qualifiers",
    "negation",  # 1 if only one of unit and sentence negates
    "length",  # logarithm of the unit's number of words
)
"""The features of a unit and a text."""

WORD_FEATURES = (
    "soft",  # best match of its vector anywhere
    "soft in one sentence",  # in the sentence that shows the unit best
    "stem",  # 1 if the text has its stem
    "stem in one sentence",
    "around the sentence",  # best match, of stem or vector, in that sentence or the next to it
    "beginning",  # 1 if a stem starts with the same five letters
    "near its head",  # best match with a match of its head within six words
    "weight",
    "stop word",
    "place",  # position in the unit, from 0 to 1
    *PARTS,
)
"""The features of one word of a unit and a text."""

_RECALLED_PARTS = 4  # parts with a recall of their own
_CELLS = 1 << 20  # words of units x words of the text in one batch
_STOP_SHARE = 0.25  # weight of a stop word relative to a content word
_BEGINNING = 5  # letters: "investigate" and "investigator", and most spelling mistakes
_NEAR = 6  # maximum distance of a word from its head, in words


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Features of units in one text.

    Attributes:
        rows: Units x `FEATURES`.
        size: Logarithm of the number of words of the sentence that shows a unit best: in a longer
            sentence, chance matches are better.
        words: Words of all units x `WORD_FEATURES`.
        counts: Number of words of each unit.
        shown: The sentence that shows a unit best; -1 if the text or the unit has no words.
    """

    rows: Array
    size: Array
    words: Array
    counts: Ints
    shown: Ints


def features(units: Sequence[ReadUnit], text: Document) -> Features:
    """Compare units with a text."""
    counts = np.array([len(unit.parsed.words.stems) for unit in units], dtype=np.int64)
    rows = np.zeros((len(units), len(FEATURES)))
    size = np.zeros(len(units))
    words = np.zeros((counts.sum(), len(WORD_FEATURES)))
    shown = np.full(len(units), -1, dtype=np.int64)
    worded = np.flatnonzero(counts)
    if len(worded) and any(sentence.words.stems for sentence in text.parsed):
        text_words = _TextWords.of(text)
        starts = np.cumsum(counts) - counts
        for batch in _batches(worded, counts, len(text_words.ids)):
            batched = [units[index] for index in batch]
            matches = _match(batched, text_words)
            rows[batch, :2] = _cosines(batched, text)
            rows[batch, 2:] = _unit_features(matches)
            size[batch] = np.log1p(text_words.lengths[matches.best])
            shown[batch] = text_words.sentences[matches.best]
            first = starts[batch[0]]  # units without words leave no gap
            words[first : first + len(matches.unit_of)] = _word_features(matches)
    return Features(rows, size, words, counts, shown)


def _batches(indices: Ints, counts: Ints, width: int) -> Iterator[Ints]:
    """Yield indices of units whose words fit into one table; at least one unit."""
    start, cells = 0, 0
    for end, index in enumerate(indices):
        cells += int(counts[index]) * width
        if cells > _CELLS and end > start:
            yield indices[start:end]
            start, cells = end, int(counts[index]) * width
    yield indices[start:]


@dataclass(frozen=True, slots=True, eq=False)
class _TextWords:
    """The words of a text one after the other, without sentences that have no words."""

    sentences: Ints  # indices of the sentences with words
    starts: Ints
    lengths: Ints
    negated: NDArray[np.bool_]
    vectors: NDArray[np.float32]
    numbers: dict[str, int]  # of the stems
    ids: Ints
    beginnings: frozenset[str]
    pairs: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, text: Document) -> "_TextWords":
        sentences = [row for row, parsed in enumerate(text.parsed) if parsed.words.stems]
        kept = [text.parsed[row].words for row in sentences]
        counts = np.array([len(words.stems) for words in kept])
        numbers: dict[str, int] = {}
        ids = [numbers.setdefault(stem, len(numbers)) for words in kept for stem in words.stems]
        return cls(
            sentences=np.array(sentences),
            starts=np.cumsum(counts) - counts,
            lengths=counts,
            negated=np.array([words.negated for words in kept]),
            vectors=np.concatenate([words.vectors for words in kept]),
            numbers=numbers,
            ids=np.array(ids),
            beginnings=frozenset(stem[:_BEGINNING] for stem in numbers),
            pairs=frozenset(pair for words in kept for pair in pairwise(words.stems)),
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Matches:
    """The words of some units, one after the other, matched with a text."""

    unit_of: Ints  # the unit of each word
    first: Ints  # the first word of each unit
    counts: Ints  # number of words of each unit
    weights: Array  # of the words, from 0 to 1
    shares: Array  # the same with stop words lowered, adding up to 1 in each unit
    content: NDArray[np.bool_]  # content words; all words of a unit of stop words
    stop: NDArray[np.bool_]  # stop words
    parts: NDArray[np.bool_]  # as in `ReadUnit`
    soft: Array  # words x sentences: best match of the vector
    stem: Array  # words x sentences: 1 if the sentence has the stem
    beginning: Array  # 1 if a stem of the text starts alike
    near: Array  # best match with a match of the word's head nearby
    # Share of a unit's neighbouring stems that are neighbours in the text; nan for a single word.
    pairs: Array
    best: Ints  # the sentence that covers a unit best
    negation: Array  # 1 if only one of the unit and its best sentence negates

    def at_best(self, table: Array) -> Array:
        """Return the values of words x sentences in the best sentence of each word's unit."""
        return np.asarray(table[np.arange(len(self.unit_of)), self.best[self.unit_of]])

    def add(self, values: Array) -> Array:
        """Sum the values of words for each unit."""
        return np.asarray(np.add.reduceat(values, self.first, axis=0), dtype=np.float64)


def _match(units: Sequence[ReadUnit], text: _TextWords) -> _Matches:
    """Match units that have words."""
    counts = np.array([len(unit.parsed.words.stems) for unit in units])
    unit_of, first = np.repeat(np.arange(len(units)), counts), np.cumsum(counts) - counts
    stems = [stem for unit in units for stem in unit.parsed.words.stems]
    weights = np.concatenate([unit.parsed.words.weights for unit in units])
    stop = ~np.concatenate([unit.content for unit in units])
    shares = weights * np.where(stop, _STOP_SHARE, 1.0)
    shares /= np.add.reduceat(shares, first)[unit_of]
    # Every word of the units with every word of the text. Unit by unit: so small a product stays on
    # one thread, and starting a second costs more.
    cosine = np.concatenate([unit.parsed.words.vectors @ text.vectors.T for unit in units])
    same = np.array([text.numbers.get(stem, -1) for stem in stems])[:, None] == text.ids
    either = np.maximum(cosine, same)
    heads = np.concatenate([unit.heads for unit in units]) + first[unit_of]
    around = maximum_filter1d(either, 2 * _NEAR + 1, axis=1, mode="constant", cval=-1.0)
    soft = np.maximum.reduceat(cosine, text.starts, axis=1).astype(np.float64)
    stem = np.maximum.reduceat(same, text.starts, axis=1).astype(np.float64)
    covered = np.add.reduceat(shares[:, None] * np.maximum(soft, stem), first, axis=0)
    best = covered.argmax(axis=1)
    negated = np.array([unit.parsed.words.negated for unit in units])
    return _Matches(
        unit_of=unit_of,
        first=first,
        counts=counts,
        weights=weights,
        shares=shares,
        content=~stop | np.logical_and.reduceat(stop, first)[unit_of],
        stop=stop,
        parts=np.concatenate([unit.parts for unit in units], axis=1),
        soft=soft,
        stem=stem,
        beginning=np.array([stem[:_BEGINNING] in text.beginnings for stem in stems], dtype=float),
        near=np.minimum(either, around[heads]).max(axis=1).astype(np.float64),
        pairs=np.array([_pair_recall(unit.parsed.words.stems, text.pairs) for unit in units]),
        best=best,
        negation=(negated != text.negated[best]).astype(np.float64),
    )


def _pair_recall(stems: Sequence[str], known: frozenset[tuple[str, str]]) -> float:
    pairs = [pair in known for pair in pairwise(stems)]
    return sum(pairs) / len(pairs) if pairs else float("nan")


def _cosines(units: Sequence[ReadUnit], text: Document) -> Array:
    sentences = np.stack([unit.parsed.vector for unit in units]) @ text.vectors.T
    own_clauses = np.concatenate([parsed.clause_vectors for parsed in text.parsed])
    clauses = np.stack([unit.parsed.pooled for unit in units]) @ own_clauses.T
    return np.stack([sentences.max(axis=1), clauses.max(axis=1)], axis=1).astype(np.float64)


def _unit_features(matches: _Matches) -> Array:
    """Return `FEATURES` without the cosines."""
    shares, weights, content = matches.shares[:, None], matches.weights, matches.content
    stem, soft = matches.stem.max(axis=1), matches.soft.max(axis=1)
    anywhere = np.maximum(stem, soft)
    recall = matches.add(shares[:, 0] * anywhere)
    soft_there, stem_there = matches.at_best(matches.soft), matches.at_best(matches.stem)
    of_part = matches.parts[:_RECALLED_PARTS].T * weights[:, None]
    total = matches.add(of_part)
    covered = matches.add(of_part * np.maximum(soft_there, stem_there)[:, None])
    parts = np.where(total > 0, covered / np.where(total > 0, total, 1), recall[:, None])
    return np.column_stack(
        [
            matches.add(shares[:, 0] * stem),
            matches.add(shares * matches.stem).max(axis=1),
            matches.add(shares[:, 0] * soft),
            matches.add(shares * matches.soft).max(axis=1),
            recall,
            np.minimum.reduceat(np.where(content, soft, 2.0), matches.first),
            np.minimum.reduceat(np.where(content, soft_there, 2.0), matches.first),
            matches.add(weights * (1 - anywhere) * content),
            np.where(np.isnan(matches.pairs), recall, matches.pairs),
            parts,
            matches.negation,
            np.log1p(matches.counts),
        ]
    )


def _word_features(matches: _Matches) -> Array:
    either = np.maximum(matches.soft, matches.stem)
    best = matches.best[matches.unit_of]
    rows = np.arange(len(best))
    last = either.shape[1] - 1
    around = np.max([either[rows, np.clip(best + step, 0, last)] for step in (-1, 0, 1)], axis=0)
    position = (rows - matches.first[matches.unit_of]) / matches.counts[matches.unit_of]
    return np.column_stack(
        [
            matches.soft.max(axis=1),
            matches.at_best(matches.soft),
            matches.stem.max(axis=1),
            matches.at_best(matches.stem),
            around,
            matches.beginning,
            matches.near,
            matches.weights,
            matches.stop,
            position,
            matches.parts.T,
        ]
    )
