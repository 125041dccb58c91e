"""SEM-F1: sentence-wise precision and recall by similarity of meaning."""

from commonground.metrics.semf1._baselines import Baseline, random_output, random_reference
from commonground.metrics.semf1._labels import DEFAULT as DEFAULT_THRESHOLDS
from commonground.metrics.semf1._labels import PRESETS, Thresholds
from commonground.metrics.semf1._measure import SemF1
from commonground.metrics.semf1._result import SemF1Corpus, SemF1Score, SentenceMatch

__all__ = [
    "DEFAULT_THRESHOLDS",
    "PRESETS",
    "Baseline",
    "SemF1",
    "SemF1Corpus",
    "SemF1Score",
    "SentenceMatch",
    "Thresholds",
    "random_output",
    "random_reference",
]
