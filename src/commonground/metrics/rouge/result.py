"""What ROUGE returns."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from commonground.errors import MissingExtraError
from commonground.score import PRF, Interval, Signature

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, repr=False)
class RougeScore:
    """The ROUGE of one summary: precision, recall and F1 by type.

    Example:
        >>> from commonground.metrics.rouge import Rouge
        >>> score = Rouge(types=["rouge1"]).score("the cat sat", ["the cat was sitting"])
        >>> score["rouge1"]
        PRF(precision=0.6667, recall=0.5000, f1=0.5714)
        >>> print(score.signature)
        ROUGE|types:rouge1|stem:no|tok:ascii|refs:1|multi:best|v:0.1.0
    """

    scores: Mapping[str, PRF]
    signature: Signature

    def __getitem__(self, name: str) -> PRF:
        return self.scores[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.scores)

    def to_dict(self) -> dict[str, Any]:
        """`["rouge1"]["f1"]` and so on, and the signature as text."""
        numbers = {name: score.to_dict() for name, score in self.scores.items()}
        return {**numbers, "signature": str(self.signature)}

    def __repr__(self) -> str:
        numbers = "".join(f"{name}={score.f1:.4f}, " for name, score in self.scores.items())
        return f"RougeScore({numbers}signature='{self.signature}')"


@dataclass(frozen=True, slots=True, repr=False)
class RougeCorpus:
    """The ROUGE of a corpus.

    Attributes:
        items: The score of each summary, in the order given.
        mean: By type, the mean precision, the mean recall and the mean of the items' F1.
        interval: By type, the bootstrap interval of the mean F1.
        signature: All that the numbers depend on.
    """

    items: tuple[RougeScore, ...]
    mean: Mapping[str, PRF]
    interval: Mapping[str, Interval]
    signature: Signature

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, unrounded, without the single items."""
        return {
            "mean": {name: score.to_dict() for name, score in self.mean.items()},
            "interval": {name: interval.to_dict() for name, interval in self.interval.items()},
            "items": len(self.items),
            "signature": str(self.signature),
        }

    def to_dataframe(self, ids: Sequence[str] | None = None) -> "pd.DataFrame":
        """A row an item; columns `rouge1.precision`, `rouge1.recall`, `rouge1.f1` and so on.

        Args:
            ids: The index of the rows, where they have names.

        Raises:
            MissingExtraError: If pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError:
            raise MissingExtraError("to_dataframe()", "pandas") from None
        rows = [
            {
                f"{name}.{part}": value
                for name, score in item.scores.items()
                for part, value in score.to_dict().items()
            }
            for item in self.items
        ]
        return pd.DataFrame(rows, index=list(ids) if ids is not None else None)

    def __repr__(self) -> str:
        numbers = "".join(
            f"{name}={score.f1:.4f} {self.interval[name]}, " for name, score in self.mean.items()
        )
        return f"RougeCorpus({len(self.items)} items, {numbers}signature='{self.signature}')"
