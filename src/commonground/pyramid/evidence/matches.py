"""The words of units matched with the words of a text, by stem and by contextual vector."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter1d

from commonground.pyramid.evidence.reading import ReadText, ReadUnit

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

_STOP_SHARE = 0.25  # what a stop word's weight is worth beside a content word's
_BEGINNING = 5  # letters: "investigate" and "investigator", and most slips of the pen
_NEAR = 6  # words between a word and its head, at most


@dataclass(frozen=True, slots=True, eq=False)
class TextWords:
    """A text's words in a row, its stems as numbers; sentences without words are left out."""

    filled: Ints  # places of the sentences that have words
    starts: Ints
    lengths: Ints
    negated: NDArray[np.bool_]
    vectors: NDArray[np.float32]
    numbers: dict[str, int]
    ids: Ints
    beginnings: frozenset[str]
    pairs: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, text: ReadText) -> "TextWords":
        """Of a text that has words."""
        filled = [place for place, words in enumerate(text.words) if words.stems]
        kept = [text.words[place] for place in filled]
        counts = np.array([len(words.stems) for words in kept])
        numbers: dict[str, int] = {}
        ids = [numbers.setdefault(stem, len(numbers)) for words in kept for stem in words.stems]
        return cls(
            filled=np.array(filled),
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
class Matches:
    """The words of some units, one after the other, in a text.

    Attributes:
        of: For each word the number of its unit.
        first: Each unit's first word.
        counts: How many words each unit has.
        weights: Of the words, from 0 to 1.
        shares: The same with stop words lowered, adding up to 1 in each unit.
        content: Words that count as content; all of them in a unit of stop words.
        stop: Stop words.
        parts: What the words are, as in `ReadUnit`.
        soft: Words x sentences: the best match of the vector.
        stem: Words x sentences: 1 where the stem is there.
        beginning: 1 where a stem of the text begins alike.
        near: The best match anywhere that has a match of the word's head close by.
        pairs: For each unit the share of neighbours that are neighbours; of one word, nan.
        best: For each unit the sentence that has most of it.
        negation: For each unit, 1 where only one of it and the best sentence negates.
    """

    of: Ints
    first: Ints
    counts: Ints
    weights: Array
    shares: Array
    content: NDArray[np.bool_]
    stop: NDArray[np.bool_]
    parts: NDArray[np.bool_]
    soft: Array
    stem: Array
    beginning: Array
    near: Array
    pairs: Array
    best: Ints
    negation: Array

    @property
    def at_best(self) -> tuple[Ints, Ints]:
        """The cells of each word in the best sentence of its unit."""
        return np.arange(len(self.of)), self.best[self.of]

    def add(self, values: Array) -> Array:
        """Values of words added up for each unit."""
        return np.asarray(np.add.reduceat(values, self.first, axis=0), dtype=np.float64)


def match(units: Sequence[ReadUnit], text: TextWords) -> Matches:
    """Match units that have words."""
    counts = np.array([len(unit.words.stems) for unit in units])
    of, first = np.repeat(np.arange(len(units)), counts), np.cumsum(counts) - counts
    stems = [stem for unit in units for stem in unit.words.stems]
    weights = np.concatenate([unit.words.weights for unit in units])
    stop = ~np.concatenate([unit.content for unit in units])
    shares = weights * np.where(stop, _STOP_SHARE, 1.0)
    shares /= np.add.reduceat(shares, first)[of]
    soft, same = _cells(units, stems, text)
    heads = np.concatenate([unit.heads for unit in units]) + first[of]
    near = _near(np.maximum(soft, same), heads)
    by_sentence = np.maximum.reduceat(soft, text.starts, axis=1).astype(np.float64)
    stem = np.maximum.reduceat(same, text.starts, axis=1).astype(np.float64)
    most = np.add.reduceat(shares[:, None] * np.maximum(by_sentence, stem), first, axis=0)
    best = most.argmax(axis=1)
    negated = np.array([unit.words.negated for unit in units])
    return Matches(
        of=of,
        first=first,
        counts=counts,
        weights=weights,
        shares=shares,
        content=~stop | np.logical_and.reduceat(stop, first)[of],
        stop=stop,
        parts=np.concatenate([unit.parts for unit in units], axis=1),
        soft=by_sentence,
        stem=stem,
        beginning=np.array([stem[:_BEGINNING] in text.beginnings for stem in stems], dtype=float),
        near=near,
        pairs=np.array([_pairs(unit.words.stems, text.pairs) for unit in units]),
        best=best,
        negation=(negated != text.negated[best]).astype(np.float64),
    )


def _cells(
    units: Sequence[ReadUnit], stems: Sequence[str], text: TextWords
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Every word of the units with every word of the text: cosine, and whether stems are equal."""
    # Unit by unit: a product this small stays on one thread, and waking a second costs more.
    across = text.vectors.T
    soft = np.concatenate([unit.words.vectors @ across for unit in units])
    ids = np.array([text.numbers.get(stem, -1) for stem in stems])
    return soft, ids[:, None] == text.ids


def _near(either: NDArray[np.float32], heads: Ints) -> Array:
    """The best match of each word whose head matches as well within a few words."""
    around = maximum_filter1d(either, 2 * _NEAR + 1, axis=1, mode="constant", cval=-1.0)
    return np.asarray(np.minimum(either, around[heads]).max(axis=1), dtype=np.float64)


def _pairs(stems: Sequence[str], known: frozenset[tuple[str, str]]) -> float:
    neighbours = list(pairwise(stems))
    if not neighbours:
        return float("nan")
    return sum(pair in known for pair in neighbours) / len(neighbours)
