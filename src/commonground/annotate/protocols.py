"""Annotation protocols (section 7 of the SOS paper): the questions and their valid answers.

| protocol           | the annotator sees     | and gives                                      |
|--------------------|------------------------|------------------------------------------------|
| `score`            | narratives and summary | one number from 1 to 10                        |
| `precision-recall` | narratives and summary | two numbers from 1 to 10                       |
| `sentences`        | summary and references | P, PP or A for every sentence of both          |
| `overlap`          | narratives             | a text: what they share; empty if nothing      |

Raters never see the references, and nobody sees the system's name.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from commonground.agreement import HIGHEST, LABELS, LOWEST
from commonground.errors import InputError, unknown_name

# NUL and lone surrogates: neither a database nor a label file can hold them.
NO_TEXT: Final = re.compile(r"[\0\ud800-\udfff]")
_NAME_LENGTH: Final = 100
_TEXT_LENGTH: Final = 20_000


class NotFoundError(InputError):
    """The project, item or annotator does not exist, or belongs to someone else."""


class ConflictError(InputError):
    """Newer data is in the way, such as a label saved in another tab."""


@dataclass(frozen=True, slots=True)
class Protocol:
    """An annotation protocol and what it shows to annotators."""

    name: str
    title: str  # for people
    asks: str  # the instruction for annotators
    narratives: bool = False
    references: bool = False
    outputs: bool = False  # whether annotators judge system summaries


@dataclass(frozen=True, slots=True)
class Unit:
    """One label to give within an item.

    The key is `score`, `precision`, `recall`, `text`, `precision/2` (sentence 2 of the summary)
    or `recall/1/3` (sentence 3 of reference 1).
    """

    key: str
    side: str = ""  # `precision` or `recall`, for sentences
    reference: int = 0  # from 1, for `recall`
    sentence: int = 0  # from 1; 0 for whole items
    text: str = ""  # the sentence


PROTOCOLS: Final[dict[str, Protocol]] = {
    protocol.name: protocol
    for protocol in (
        Protocol(
            "sentences",
            "Sentence labels",
            "Does the other text say this? P: present (over 75%), PP: partly (25-75%), "
            "A: absent (under 25%).",
            references=True,
            outputs=True,
        ),
        Protocol(
            "score",
            "One score",
            "How well does the summary say what the texts share? From 1 (worst) to 10 (best).",
            narratives=True,
            outputs=True,
        ),
        Protocol(
            "precision-recall",
            "Precision and recall",
            "Precision: how much of the summary do all texts share? Recall: how much of what "
            "they share is in the summary? From 1 (worst) to 10 (best).",
            narratives=True,
            outputs=True,
        ),
        Protocol(
            "overlap",
            "Written overlap",
            "Write in your own words what all texts say. If they share nothing, say so.",
            narratives=True,
        ),
    )
}

_ITEM_UNITS: Final[dict[str, tuple[Unit, ...]]] = {
    "score": (Unit("score"),),
    "precision-recall": (Unit("precision"), Unit("recall")),
    "overlap": (Unit("text"),),
}


def protocol_of(name: str) -> Protocol:
    """Return the protocol with this name, or raise InputError."""
    if name not in PROTOCOLS:
        raise unknown_name("protocol", name, PROTOCOLS)
    return PROTOCOLS[name]


def units_of(
    protocol: str, summary: Sequence[str], references: Sequence[Sequence[str]]
) -> tuple[Unit, ...]:
    """Return the units of an item, given its sentences, in the order of the questions.

    Example:
        >>> [unit.key for unit in units_of("sentences", ["One.", "Two."], [["A."], ["B."]])]
        ['precision/1', 'precision/2', 'recall/1/1', 'recall/2/1']
    """
    if protocol != "sentences":
        return _ITEM_UNITS[protocol]
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
    """Return an answer as it is stored; raise InputError if the protocol does not allow it."""
    if protocol == "overlap":
        return checked_text(value, "the overlap")
    if protocol == "sentences":
        if value not in LABELS:
            raise InputError(f"a label must be P, PP or A, not {value[:20]!r}")
        return value
    number = int(value) if value.isascii() and value.isdecimal() and len(value) <= 2 else 0
    if not LOWEST <= number <= HIGHEST:
        raise InputError(
            f"a score must be a whole number from {LOWEST} to {HIGHEST}, not {value[:20]!r}"
        )
    return str(number)


def checked_name(value: str, what: str) -> str:
    """Return a one-line name without surrounding blanks, or raise InputError."""
    name = value.strip()
    if not name:
        raise InputError(f"{what} is empty")
    if len(name) > _NAME_LENGTH:
        raise InputError(f"{what} is longer than {_NAME_LENGTH} characters")
    if any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in name):
        raise InputError(f"{what} has control characters or line breaks")
    return name


def checked_text(value: str, what: str) -> str:
    r"""Return a text with `\n` line ends, or raise InputError."""
    text = value.replace("\r\n", "\n").replace("\r", "\n").strip()
    if len(text) > _TEXT_LENGTH:
        raise InputError(f"{what} is longer than {_TEXT_LENGTH} characters")
    if NO_TEXT.search(text):
        raise InputError(f"{what} has invalid characters (NUL or half a surrogate pair)")
    return text
