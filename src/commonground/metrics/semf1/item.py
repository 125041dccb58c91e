"""SEM-F1 of one item whose sentences have vectors (algorithm 1 of the SEM-F1 paper)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np
from numpy.typing import NDArray

from commonground.metrics.semf1.labels import Thresholds, mean_reward
from commonground.metrics.semf1.result import SentenceMatch
from commonground.score import PRF

Sentences = tuple[str, ...]
Matches = tuple[SentenceMatch, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """A summary and its references, as sentences; blank ones are gone."""

    prediction: Sentences
    references: tuple[Sentences, ...]

    def sentences(self) -> Iterable[str]:
        """Every sentence of either side."""
        yield from self.prediction
        for reference in self.references:
            yield from reference


@dataclass(frozen=True, slots=True)
class SentenceVectors:
    """The vectors of many sentences, by sentence."""

    rows: Mapping[str, int]
    matrix: NDArray[np.float32]

    def of(self, sentences: Sequence[str]) -> NDArray[np.float64]:
        """The vectors of these, of unit length in double precision."""
        rows = self.matrix[[self.rows[sentence] for sentence in sentences]].astype(np.float64)
        lengths = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
        units: NDArray[np.float64] = rows / np.where(lengths > 0, lengths, 1.0)
        return units


@dataclass(frozen=True, slots=True)
class ItemResult:
    """The numbers of one item and the matches they come from."""

    cosine: PRF
    labelled: PRF
    sentences: Matches
    references: tuple[Matches, ...]


def score_item(item: Item, vectors: SentenceVectors, thresholds: Thresholds) -> ItemResult:
    """Precision against all references together, recall for each reference and then the mean."""
    # Sorted, so that a tie goes to the same sentence whatever the order of the references.
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
    # Not `@`: the last digit of a BLAS product changes with the shapes and the threads, and so a
    # pair's similarity would depend on its neighbours.
    return np.array([(theirs * vector).sum(axis=1) for vector in ours])


def _best(
    sentences: Sequence[str],
    others: Sequence[str],
    cosines: NDArray[np.float64],
    thresholds: Thresholds,
) -> dict[str, SentenceMatch]:
    best = cosines.argmax(axis=1)
    matches = {}
    for row, sentence in enumerate(sentences):
        similarity = float(cosines[row, best[row]])
        label = thresholds.label(similarity)
        matches[sentence] = SentenceMatch(sentence, others[best[row]], similarity, label)
    return matches


def _scores(matched: Matches, recalled: tuple[Matches, ...]) -> tuple[PRF, PRF]:
    filled = [matches for matches in recalled if matches]
    if not matched or not filled:
        # Nothing said where nothing was to be said is right; all else here is wrong.
        value = 1.0 if not matched and not filled else 0.0
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
