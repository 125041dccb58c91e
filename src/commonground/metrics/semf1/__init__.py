"""SEM-F1: sentence-wise precision and recall by similarity of meaning."""

from commonground.metrics.labels import (
    DEFAULT_THRESHOLDS,
    PRESETS,
    REWARD,
    Label,
    Thresholds,
    thresholds_of,
)
from commonground.metrics.semf1.item import SemF1Corpus, SemF1Score, SentenceMatch
from commonground.metrics.semf1.measure import Baseline, SemF1, random_output, random_reference

__all__ = [
    "DEFAULT_THRESHOLDS",
    "PRESETS",
    "REWARD",
    "Baseline",
    "Label",
    "SemF1",
    "SemF1Corpus",
    "SemF1Score",
    "SentenceMatch",
    "Thresholds",
    "random_output",
    "random_reference",
    "thresholds_of",
]
