"""SEM-F1 of one item whose sentences have vectors (algorithm 1 of the SEM-F1 paper)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import fsum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.metrics.semf1.labels import Thresholds, mean_reward
from commonground.metrics.semf1.result import SentenceMatch
from commonground.score import PRF

Sentences = tuple[str, ...]
Matches = tuple[SentenceMatch, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """A summary and its references, as non-blank sentences."""

    prediction: Sentences
    references: tuple[Sentences, ...]

    def sentences(self) -> Iterable[str]:
        """Return every sentence of either side."""
        return chain(self.prediction, *self.references)


@dataclass(frozen=True, slots=True)
class SentenceVectors:
    """Sentence vectors: the row of each sentence, and the matrix of all rows."""

    rows: Mapping[str, int]
    matrix: NDArray[np.float32]

    def of(self, sentences: Sequence[str]) -> NDArray[np.float64]:
        """Return the vectors of these sentences, of unit length in double precision."""
        rows = self.matrix[[self.rows[sentence] for sentence in sentences]].astype(np.float64)
        lengths = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
        units: NDArray[np.float64] = rows / np.where(lengths > 0, lengths, 1.0)
        return units


class ItemResult(NamedTuple):
    """The numbers of one item and the matches that they come from."""

    cosine: PRF
    labelled: PRF
    sentences: Matches
    references: tuple[Matches, ...]


def score_item(item: Item, vectors: SentenceVectors, thresholds: Thresholds) -> ItemResult:
    """Score precision against all references together, and recall as the mean over references."""
    # Sorted, so that ties do not depend on the order of the references.
    ours = sorted(set(item.prediction))
    theirs = sorted({sentence for reference in item.references for sentence in reference})
    if ours and theirs:
        cosines = _cosines(vectors.of(ours), vectors.of(theirs))
        forward = _best(ours, theirs, cosines, thresholds)
        backward = _best(theirs, ours, cosines.T, thresholds)
    else:
        forward = {sentence: SentenceMatch(sentence, None, 0.0, "A") for sentence in ours}
        backward = {sentence: SentenceMatch(sentence, None, 0.0, "A") for sentence in theirs}
    matched = tuple(forward[sentence] for sentence in item.prediction)
    recalled = tuple(
        tuple(backward[sentence] for sentence in reference) for reference in item.references
    )
    return ItemResult(*_scores(matched, recalled), matched, recalled)


def _cosines(ours: NDArray[np.float64], theirs: NDArray[np.float64]) -> NDArray[np.float64]:
    # Not `@`: the last digit of a BLAS product depends on shapes and threads, so a pair's
    # similarity would depend on its neighbours.
    return np.array([(theirs * vector).sum(axis=1) for vector in ours])


def _best(
    sentences: Sequence[str],
    others: Sequence[str],
    cosines: NDArray[np.float64],
    thresholds: Thresholds,
) -> dict[str, SentenceMatch]:
    matches = {}
    for sentence, row, best in zip(sentences, cosines, cosines.argmax(axis=1), strict=True):
        similarity = float(row[best])
        label = thresholds.label(similarity)
        matches[sentence] = SentenceMatch(sentence, others[best], similarity, label)
    return matches


def _scores(matched: Matches, recalled: tuple[Matches, ...]) -> tuple[PRF, PRF]:
    filled = [matches for matches in recalled if matches]
    if not matched or not filled:
        # An empty summary is right only if all references are empty.
        value = 0.0 if matched or filled else 1.0
        return PRF(value, value, value), PRF(value, value, value)
    cosine = PRF.of(
        _mean(match.similarity for match in matched),
        _mean(_mean(match.similarity for match in matches) for matches in filled),
    )
    labelled = PRF.of(
        mean_reward(match.label for match in matched),
        _mean(mean_reward(match.label for match in matches) for matches in filled),
    )
    return cosine, labelled


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return fsum(listed) / len(listed)
