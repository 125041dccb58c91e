"""What SEM-F1 returns: the score of one item and of a corpus."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from commonground.errors import MissingExtraError
from commonground.metrics.semf1.labels import Label
from commonground.score import PRF, Interval, Signature

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class SentenceMatch:
    """A sentence, the sentence of the other side that is nearest to it, and how near.

    `match` is None where the other side has no sentence at all.
    """

    text: str
    match: str | None
    similarity: float
    label: Label

    def to_dict(self) -> dict[str, Any]:
        """All fields by name."""
        return {
            "text": self.text,
            "match": self.match,
            "similarity": self.similarity,
            "label": self.label,
        }


@dataclass(frozen=True, slots=True, repr=False)
class SemF1Score:
    """SEM-F1 of one summary.

    Attributes:
        f1, precision, recall: From the sentences' best similarities.
        labelled: The same three from their labels, with P=1, PP=.5, A=0.
        sentences: The summary's sentences against all references together (precision).
        references: For each reference its sentences against the summary (recall); an empty
            reference has none, and is left out of the recall if another has some.
        signature: All that the numbers depend on.
    """

    f1: float
    precision: float
    recall: float
    labelled: PRF
    sentences: tuple[SentenceMatch, ...]
    references: tuple[tuple[SentenceMatch, ...], ...]
    signature: Signature

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, unrounded."""
        return {
            "f1": self.f1,
            "precision": self.precision,
            "recall": self.recall,
            "labelled": self.labelled.to_dict(),
            "sentences": [match.to_dict() for match in self.sentences],
            "references": [[match.to_dict() for match in matches] for matches in self.references],
            "signature": str(self.signature),
        }

    def __repr__(self) -> str:
        return (
            f"SemF1Score(f1={self.f1:.4f}, precision={self.precision:.4f}, "
            f"recall={self.recall:.4f}, signature={str(self.signature)!r})"
        )


@dataclass(frozen=True, slots=True, repr=False)
class SemF1Corpus:
    """SEM-F1 of many summaries.

    Attributes:
        items: The scores of the single summaries, in their order.
        mean: Mean precision, mean recall and mean F1: the corpus score is `mean.f1`.
        f1_of_means: The other way to a corpus score: the F1 of mean precision and mean recall.
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

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, unrounded, without the single items."""
        return {
            "mean": self.mean.to_dict(),
            "f1_of_means": self.f1_of_means,
            "labelled": self.labelled.to_dict(),
            "interval": self.interval.to_dict(),
            "items": len(self.items),
            "signature": str(self.signature),
        }

    def to_dataframe(self, ids: Sequence[str] | None = None) -> "pd.DataFrame":
        """One row an item, indexed by `ids` where they are given; needs pandas."""
        try:
            import pandas as pd
        except ImportError:
            raise MissingExtraError("to_dataframe()", "pandas") from None
        rows = [
            {
                "f1": item.f1,
                "precision": item.precision,
                "recall": item.recall,
                **{f"labelled.{key}": value for key, value in item.labelled.to_dict().items()},
            }
            for item in self.items
        ]
        return pd.DataFrame(rows, index=list(ids) if ids is not None else None)

    def __repr__(self) -> str:
        return (
            f"SemF1Corpus({len(self.items)} items, mean={self.mean!r}, "
            f"f1_of_means={self.f1_of_means:.4f}, interval={self.interval!r}, "
            f"signature={str(self.signature)!r})"
        )
