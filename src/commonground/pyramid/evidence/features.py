"""What speaks for a text stating a unit, in numbers.

Words are compared twice: by stem, and by the best match of their contextual vectors, so that a
synonym counts for something and the same word for more. Everything is computed for many units of
a text at once, in portions whose tables stay small however long the text is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.pyramid.evidence.matches import Matches, TextWords, match
from commonground.pyramid.evidence.reading import PARTS, ReadText, ReadUnit

Array = NDArray[np.float64]

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
    "missing weight",  # the weight of content words that have no match, added up
    "pair recall",  # neighbouring stems that are neighbours in the text
    "numbers",  # the same as word recall for parts of the unit alone
    "names",
    "objects",
    "qualifiers",
    "negation",  # 1 where only one of unit and sentence negates
    "length",  # logarithm of the unit's number of words
)
"""What is known of a unit and a text."""

WORD_FEATURES = (
    "soft",  # best match of its vector anywhere
    "soft in one sentence",  # in the sentence that shows the unit best
    "stem",  # 1 where its stem is there
    "stem in one sentence",
    "around the sentence",  # best match, of stem or vector, there or one sentence off
    "beginning",  # 1 where a stem begins with the same five letters
    "near its head",  # best match that has a match of its head within six words
    "weight",
    "stop word",
    "place",  # from 0 to 1
    *PARTS,
)
"""What is known of one word of a unit and a text."""

_KINDS = 4  # the parts that have a recall of their own
_CELLS = 1 << 20  # words of units x words of the text in one portion


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Features of units in one text.

    Attributes:
        rows: A row of `FEATURES` for each unit.
        size: The logarithm of the number of words of the sentence that shows a unit best: the
            longer it is, the better its matches come by chance.
        words: A row of `WORD_FEATURES` for each word of each unit, one after the other.
        counts: The number of words of each unit.
        shown: The sentence that shows a unit best; -1 if the text or the unit has no words.
    """

    rows: Array
    size: Array
    words: Array
    counts: NDArray[np.int64]
    shown: NDArray[np.int64]


def features(units: Sequence[ReadUnit], text: ReadText) -> Features:
    """Compare units with a text."""
    counts = np.array([len(unit.words.stems) for unit in units], dtype=np.int64)
    rows = np.zeros((len(units), len(FEATURES)))
    size = np.zeros(len(units))
    words = np.zeros((counts.sum(), len(WORD_FEATURES)))
    shown = np.full(len(units), -1, dtype=np.int64)
    worded = np.flatnonzero(counts)
    if len(worded) and any(len(some.stems) for some in text.words):
        known = TextWords.of(text)
        starts = np.cumsum(counts) - counts
        for some in _portions(worded, counts, len(known.ids)):
            found = match([units[place] for place in some], known)
            rows[some, 2:] = _overall(found)
            rows[some, :2] = _cosines([units[place] for place in some], text)
            size[some] = np.log1p(known.lengths[found.best])
            shown[some] = known.filled[found.best]
            first = starts[some[0]]  # units without words leave no gap
            words[first : first + len(found.of)] = _words(found)
    return Features(rows, size, words, counts, shown)


def _portions(
    places: NDArray[np.int64], counts: NDArray[np.int64], width: int
) -> Iterator[NDArray[np.int64]]:
    """Places of units whose words fit into one table; at least one unit."""
    start, cells = 0, 0
    for end, place in enumerate(places):
        cells += int(counts[place]) * width
        if cells > _CELLS and end > start:
            yield places[start:end]
            start, cells = end, int(counts[place]) * width
    yield places[start:]


def _cosines(units: Sequence[ReadUnit], text: ReadText) -> Array:
    sentences = np.stack([unit.vector for unit in units]) @ text.vectors.T
    clauses = np.stack([unit.pooled for unit in units]) @ text.clauses.T
    return np.stack([sentences.max(axis=1), clauses.max(axis=1)], axis=1).astype(np.float64)


def _overall(found: Matches) -> Array:
    """`FEATURES` but for the cosines."""
    shares, weights = found.shares[:, None], found.weights
    stem, soft = found.stem.max(axis=1), found.soft.max(axis=1)
    anywhere = np.maximum(stem, soft)
    recall = found.add(shares[:, 0] * anywhere)
    there = found.soft[found.at_best]
    content = found.content
    kinds = found.parts[:_KINDS].T * weights[:, None]
    heavy = found.add(kinds)
    kept = found.add(kinds * np.maximum(there, found.stem[found.at_best])[:, None])
    parts = np.where(heavy > 0, kept / np.where(heavy > 0, heavy, 1), recall[:, None])
    return np.column_stack(
        [
            found.add(shares[:, 0] * stem),
            found.add(shares * found.stem).max(axis=1),
            found.add(shares[:, 0] * soft),
            found.add(shares * found.soft).max(axis=1),
            recall,
            np.minimum.reduceat(np.where(content, soft, 2.0), found.first),
            np.minimum.reduceat(np.where(content, there, 2.0), found.first),
            found.add(weights * (1 - anywhere) * content),
            np.where(np.isnan(found.pairs), recall, found.pairs),
            parts,
            found.negation,
            np.log1p(found.counts),
        ]
    )


def _words(found: Matches) -> Array:
    either = np.maximum(found.soft, found.stem)
    best = found.best[found.of]
    rows = np.arange(len(best))
    last = either.shape[1] - 1
    around = np.max([either[rows, np.clip(best + off, 0, last)] for off in (-1, 0, 1)], axis=0)
    place = (rows - found.first[found.of]) / found.counts[found.of]
    return np.column_stack(
        [
            found.soft.max(axis=1),
            found.soft[found.at_best],
            found.stem.max(axis=1),
            found.stem[found.at_best],
            around,
            found.beginning,
            found.near,
            found.weights,
            found.stop,
            place,
            found.parts.T,
        ]
    )
