"""Text to sentences, sentences to clauses."""

from commonground.text.clauses.segments import (
    Segment,
    SegmentedSentence,
    segment,
    segment_all,
    segment_parsed,
)
from commonground.text.lexicon import list_lines
from commonground.text.markup import plain, unmarked
from commonground.text.parsing import LONGEST as LONGEST_PARSED
from commonground.text.parsing import PARSER, forget, parse, places, written
from commonground.text.porter import stem
from commonground.text.splitting.sentences import SPLITTERS, Sentence, sentences, split

__all__ = [
    "LONGEST_PARSED",
    "PARSER",
    "SPLITTERS",
    "Segment",
    "SegmentedSentence",
    "Sentence",
    "forget",
    "list_lines",
    "parse",
    "places",
    "plain",
    "segment",
    "segment_all",
    "segment_parsed",
    "sentences",
    "split",
    "stem",
    "unmarked",
    "written",
]
