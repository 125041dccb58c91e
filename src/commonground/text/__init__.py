"""Text to sentences, sentences to clauses."""

from typing import TYPE_CHECKING

from commonground.lazy import on_demand

if TYPE_CHECKING:
    from commonground.text.clauses.segments import (
        Segment,
        SegmentedSentence,
        segment,
        segment_all,
        segment_parsed,
    )
    from commonground.text.language import (
        LanguageNotice,
        LanguageWarning,
        language_notices,
        warn_unless_english,
    )
    from commonground.text.lexicon import list_lines
    from commonground.text.markup import plain, unmarked
    from commonground.text.parsing import LONGEST as LONGEST_PARSED
    from commonground.text.parsing import PARSER, forget, parse, places, written
    from commonground.text.porter import stem
    from commonground.text.splitting.sentences import SPLITTERS, Sentence, sentences, split
else:
    # Metrics that only need words must not wait for the parser and the rules of clauses.
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "clauses.segments": [
                "Segment",
                "SegmentedSentence",
                "segment",
                "segment_all",
                "segment_parsed",
            ],
            "language": [
                "LanguageNotice",
                "LanguageWarning",
                "language_notices",
                "warn_unless_english",
            ],
            "lexicon": ["list_lines"],
            "markup": ["plain", "unmarked"],
            "parsing": ["PARSER", "forget", "parse", "places", "written"],
            "porter": ["stem"],
            "splitting.sentences": ["SPLITTERS", "Sentence", "sentences", "split"],
        },
        renamed={"LONGEST_PARSED": ("parsing", "LONGEST")},
    )

__all__ = [
    "LONGEST_PARSED",
    "PARSER",
    "SPLITTERS",
    "LanguageNotice",
    "LanguageWarning",
    "Segment",
    "SegmentedSentence",
    "Sentence",
    "forget",
    "language_notices",
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
    "warn_unless_english",
    "written",
]
