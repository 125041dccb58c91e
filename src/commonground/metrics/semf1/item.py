"""SEM-F1 of one item whose sentences have vectors (algorithm 1 of the paper), and its results."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import fsum
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.frames import HasRows
from commonground.metrics.base import PARTS, CorpusBase
from commonground.metrics.labels import REWARD, Label, Thresholds
from commonground.plain import Plain
from commonground.score import PRF, Citable, Interval, Signature

Sentences = tuple[str, ...]
COLUMNS: Final = ("f1", "precision", "recall", *(f"labelled.{part}" for part in PARTS))


@dataclass(frozen=True, slots=True)
class SentenceMatch(Plain):
    """A sentence, the nearest sentence of the other side, and their similarity.

    `match` is None if the other side has no sentences.
    """

    text: str
    match: str | None
    similarity: float
    label: Label


@dataclass(frozen=True, slots=True, repr=False)
class SemF1Score(Plain, HasRows, Citable):
    """SEM-F1 of one summary.

    Attributes:
        f1, precision, recall: From the sentences' best similarities.
        labelled: The same three from their labels, with P=1, PP=.5, A=0.
        sentences: The summary's sentences against all references together (precision).
        references: For each reference its sentences against the summary (recall). Recall leaves
            out empty references unless all are empty.
    """

    f1: float
    precision: float
    recall: float
    labelled: PRF
    sentences: tuple[SentenceMatch, ...]
    references: tuple[tuple[SentenceMatch, ...], ...]
    signature: Signature

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return a row for each sentence; `reference` is None for sentences of the summary."""
        sides = [(None, self.sentences), *enumerate(self.references)]
        return [
            {"reference": reference, **sentence.to_dict()}
            for reference, sentences in sides
            for sentence in sentences
        ]

    def __repr__(self) -> str:
        return (
            f"SemF1Score(f1={self.f1:.4f}, precision={self.precision:.4f}, "
            f"recall={self.recall:.4f}, signature={str(self.signature)!r})"
        )


@dataclass(frozen=True, slots=True, repr=False)
class SemF1Corpus(CorpusBase):
    """SEM-F1 of many summaries: means, those from labels, and the interval of the mean F1.

    The corpus score is `mean.f1`; `f1_of_means`, of mean precision and recall, is another one.
    """

    items: tuple[SemF1Score, ...]
    mean: PRF
    f1_of_means: float
    labelled: PRF
    interval: Interval
    signature: Signature

    @property
    def columns(self) -> Sequence[str]:
        """The numbers of an item."""
        return COLUMNS

    def __repr__(self) -> str:
        return (
            f"SemF1Corpus({len(self.items)} items, mean={self.mean!r}, "
            f"f1_of_means={self.f1_of_means:.4f}, interval={self.interval!r}, "
            f"signature={str(self.signature)!r})"
        )


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
    theirs = sorted(set(chain(*item.references)))
    cosines = None
    if ours and theirs:
        unit = vectors.of(theirs)
        # Not `@`: the last digit of a BLAS product depends on shapes and threads, so a pair's
        # similarity would depend on its neighbours.
        cosines = np.array([(unit * vector).sum(axis=1) for vector in vectors.of(ours)])
    forward = _best(ours, theirs, cosines, thresholds)
    backward = _best(theirs, ours, None if cosines is None else cosines.T, thresholds)
    matched = tuple(forward[sentence] for sentence in item.prediction)
    recalled = tuple(tuple(backward[text] for text in reference) for reference in item.references)
    return ItemResult(
        _score(matched, recalled, lambda match: match.similarity),
        _score(matched, recalled, lambda match: REWARD[match.label]),
        matched,
        recalled,
    )


def _best(
    sentences: Sequence[str],
    others: Sequence[str],
    cosines: NDArray[np.float64] | None,
    thresholds: Thresholds,
) -> dict[str, SentenceMatch]:
    """Match each sentence with the nearest one of the other side, if that has any."""
    if cosines is None:
        return {sentence: SentenceMatch(sentence, None, 0.0, "A") for sentence in sentences}
    matches = {}
    for sentence, row, best in zip(sentences, cosines, cosines.argmax(axis=1), strict=True):
        similarity = float(row[best])
        label = thresholds.label(similarity)
        matches[sentence] = SentenceMatch(sentence, others[best], similarity, label)
    return matches


def _score(
    matched: Matches, recalled: tuple[Matches, ...], value: Callable[[SentenceMatch], float]
) -> PRF:
    filled = [matches for matches in recalled if matches]
    if not matched or not filled:
        # An empty summary is right only if all references are empty.
        return PRF(*[0.0 if matched or filled else 1.0] * 3)
    recalls = [fsum(map(value, matches)) / len(matches) for matches in filled]
    return PRF.of(fsum(map(value, matched)) / len(matched), fsum(recalls) / len(recalls))
