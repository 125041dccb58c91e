"""SEM-F1 of one item whose sentences have vectors (algorithm 1 of the SEM-F1 paper)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np
from numpy.typing import NDArray

from commonground._score import PRF
from commonground.metrics.semf1._labels import Thresholds, mean_reward
from commonground.metrics.semf1._result import SentenceMatch

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
        """The vectors of these, in double precision."""
        return self.matrix[[self.rows[sentence] for sentence in sentences]].astype(np.float64)


@dataclass(frozen=True, slots=True)
class ItemResult:
    """The numbers of one item and the matches they come from."""

    cosine: PRF
    labelled: PRF
    sentences: Matches
    references: tuple[Matches, ...]


def score_item(item: Item, vectors: SentenceVectors, thresholds: Thresholds) -> ItemResult:
    """Precision against all references together, recall for each reference and then the mean."""
    # Sorted, so that the same sentences in another order give the same product to the last bit.
    ours = sorted(set(item.prediction))
    theirs = sorted({sentence for reference in item.references for sentence in reference})
    if ours and theirs:
        cosines = vectors.of(ours) @ vectors.of(theirs).T
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
