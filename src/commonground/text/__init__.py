"""Text to sentences, sentences to clauses."""

from commonground.text._clauses import Segment, SegmentedSentence, segment, segment_all
from commonground.text._parse import PARSER, forget
from commonground.text._sentences import SPLITTERS, Sentence, sentences, split

__all__ = [
    "PARSER",
    "SPLITTERS",
    "Segment",
    "SegmentedSentence",
    "Sentence",
    "forget",
    "segment",
    "segment_all",
    "sentences",
    "split",
]
