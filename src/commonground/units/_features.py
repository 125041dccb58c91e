"""What speaks for a text stating a unit, in numbers.

Words are compared twice: by stem, and by the best match of their contextual vectors, so that a
synonym counts for something and the same word for more. Everything is computed for all units of
a text at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from commonground.encoders import TokenVectors
from commonground.text._parse import parse, places
from commonground.units._words import ReadText, Words, pool, words_of

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

_STOP_SHARE = 0.25  # what a stop word's weight is worth beside a content word's
_OBJECTS = frozenset(("dobj", "pobj", "attr", "oprd", "acomp", "dative"))


@dataclass(frozen=True, slots=True, eq=False)
class ReadUnit:
    """A unit ready to be compared with texts; the masks say what its words are."""

    text: str
    words: Words
    vector: NDArray[np.float32]
    pooled: NDArray[np.float32]  # made of its token vectors, as a clause's vector is
    content: NDArray[np.bool_]
    parts: NDArray[np.bool_]  # numbers, names, objects, qualifiers x words


def read_units(texts: Sequence[str], tokens: Sequence[TokenVectors]) -> list[ReadUnit]:
    """Units with their words marked by the parser's tags and dependencies."""
    from spacy.lang.en.stop_words import STOP_WORDS  # spaCy is slow to import

    units = []
    pooled = [pool(found, [(0, len(text))]) for text, found in zip(texts, tokens, strict=True)]
    words = [words_of(text, found) for text, found in zip(texts, tokens, strict=True)]
    docs = parse(texts)
    for text, own, found, whole, doc in zip(texts, words, tokens, pooled, docs, strict=True):
        at = places(text)
        kinds = np.zeros((4, len(own.stems)), dtype=bool)
        for token in doc:
            start = at[token.idx]
            inside = (own.spans[:, 0] < start + len(token)) & (own.spans[:, 1] > start)
            kinds[:, inside] |= np.array(
                [
                    token.tag_ == "CD" or any(map(str.isdigit, token.text)),
                    token.tag_ in ("NNP", "NNPS"),
                    token.dep_ in _OBJECTS,
                    token.tag_[:2] in ("JJ", "RB"),
                ]
            )[:, None]
        lowered = [text[start:end].lower() for start, end in own.spans]
        content = np.array([word not in STOP_WORDS for word in lowered], dtype=bool)
        units.append(ReadUnit(text, own, found.whole, whole, content, kinds))
    return units


def features(units: Sequence[ReadUnit], text: ReadText) -> tuple[Array, NDArray[np.int64]]:
    """A row of features for each unit, and the sentence of the text that shows it best."""
    counts = [len(words.stems) for words in text.words]
    if not sum(counts):
        return np.zeros((len(units), len(FEATURES))), np.full(len(units), -1)
    filled = [place for place, count in enumerate(counts) if count]
    starts = [0, *accumulate(counts[place] for place in filled)][:-1]
    stems = [stem for place in filled for stem in text.words[place].stems]
    vectors = np.concatenate([text.words[place].vectors for place in filled])
    pairs = {
        pair for words in text.words for pair in zip(words.stems, words.stems[1:], strict=False)
    }
    numbers = {stem: number for number, stem in enumerate(dict.fromkeys(stems))}
    text_ids = np.array([numbers[stem] for stem in stems])
    cosines = np.stack([unit.vector for unit in units]) @ text.vectors.T
    clauses = np.stack([unit.pooled for unit in units]) @ text.clauses.T
    rows, shown = [], []
    for place, unit in enumerate(units):
        soft, exact = _matches(unit, vectors, starts, text_ids, numbers)
        row, best = _row(unit, soft, exact, pairs, [text.words[p].negated for p in filled])
        rows.append([cosines[place].max(), clauses[place].max(), *row])
        shown.append(filled[best])
    return np.array(rows), np.array(shown)


def _matches(
    unit: ReadUnit,
    vectors: NDArray[np.float32],
    starts: Sequence[int],
    text_ids: NDArray[np.int64],
    numbers: dict[str, int],
) -> tuple[Array, Array]:
    """For each word of the unit and each sentence: the best soft match, and whether it is there."""
    soft = np.maximum.reduceat(unit.words.vectors @ vectors.T, starts, axis=1)
    ids = np.array([numbers.get(stem, -1) for stem in unit.words.stems], dtype=np.int64)
    exact = np.maximum.reduceat(ids[:, None] == text_ids[None, :], starts, axis=1)
    return soft.astype(np.float64), exact.astype(np.float64)


def _row(
    unit: ReadUnit,
    soft: Array,
    exact: Array,
    pairs: set[tuple[str, str]],
    negated: Sequence[bool],
) -> tuple[list[float], int]:
    if not len(unit.words.stems):
        return [0.0] * (len(FEATURES) - 2), 0
    weights = unit.words.weights * np.where(unit.content, 1.0, _STOP_SHARE)
    shares = weights / weights.sum()
    either = np.maximum(soft, exact)
    by_sentence = shares @ either
    best = int(by_sentence.argmax())
    content = unit.content if unit.content.any() else np.ones_like(unit.content)
    anywhere = either.max(axis=1)
    recall = float(shares @ anywhere)
    neighbours = list(zip(unit.words.stems, unit.words.stems[1:], strict=False))
    row = [
        float(shares @ exact.max(axis=1)),
        float((shares @ exact).max()),
        float(shares @ soft.max(axis=1)),
        float((shares @ soft).max()),
        recall,
        float(soft.max(axis=1)[content].min()),
        float(soft[:, best][content].min()),
        float((unit.words.weights * (1 - anywhere))[content].sum()),
        sum(pair in pairs for pair in neighbours) / len(neighbours) if neighbours else recall,
        *(_part(kind, unit.words.weights, either[:, best], recall) for kind in unit.parts),
        float(unit.words.negated != negated[best]),
        float(np.log1p(len(unit.words.stems))),
    ]
    return row, best


def _part(kind: NDArray[np.bool_], weights: Array, matches: Array, otherwise: float) -> float:
    """The recall of one kind of word in the best sentence; of all words where there is none."""
    if not kind.any():
        return otherwise
    return float(weights[kind] @ matches[kind] / weights[kind].sum())
