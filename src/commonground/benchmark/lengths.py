"""The length of narratives and references (table 13 of paper 000, table 1 of paper 003)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

from commonground.errors import InputError
from commonground.io import Event
from commonground.plain import Plain
from commonground.text import sentences


@dataclass(frozen=True, slots=True)
class Length(Plain):
    """Mean numbers of words and sentences, and the number of texts."""

    words: float
    sentences: float
    texts: int


@dataclass(frozen=True, slots=True)
class Statistics(Plain):
    """The size of a data set.

    Attributes:
        events: The number of events.
        narratives: All narratives of an event together; None if no event has any.
        references: By position: the first references of all events, then the second ones, ...
    """

    events: int
    narratives: Length | None
    references: tuple[Length, ...]

    def table(self) -> dict[str, Any]:
        """Return a table: a row for the narratives and one for each reference."""
        lengths = {"narratives, concatenated": self.narratives}
        lengths |= {f"reference {n}": one for n, one in enumerate(self.references, start=1)}
        return {
            "title": f"Size of the data set ({self.events} events)",
            "columns": ["text", "texts", "words", "sentences"],
            "rows": [
                [name, one.texts, one.words, one.sentences] for name, one in lengths.items() if one
            ],
            "notes": ["Words are what white space separates."],
        }


def statistics(events: Iterable[Event]) -> Statistics:
    """Count words and sentences; empty references count as texts of no words.

    Example:
        >>> from commonground.io import Event, Narrative
        >>> two = (Narrative("left", "It rained. A lot."), Narrative("right", "It was dry."))
        >>> print(statistics([Event("rain", two, ("It rained.",))]).narratives)
        Length(words=7.0, sentences=3.0, texts=1)
    """
    events = list(events)
    if not events:
        raise InputError("statistics need at least one event")
    pairs = [[one.text for one in event.narratives] for event in events if event.narratives]
    most = max(len(event.references) for event in events)
    return Statistics(
        len(events),
        _length(pairs) if pairs else None,
        tuple(
            _length([[e.references[index]] for e in events if len(e.references) > index])
            for index in range(most)
        ),
    )


def _length(groups: Sequence[Sequence[str]]) -> Length:
    words = [sum(len(text.split()) for text in group) for group in groups]
    count = [sum(len(sentences(text)) for text in group) for group in groups]
    return Length(fsum(words) / len(groups), fsum(count) / len(groups), len(groups))
