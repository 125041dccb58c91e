"""Metrics of summaries: `Rouge`, `SemF1`, `PyramidMetric`; without references `ReaderSupport`.

All follow the protocol `Metric`; `registry` finds them, and those of other packages, by name.
"""

from typing import TYPE_CHECKING

from commonground.lazy import on_demand

if TYPE_CHECKING:
    from commonground.metrics import registry as registry
    from commonground.metrics.base import Corpus, Metric, Score, column_value
    from commonground.metrics.bert_score import BertScore
    from commonground.metrics.intervals import (
        bootstrap_interval,
        interval_fields,
        mean_intervals,
        normal_interval,
        resampled,
    )
    from commonground.metrics.labels import (
        DEFAULT_THRESHOLDS,
        PRESETS,
        REWARD,
        Label,
        Thresholds,
        thresholds_of,
    )
    from commonground.metrics.packages import Bleu, ChrF, Meteor
    from commonground.metrics.pyramid import PyramidMetric
    from commonground.metrics.reader_support import ReaderSupport
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
    from commonground.metrics.support import ClauseSupport, Support, SupportCorpus, SupportScore
    from commonground.metrics.texts import Text
else:
    # Encoders, the reader and the parser are slow to import, and no metric needs all of them.
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "base": ["Corpus", "Metric", "Score", "column_value"],
            "bert_score": ["BertScore"],
            "intervals": [
                "bootstrap_interval",
                "interval_fields",
                "mean_intervals",
                "normal_interval",
                "resampled",
            ],
            "labels": [
                "DEFAULT_THRESHOLDS",
                "PRESETS",
                "REWARD",
                "Label",
                "Thresholds",
                "thresholds_of",
            ],
            "packages": ["Bleu", "ChrF", "Meteor"],
            "pyramid": ["PyramidMetric"],
            "reader_support": ["ReaderSupport"],
            "rouge": ["Rouge", "RougeCorpus", "RougeScore"],
            "semf1": [
                "Baseline",
                "SemF1",
                "SemF1Corpus",
                "SemF1Score",
                "SentenceMatch",
                "random_output",
                "random_reference",
            ],
            "support": ["ClauseSupport", "Support", "SupportCorpus", "SupportScore"],
            "texts": ["Text"],
        },
        parts=("registry",),
    )

__all__ = [
    "DEFAULT_THRESHOLDS",
    "PRESETS",
    "REWARD",
    "Baseline",
    "BertScore",
    "Bleu",
    "ChrF",
    "ClauseSupport",
    "Corpus",
    "Label",
    "Meteor",
    "Metric",
    "PyramidMetric",
    "ReaderSupport",
    "Rouge",
    "RougeCorpus",
    "RougeScore",
    "Score",
    "SemF1",
    "SemF1Corpus",
    "SemF1Score",
    "SentenceMatch",
    "Support",
    "SupportCorpus",
    "SupportScore",
    "Text",
    "Thresholds",
    "bootstrap_interval",
    "column_value",
    "interval_fields",
    "mean_intervals",
    "normal_interval",
    "random_output",
    "random_reference",
    "registry",
    "resampled",
    "thresholds_of",
]
