"""Measures of summaries: `Rouge`, `SemF1` and, without references, `Support`."""

from typing import TYPE_CHECKING

from commonground.lazy import on_demand
from commonground.metrics.intervals import (
    bootstrap_interval,
    interval_fields,
    mean_intervals,
    normal_interval,
    resampled,
)
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
from commonground.metrics.texts import Text

if TYPE_CHECKING:
    from commonground.metrics.support import ClauseSupport, Support, SupportCorpus, SupportScore
else:
    # Evidence is slow to import, and the other measures do without it.
    __getattr__, __dir__ = on_demand(
        __name__, {"support": ["ClauseSupport", "Support", "SupportCorpus", "SupportScore"]}
    )

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
    "Text",
    "bootstrap_interval",
    "interval_fields",
    "mean_intervals",
    "normal_interval",
    "random_output",
    "random_reference",
    "resampled",
]
