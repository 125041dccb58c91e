"""Measures of summaries: `Rouge` and `SemF1`, each with `score` and `corpus`."""

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

__all__ = [
    "Baseline",
    "Rouge",
    "RougeCorpus",
    "RougeScore",
    "SemF1",
    "SemF1Corpus",
    "SemF1Score",
    "SentenceMatch",
    "random_output",
    "random_reference",
]
