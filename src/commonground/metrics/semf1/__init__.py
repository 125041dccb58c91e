"""SEM-F1: sentence-wise precision and recall by similarity of meaning."""

from commonground.metrics.semf1.baselines import Baseline, random_output, random_reference
from commonground.metrics.semf1.labels import DEFAULT as DEFAULT_THRESHOLDS
from commonground.metrics.semf1.labels import PRESETS, REWARD, Label, Thresholds, thresholds_of
from commonground.metrics.semf1.measure import SemF1
from commonground.metrics.semf1.result import SemF1Corpus, SemF1Score, SentenceMatch

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
