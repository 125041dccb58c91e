"""Support: does every narrative say what the summary says? No references are needed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground.encoders import DEFAULT, TokenEncoder, shown
from commonground.errors import InputError
from commonground.metrics.base import CorpusBase, Metric
from commonground.metrics.texts import Text
from commonground.plain import Plain, to_plain
from commonground.pyramid.evidence import MODEL, SUPPORTED, Evidence
from commonground.score import Citable, Interval, Signature
from commonground.text import PARSER, SPLITTERS, segment


@dataclass(frozen=True, slots=True)
class ClauseSupport(Plain):
    """One clause of a summary, and the probability that each narrative states it."""

    text: str
    probabilities: tuple[float, ...]
    also = ("supported",)

    @property
    def supported(self) -> bool:
        """Whether every narrative states it."""
        return min(self.probabilities) >= SUPPORTED


@dataclass(frozen=True, slots=True, repr=False)
class SupportScore(Plain, Citable):
    """The share of clauses that all narratives support; 0 for an empty summary."""

    share: float
    clauses: tuple[ClauseSupport, ...]
    signature: Signature

    def __repr__(self) -> str:
        return f"SupportScore(share={self.share:.4f}, signature='{self.signature}')"


@dataclass(frozen=True, slots=True, repr=False)
class SupportCorpus(CorpusBase):
    """The support of many summaries: the mean of their shares, with its interval."""

    items: tuple[SupportScore, ...]
    mean: float
    interval: Interval
    signature: Signature

    @property
    def columns(self) -> Sequence[str]:
        """The number of an item."""
        return Support.columns

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, unrounded, with all items."""
        return {**CorpusBase.to_dict(self), "items": to_plain(self.items)}

    def __repr__(self) -> str:
        return f"SupportCorpus(mean={self.mean:.4f}, interval={self.interval!r})"


class Support(Metric[SupportScore, SupportCorpus]):
    """The share of a summary's clauses that every narrative supports.

    The narratives of the event take the place of references.

    Args:
        encoder: A name that `commonground.encoders.load` knows, or an encoder with token vectors.

    Example:
        >>> narratives = ["The dam broke at night.", "At night the dam gave way."]
        >>> Support().score("The dam broke.", narratives).share
        1.0
    """

    name = "support"
    columns = ("share",)

    def __init__(self, encoder: str | TokenEncoder = DEFAULT) -> None:
        self._evidence = Evidence(encoder)

    def score(self, summary: Text, narratives: Sequence[Text]) -> SupportScore:
        """Score one summary against the narratives of its event."""
        if isinstance(narratives, str) or not narratives:
            raise InputError("narratives must be a list of one or more texts")
        texts = [part.text for sentence in segment(summary) for part in sentence.finest]
        units = self._evidence.read_units(texts)
        columns = [
            self._evidence.probabilities(units, self._evidence.read_text(narrative))
            for narrative in narratives
        ]
        clauses = tuple(
            ClauseSupport(text, tuple(map(float, row)))
            for text, row in zip(texts, np.array(columns).T, strict=True)
        )
        share = float(np.mean([clause.supported for clause in clauses])) if clauses else 0.0
        return SupportScore(share, clauses, self.signature(summary, narratives))

    def combine(
        self,
        items: tuple[SupportScore, ...],
        mean: Mapping[str, float],
        interval: Mapping[str, Interval],
        signature: Signature,
    ) -> SupportCorpus:
        """Return the mean share and its interval."""
        return SupportCorpus(items, mean["share"], interval["share"], signature)

    def signature(self, prediction: Text, references: Sequence[Text]) -> Signature:
        """Return all that the score of a summary depends on besides the texts."""
        return Signature.of(
            "SUPPORT",
            enc=shown(self._evidence.encoder),
            evidence=MODEL,
            above=f"{SUPPORTED:g}",
            split=SPLITTERS["layout"],
            parse=PARSER,
            narratives=str(len(references)),
        )

    @classmethod
    def cells(cls, corpus: Mapping[str, Any]) -> dict[str, str]:
        """Return the mean share with its interval."""
        low, high = corpus["interval"]["low"], corpus["interval"]["high"]
        return {"support": f"{corpus['mean']:.3f}", "95% interval": f"{low:.3f}-{high:.3f}"}
