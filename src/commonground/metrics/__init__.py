"""Measures of summaries: `Rouge`, `SemF1` and, without references, `Support`."""

from typing import TYPE_CHECKING, Any

from commonground.metrics.rouge import Rouge, RougeCorpus, RougeScore
from commonground.metrics.semf1 import (
    Baseline,
    SemF1,
    SemF1Corpus,
    SemF1Score,
    SentenceMatch,
    random_output,
    random_reference,
)

if TYPE_CHECKING:
    from commonground.metrics.support import ClauseSupport, Support, SupportCorpus, SupportScore

__all__ = [
    "Baseline",
    "ClauseSupport",
    "Rouge",
    "RougeCorpus",
    "RougeScore",
    "SemF1",
    "SemF1Corpus",
    "SemF1Score",
    "SentenceMatch",
    "Support",
    "SupportCorpus",
    "SupportScore",
    "random_output",
    "random_reference",
]


def __getattr__(name: str) -> Any:
    # Evidence is slow to import, and the other measures do without it.
    if name in ("ClauseSupport", "Support", "SupportCorpus", "SupportScore"):
        from commonground.metrics import support

        return getattr(support, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
