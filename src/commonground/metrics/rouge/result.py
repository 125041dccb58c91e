"""The results of ROUGE."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from commonground.metrics.base import PARTS, CorpusBase
from commonground.plain import to_plain
from commonground.score import PRF, Interval, Signature


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
        """Return `["rouge1"]["f1"]` and so on, and the signature as text."""
        return {**to_plain(self.scores), "signature": str(self.signature)}

    def __repr__(self) -> str:
        numbers = "".join(f"{name}={score.f1:.4f}, " for name, score in self.scores.items())
        return f"RougeScore({numbers}signature='{self.signature}')"


@dataclass(frozen=True, slots=True, repr=False)
class RougeCorpus(CorpusBase):
    """The ROUGE of a corpus.

    Attributes:
        items: The score of each summary, in order.
        mean: By type, the mean precision, the mean recall and the mean of the items' F1.
        interval: By type, the bootstrap interval of the mean F1.
        signature: All that the numbers depend on.
    """

    items: tuple[RougeScore, ...]
    mean: Mapping[str, PRF]
    interval: Mapping[str, Interval]
    signature: Signature

    @property
    def columns(self) -> Sequence[str]:
        """`rouge1.precision`, `rouge1.recall`, `rouge1.f1` and so on."""
        return [f"{name}.{part}" for name in self.mean for part in PARTS]

    def __repr__(self) -> str:
        numbers = "".join(
            f"{name}={score.f1:.4f} {self.interval[name]}, " for name, score in self.mean.items()
        )
        return f"RougeCorpus({len(self.items)} items, {numbers}signature='{self.signature}')"
