"""How long narratives and references are (table 13 of paper 000, table 1 of paper 003)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

from commonground.errors import InputError
from commonground.io import Event
from commonground.text import sentences


@dataclass(frozen=True, slots=True)
class Length:
    """Mean numbers of words and sentences, and of how many texts."""

    words: float
    sentences: float
    texts: int

    def to_dict(self) -> dict[str, float]:
        """All fields by name, unrounded."""
        return {"words": self.words, "sentences": self.sentences, "texts": self.texts}


@dataclass(frozen=True, slots=True)
class Statistics:
    """The size of a data set.

    Attributes:
        events: How many.
        narratives: All narratives of an event together; None where no event has any.
        references: By position: the first references of all events, the second ones and so on.
    """

    events: int
    narratives: Length | None
    references: tuple[Length, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, unrounded."""
        return {
            "events": self.events,
            "narratives": self.narratives.to_dict() if self.narratives else None,
            "references": [one.to_dict() for one in self.references],
        }

    def table(self) -> dict[str, Any]:
        """As a table: a row for the narratives and one for each reference."""
        named = [("narratives, concatenated", self.narratives)] if self.narratives else []
        named += [(f"reference {n}", one) for n, one in enumerate(self.references, start=1)]
        return {
            "title": f"Size of the data set ({self.events} events)",
            "columns": ["text", "texts", "words", "sentences"],
            "rows": [[name, one.texts, one.words, one.sentences] for name, one in named if one],
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
            _length([[e.references[place]] for e in events if len(e.references) > place])
            for place in range(most)
        ),
    )


def _length(groups: Sequence[Sequence[str]]) -> Length:
    words = [sum(len(text.split()) for text in group) for group in groups]
    count = [sum(len(sentences(text)) for text in group) for group in groups]
    return Length(fsum(words) / len(groups), fsum(count) / len(groups), len(groups))
