"""Results of the overlap as plain dicts, put together from quotations."""

import re


def result(texts, statements=(), unique=(), conflicts=(), at_least=None, sources=None):
    """Statements are (text, {narrative: quotation}), unique (narrative, quotation), conflicts
    (kind, {narrative: (quotation, value)})."""
    narratives = [
        {"source": sources[place] if sources else f"paper {place + 1}", "text": text}
        for place, text in enumerate(texts)
    ]
    return {
        "summary": " ".join(text for text, _ in statements),
        "statements": [
            {
                "text": text,
                "weight": len(quoted),
                "probability": 0.9,
                "evidence": [passage(texts, one, words) for one, words in quoted.items()],
            }
            for text, quoted in statements
        ],
        "unique": [passage(texts, one, words) for one, words in unique],
        "conflicts": [
            {
                "kind": kind,
                "sides": [side(texts, one, *said) for one, said in sides.items()],
                "probability": 0.72,
            }
            for kind, sides in conflicts
        ],
        "narratives": narratives,
        "at_least": at_least or len(texts),
        "signature": "OVERLAP|v:1",
    }


def passage(texts, narrative, words, through=None):
    start = texts[narrative].index(words)
    return {
        "narrative": narrative,
        "text": words,
        "start": start,
        "end": start + len(words),
        "probability": 0.9,
        "through": through,
    }


def side(texts, narrative, words, value):
    start = texts[narrative].index(words)
    value_start = start + words.index(value)
    return {
        "narrative": narrative,
        "text": words,
        "start": start,
        "end": start + len(words),
        "value": value,
        "value_start": value_start,
        "value_end": value_start + len(value),
    }


def sentence_reading(texts, narrative, words, against):
    """The reading of a sentence; `against` is {other: (support of each word, evidence)}."""
    start = texts[narrative].index(words)
    spans = [found.span() for found in re.finditer(r"\S+", words)]
    return {
        "start": start,
        "end": start + len(words),
        "offsets": [start + edge for span in spans for edge in span],
        "against": [
            {
                "narrative": other,
                "probabilities": [0.2, 0.7, 0.0, 0.1],
                "support": support,
                "evidence": evidence and list(_found(texts[other], evidence)),
            }
            for other, (support, evidence) in against.items()
        ],
    }


def _found(text, words):
    start = text.index(words)
    return start, start + len(words)


LEFT = "The mill burned on Monday. Nobody was hurt. Twelve men fought the fire.\n\nIt was old."
RIGHT = "A fire destroyed the mill. There were no injuries, and 15 men came. The owner wept."

MILL = result(
    [LEFT, RIGHT],
    [
        ("The mill burned.", {0: "The mill burned on Monday.", 1: "A fire destroyed the mill."}),
        (
            "Nobody was hurt.",
            {0: "Nobody was hurt.", 1: "There were no injuries, and 15 men came."},
        ),
    ],
    [(0, "It was old."), (1, "The owner wept.")],
    [
        (
            "number",
            {
                0: ("Twelve men fought the fire.", "Twelve"),
                1: ("There were no injuries, and 15 men came.", "15"),
            },
        )
    ],
)
