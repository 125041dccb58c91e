"""The results of SEM-F1."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from commonground.metrics.base import PARTS, CorpusBase
from commonground.metrics.semf1.labels import Label
from commonground.plain import Plain
from commonground.score import PRF, Interval, Signature

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
class SemF1Score(Plain):
    """SEM-F1 of one summary.

    Attributes:
        f1, precision, recall: From the sentences' best similarities.
        labelled: The same three from their labels, with P=1, PP=.5, A=0.
        sentences: The summary's sentences against all references together (precision).
        references: For each reference its sentences against the summary (recall). Recall leaves
            out empty references unless all are empty.
        signature: All that the numbers depend on.
    """

    f1: float
    precision: float
    recall: float
    labelled: PRF
    sentences: tuple[SentenceMatch, ...]
    references: tuple[tuple[SentenceMatch, ...], ...]
    signature: Signature

    def __repr__(self) -> str:
        return (
            f"SemF1Score(f1={self.f1:.4f}, precision={self.precision:.4f}, "
            f"recall={self.recall:.4f}, signature={str(self.signature)!r})"
        )


@dataclass(frozen=True, slots=True, repr=False)
class SemF1Corpus(CorpusBase):
    """SEM-F1 of many summaries.

    Attributes:
        items: The score of each summary, in order.
        mean: Mean precision, mean recall and mean F1: the corpus score is `mean.f1`.
        f1_of_means: The F1 of mean precision and mean recall, another corpus score.
        labelled: The means of the label-based scores.
        interval: The bootstrap interval of the mean F1.
        signature: All that the numbers depend on.
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
