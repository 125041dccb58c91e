"""The labelling page's view of an item: questions and the texts they refer to."""

from dataclasses import dataclass
from typing import Final

from commonground.annotate import Item, Protocol, Unit


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer: its value, its description and its key."""

    value: str
    words: str
    key: str


@dataclass(frozen=True, slots=True)
class Question:
    """A unit as a question; without choices the answer is a text."""

    unit: Unit
    words: str
    choices: tuple[Choice, ...]
    given: str | None


@dataclass(frozen=True, slots=True)
class Section:
    """Questions with the texts they refer to.

    Attributes:
        title: The heading.
        lead: The instruction.
        against: Titles and texts to compare with.
        text: The text that all questions are about, if they have none of their own.
    """

    title: str
    lead: str
    questions: tuple[Question, ...]
    against: tuple[tuple[str, str], ...]
    text: str = ""


_LABELS: Final = (
    Choice("A", "absent", "1"),
    Choice("PP", "partly present", "2"),
    Choice("P", "present", "3"),
)
_SCORES: Final = tuple(
    Choice(str(number), {1: "worst", 10: "best"}.get(number, ""), str(number % 10))
    for number in range(1, 11)
)
_QUESTIONS: Final = {
    "score": "How well does the summary say what the texts share?",
    "precision": "Precision: how much of the summary do all texts share?",
    "recall": "Recall: how much of what the texts share is in the summary?",
    "text": "What do all texts say?",
}


def sections(item: Item, protocol: Protocol) -> tuple[Section, ...]:
    """Return the sections of an item in the order of labelling."""
    summary = " ".join(item.summary)
    if protocol.name != "sentences":
        title = "Summary" if protocol.outputs else "Shared content"
        choices = _SCORES if protocol.outputs else ()
        questions = tuple(
            Question(unit, _QUESTIONS[unit.key], choices, item.labels.get(unit.key))
            for unit in item.units
        )
        return (Section(title, protocol.asks, questions, item.narratives, summary),)
    references = tuple(
        (f"Reference {number}", " ".join(sentences))
        for number, sentences in enumerate(item.references, start=1)
    )
    lead = "Do the references together say this?"
    parts = [Section("Sentences of the summary", lead, _questions(item, 0), references)]
    for number in range(1, len(references) + 1):
        title, questions = f"Sentences of reference {number}", _questions(item, number)
        against = (("Summary", summary),)
        parts.append(Section(title, "Does the summary say this?", questions, against))
    return tuple(section for section in parts if section.questions)


def _questions(item: Item, reference: int) -> tuple[Question, ...]:
    return tuple(
        Question(unit, unit.text, _LABELS, item.labels.get(unit.key))
        for unit in item.units
        if unit.reference == reference
    )
