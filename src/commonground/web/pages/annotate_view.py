"""What the labelling page shows of an item: what to label, and what to hold it against."""

from dataclasses import dataclass
from typing import Final

from commonground.annotate import Item, Protocol, Unit


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer: its value, what it is called, and the key that gives it."""

    value: str
    words: str
    key: str


@dataclass(frozen=True, slots=True)
class Question:
    """A unit as it is asked; without choices it is answered by a text."""

    unit: Unit
    words: str
    choices: tuple[Choice, ...]
    given: str | None


@dataclass(frozen=True, slots=True)
class Section:
    """Questions with the texts that they are about.

    Attributes:
        title: Its heading.
        lead: What to do.
        text: A text that all questions are about, where they have none of their own.
        against: Titles and texts to hold them against.
    """

    title: str
    lead: str
    questions: tuple[Question, ...]
    against: tuple[tuple[str, str], ...]
    text: str = ""


LABELS: Final = (
    Choice("A", "absent", "1"),
    Choice("PP", "partially present", "2"),
    Choice("P", "present", "3"),
)
SCORES: Final = tuple(
    Choice(str(number), {1: "worst", 10: "best"}.get(number, ""), str(number % 10))
    for number in range(1, 11)
)
_ASKED: Final = {
    "score": "How well does the summary say what the narratives share?",
    "precision": "Precision: how much of the summary is shared by all narratives?",
    "recall": "Recall: how much of what the narratives share is in the summary?",
    "text": "What do all narratives say?",
}


def sections(item: Item, protocol: Protocol) -> tuple[Section, ...]:
    """The item, in the order in which it is labelled."""
    if protocol.name == "sentences":
        return _sentence_sections(item)
    choices = SCORES if protocol.outputs else ()
    questions = tuple(
        Question(unit, _ASKED[unit.key], choices, item.labels.get(unit.key)) for unit in item.units
    )
    title = "The summary" if protocol.outputs else "The overlap"
    return (Section(title, protocol.asks, questions, item.narratives, " ".join(item.summary)),)


def _sentence_sections(item: Item) -> tuple[Section, ...]:
    summary = " ".join(item.summary)
    references = [" ".join(sentences) for sentences in item.references]
    numbered = tuple(
        (f"Reference {number}", text) for number, text in enumerate(references, start=1)
    )
    found = [
        Section(
            "Sentences of the summary",
            "Is what the sentence says in the references, taken together?",
            _questions(item, 0),
            numbered,
        )
    ]
    for number, _ in enumerate(references, start=1):
        found.append(
            Section(
                f"Sentences of reference {number}",
                "Is what the sentence says in the summary?",
                _questions(item, number),
                (("The summary", summary),),
            )
        )
    return tuple(one for one in found if one.questions)


def _questions(item: Item, reference: int) -> tuple[Question, ...]:
    return tuple(
        Question(unit, unit.text, LABELS, item.labels.get(unit.key))
        for unit in item.units
        if unit.reference == reference
    )
