"""Results of the overlap as plain dicts, put together from quotations."""


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
