"""Sentences to clauses, and what a sentence can lose."""

from commonground.text.clauses.loose import Loose, bearable, loose_parts, without
from commonground.text.clauses.segments import (
    Segment,
    SegmentedSentence,
    segment,
    segment_all,
    segment_parsed,
)

__all__ = [
    "Loose",
    "Segment",
    "SegmentedSentence",
    "bearable",
    "loose_parts",
    "segment",
    "segment_all",
    "segment_parsed",
    "without",
]
