"""Support: is what a summary says said by every narrative? No references are needed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground.encoders import DEFAULT, TokenEncoder, shown
from commonground.errors import InputError
from commonground.metrics.intervals import interval_fields, mean_intervals
from commonground.metrics.texts import Text
from commonground.pyramid.evidence import MODEL, SUPPORTED, Evidence, ReadText
from commonground.score import Interval, Signature, count_range
from commonground.text import PARSER, SPLITTERS, segment


@dataclass(frozen=True, slots=True)
class ClauseSupport:
    """One clause of a summary, and how likely each narrative states it."""

    text: str
    probabilities: tuple[float, ...]

    @property
    def supported(self) -> bool:
        """Whether every narrative is held to state it."""
        return min(self.probabilities) >= SUPPORTED

    def to_dict(self) -> dict[str, Any]:
        """All fields by name."""
        return {
            "text": self.text,
            "probabilities": list(self.probabilities),
            "supported": self.supported,
        }


@dataclass(frozen=True, slots=True, repr=False)
class SupportScore:
    """How much of a summary every narrative supports.

    Attributes:
        share: Of the clauses that all narratives support; 0 for an empty summary.
        clauses: All clauses, in order.
        signature: All that the numbers depend on.
    """

    share: float
    clauses: tuple[ClauseSupport, ...]
    signature: Signature

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, unrounded."""
        return {
            "share": self.share,
            "clauses": [clause.to_dict() for clause in self.clauses],
            "signature": str(self.signature),
        }

    def __repr__(self) -> str:
        return f"SupportScore(share={self.share:.4f}, signature='{self.signature}')"


@dataclass(frozen=True, slots=True, repr=False)
class SupportCorpus:
    """The support of many summaries.

    Attributes:
        items: The score of each.
        mean: Of their shares.
        interval: Bootstrap interval of the mean.
        signature: All that the numbers depend on.
    """

    items: tuple[SupportScore, ...]
    mean: float
    interval: Interval
    signature: Signature

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, unrounded."""
        return {
            "mean": self.mean,
            "interval": self.interval.to_dict(),
            "items": [item.to_dict() for item in self.items],
            "signature": str(self.signature),
        }

    def __repr__(self) -> str:
        return f"SupportCorpus(mean={self.mean:.4f}, interval={self.interval!r})"


class Support:
    """The share of a summary's clauses that every narrative supports.

    Args:
        encoder: A name that `commonground.encoders.load` knows, or an encoder with token vectors.

    Example:
        >>> narratives = ["The dam broke at night.", "At night the dam gave way."]
        >>> Support().score("The dam broke.", narratives).share
        1.0
    """

    def __init__(self, encoder: str | TokenEncoder = DEFAULT) -> None:
        self._evidence = Evidence(encoder)

    def score(self, summary: Text, narratives: Sequence[Text]) -> SupportScore:
        """Score one summary against the narratives of its event."""
        if isinstance(narratives, str) or not narratives:
            raise InputError("narratives must be a list of one or more texts")
        return self._scored(summary, [self._evidence.read_text(text) for text in narratives])

    def corpus(
        self, summaries: Sequence[Text], narratives: Sequence[Sequence[Text]]
    ) -> SupportCorpus:
        """Score many summaries, each against the narratives of its own event."""
        if len(summaries) != len(narratives) or not summaries:
            raise InputError("give as many lists of narratives as summaries, and at least one")
        items = tuple(map(self.score, summaries, narratives))
        shares = np.array([item.share for item in items])
        (interval,) = mean_intervals(shares)
        counts = count_range({len(some) for some in narratives})
        signature = self._signature(counts, **interval_fields(len(items)))
        return SupportCorpus(items, float(shares.mean()), interval, signature)

    def _scored(self, summary: Text, narratives: Sequence[ReadText]) -> SupportScore:
        texts = [part.text for found in segment(summary) for part in found.finest]
        units = self._evidence.read_units(texts)
        columns = [self._evidence.probabilities(units, one) for one in narratives]
        clauses = tuple(
            ClauseSupport(text, tuple(map(float, row)))
            for text, row in zip(texts, np.array(columns).T, strict=True)
        )
        share = float(np.mean([clause.supported for clause in clauses])) if clauses else 0.0
        return SupportScore(share, clauses, self._signature(str(len(narratives))))

    def _signature(self, narratives: str, **fields: str) -> Signature:
        encoder = self._evidence.encoder
        return Signature.of(
            "SUPPORT",
            enc=shown(encoder),
            evidence=MODEL,
            above=f"{SUPPORTED:g}",
            split=SPLITTERS["layout"],
            parse=PARSER,
            narratives=narratives,
            **fields,
        )
