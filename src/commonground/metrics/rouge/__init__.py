"""ROUGE: n-grams and longest common subsequences shared with references.

The numbers are those of rouge-score 0.1.2, many times faster; `tokenizer="unicode"` is ours.
"""

from commonground.metrics.rouge.measure import Rouge, RougeCorpus, RougeScore

__all__ = ["Rouge", "RougeCorpus", "RougeScore"]
