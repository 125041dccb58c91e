"""What annotators are asked (section 7 of the SOS paper), and what an answer may be.

| protocol           | the annotator sees          | and gives                                     |
|--------------------|-----------------------------|-----------------------------------------------|
| `score`            | narratives and summary      | one number from 1 to 10                       |
| `precision-recall` | narratives and summary      | two numbers from 1 to 10                      |
| `sentences`        | summary and references      | P, PP or A for every sentence of either       |
| `overlap`          | narratives                  | a text: what they share, or nothing           |

The references stay hidden from those who rate, and the system's name from everybody.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from commonground.agreement import HIGHEST, LABELS, LOWEST
from commonground.annotate.checks import checked_text
from commonground.errors import InputError, unknown_name


@dataclass(frozen=True, slots=True)
class Protocol:
    """One way of asking.

    Attributes:
        name: As stored and as in addresses.
        title: For people.
        asks: What the annotator is to do, in a sentence or two.
        narratives: Whether the annotator reads them.
        references: Whether the annotator reads them.
        outputs: Whether systems' summaries are judged.
    """

    name: str
    title: str
    asks: str
    narratives: bool
    references: bool
    outputs: bool


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing to label within an item.

    Attributes:
        key: Its name in the database: `score`, `precision`, `recall`, `text`, `precision/2`
            (sentence 2 of the summary), `recall/1/3` (sentence 3 of reference 1).
        side: For sentences, `precision` or `recall`.
        reference: For `recall`, which reference, from 1; otherwise 0.
        sentence: The sentence's number, from 1; 0 for whole items.
        text: The sentence.
    """

    key: str
    side: str = ""
    reference: int = 0
    sentence: int = 0
    text: str = ""


PROTOCOLS: Final[dict[str, Protocol]] = {
    one.name: one
    for one in (
        Protocol(
            "sentences",
            "Sentence labels",
            "Is what a sentence says present on the other side? P: more than 75% of it. "
            "A: less than 25%. PP: anything between.",
            narratives=False,
            references=True,
            outputs=True,
        ),
        Protocol(
            "score",
            "One score",
            "How well does the summary say what the narratives share? 1 is the worst, 10 the best.",
            narratives=True,
            references=False,
            outputs=True,
        ),
        Protocol(
            "precision-recall",
            "Precision and recall",
            "Precision: how much of the summary is shared by all narratives? Recall: how much of "
            "what they share is in the summary? 1 is the worst, 10 the best.",
            narratives=True,
            references=False,
            outputs=True,
        ),
        Protocol(
            "overlap",
            "Written overlap",
            "Write, in your own sentences, what all narratives say; where they share nothing, say "
            "so.",
            narratives=True,
            references=False,
            outputs=False,
        ),
    )
}

_WHOLE: Final[dict[str, tuple[Unit, ...]]] = {
    "score": (Unit("score"),),
    "precision-recall": (Unit("precision"), Unit("recall")),
    "overlap": (Unit("text"),),
}


def protocol_of(name: str) -> Protocol:
    """The protocol of a name."""
    if name not in PROTOCOLS:
        raise unknown_name("protocol", name, PROTOCOLS)
    return PROTOCOLS[name]


def units_of(
    protocol: str, summary: Sequence[str], references: Sequence[Sequence[str]]
) -> tuple[Unit, ...]:
    """What there is to label in an item, in the order in which it is asked.

    Args:
        protocol: Its name.
        summary: The summary's sentences.
        references: Each reference's sentences.

    Example:
        >>> [unit.key for unit in units_of("sentences", ["One.", "Two."], [["A."], ["B."]])]
        ['precision/1', 'precision/2', 'recall/1/1', 'recall/2/1']
    """
    if protocol != "sentences":
        return _WHOLE[protocol]
    units = [
        Unit(f"precision/{number}", "precision", 0, number, text)
        for number, text in enumerate(summary, start=1)
    ]
    for which, sentences in enumerate(references, start=1):
        units += [
            Unit(f"recall/{which}/{number}", "recall", which, number, text)
            for number, text in enumerate(sentences, start=1)
        ]
    return tuple(units)


def checked_value(protocol: str, value: str) -> str:
    """The answer as it is stored.

    Raises:
        InputError: The protocol has no such answer.
    """
    if protocol == "overlap":
        return checked_text(value, "the overlap")
    if protocol == "sentences":
        if value not in LABELS:
            raise InputError(f"a label is P, PP or A, not {value[:20]!r}")
        return value
    number = int(value) if value.isascii() and value.isdecimal() and len(value) <= 2 else 0
    if not LOWEST <= number <= HIGHEST:
        raise InputError(
            f"a score is a whole number from {LOWEST} to {HIGHEST}, not {value[:20]!r}"
        )
    return str(number)
