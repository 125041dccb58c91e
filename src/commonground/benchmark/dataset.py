"""Data sets: problems, sizes, import from CSV, and the filters that made the papers' test set."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from commonground.agreement import is_csv, read_tables
from commonground.errors import InputError, check_known
from commonground.io import Event, Narrative, Row, read_events
from commonground.plain import Plain
from commonground.text import sentences

WORDS: Final = 15
ANNOTATORS: Final = 2

_SIDES: Final = ("left", "right")

# The default name of each column is what it holds.
COLUMNS: Final[Mapping[str, str]] = MappingProxyType(
    {
        name: name
        for name in (
            *("id", "theme", "theme-description"),
            *(f"{side}-{part}" for side in _SIDES for part in ("head", "context")),
        )
    }
)


@dataclass(frozen=True, slots=True)
class Validation:
    """The readable events of a data set by id, and one line for each problem.

    Errors are unreadable rows, warnings weaknesses as a benchmark.
    """

    events: dict[str, Event]
    errors: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def valid(self) -> bool:
        """Whether there are rows, and all are readable."""
        return not self.errors

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        lists = {"errors": list(self.errors), "warnings": list(self.warnings)}
        return {"events": len(self.events), "valid": self.valid, **lists}


def validate(path: str | Path) -> Validation:
    """Read a data set to its end and report all problems.

    Raises:
        InputError: The file cannot be read.
    """
    errors: list[InputError] = []
    events = read_events(path, errors.append)
    lines = [str(error) for error in errors]
    if not events and not lines:
        lines.append(f"{path}: has no events")
    warnings = [f"{id_}: {what}" for id_, event in events.items() for what in _problems(event)]
    # References are compared by position.
    counts = sorted({len(event.references) for event in events.values() if event.references})
    if len(counts) > 1:
        numbers = ", ".join(map(str, counts))
        warnings.append(f"events differ in their number of references ({numbers})")
    return Validation(events, tuple(lines), tuple(warnings))


def _problems(event: Event) -> list[str]:
    problems = []
    if len(event.narratives) < 2:
        problems.append(f"{len(event.narratives) or 'no'} narrative; an overlap needs two")
    for number, narrative in enumerate(event.narratives, start=1):
        if not narrative.text.strip():
            problems.append(f"narrative {number} ({narrative.source}) is empty")
    if len({narrative.text.strip() for narrative in event.narratives}) < len(event.narratives):
        problems.append("two narratives are the same text")
    if not event.references:
        problems.append("no references")
    for number, reference in enumerate(event.references, start=1):
        if not reference.strip():
            problems.append(f"reference {number} is empty (the annotator saw no overlap?)")
    return problems


@dataclass(frozen=True, slots=True)
class Length(Plain):
    """Mean numbers of words and sentences, and the number of texts."""

    words: float
    sentences: float
    texts: int


@dataclass(frozen=True, slots=True)
class Statistics(Plain):
    """The size of a data set (table 13 of paper 000, table 1 of paper 003).

    `narratives` takes all narratives of an event together. `references` are by position: the first
    references of all events, then the second ones, ...
    """

    events: int
    narratives: Length | None
    references: tuple[Length, ...]

    def table(self) -> dict[str, Any]:
        """Return a table: a row for the narratives and one for each reference."""
        lengths = {"narratives, concatenated": self.narratives}
        lengths |= {f"reference {n}": length for n, length in enumerate(self.references, start=1)}
        return {
            "title": f"Size of the data set ({self.events} events)",
            "columns": ["text", "texts", "words", "sentences"],
            "rows": [[name, n.texts, n.words, n.sentences] for name, n in lengths.items() if n],
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
    texts = [[narrative.text for narrative in e.narratives] for e in events if e.narratives]
    most = max(len(event.references) for event in events)
    return Statistics(
        len(events),
        _length(texts) if texts else None,
        tuple(
            _length([[e.references[index]] for e in events if len(e.references) > index])
            for index in range(most)
        ),
    )


def _length(groups: Sequence[Sequence[str]]) -> Length:
    words = [sum(len(text.split()) for text in group) for group in groups]
    count = [sum(len(sentences(text)) for text in group) for group in groups]
    return Length(fsum(words) / len(groups), fsum(count) / len(groups), len(groups))


def import_csv(
    path: str | Path, columns: Mapping[str, str] | None = None, references: Sequence[str] = ()
) -> list[Event]:
    """Read events from a CSV file with a header line (table 1 of paper 000).

    A narrative is its headline, if any, a blank line and its context. The references are the
    columns in `references`, in that order, then the theme description. The id is the column `id`,
    the theme, or the number of the row; duplicate ids get the number of the row. `columns` holds
    the column names that differ from `COLUMNS`.

    Raises:
        InputError: The file is not CSV, a column is missing, or a row has no context.
    """
    path, columns = Path(path), columns or {}
    if not is_csv(path):
        raise InputError(f"{path}: is not named .csv or .csv.gz")
    check_known("column", COLUMNS, *columns)
    rows = read_tables([path])
    check_known("column", rows[0].values, *columns.values(), *references)
    events: dict[str, Event] = {}
    for number, row in enumerate(rows, start=1):
        event = _event(row, {**COLUMNS, **columns}, references, number)
        if event.id in events:
            event = Event(f"{event.id}-{number}", event.narratives, event.references)
        events[event.id] = event
    return list(events.values())


def _event(row: Row, names: Mapping[str, str], references: Sequence[str], number: int) -> Event:
    def cell(name: str) -> str:
        value = row.values.get(name)
        return "" if value is None else str(value).strip()

    narratives = []
    for side in _SIDES:
        head, context = cell(names[f"{side}-head"]), cell(names[f"{side}-context"])
        if not context:
            row.required(names[f"{side}-context"])
            raise row.wrong(f'"{names[f"{side}-context"]}" is blank')
        narratives.append(Narrative(side, f"{head}\n\n{context}" if head else context))
    theme, description = cell(names["theme"]), cell(names["theme-description"])
    texts = (*map(cell, references), *([description] if description else []))
    return Event(cell(names["id"]) or theme or str(number), tuple(narratives), texts)


@dataclass(frozen=True, slots=True)
class Step:
    """One filter: its rule in words, and a function from an event to whether it stays and why."""

    name: str
    rule: str
    keeps: Callable[[Event], tuple[bool, str]]


@dataclass(frozen=True, slots=True)
class Dropped(Plain):
    """The ids that one step drops, each with the reason."""

    step: str
    rule: str
    before: int
    dropped: tuple[tuple[str, str], ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        dropped = [{"id": id_, "reason": reason} for id_, reason in self.dropped]
        return {**Plain.to_dict(self), "dropped": dropped}


def theme_step(theme: int | None = -1, words: int = WORDS) -> Step:
    """Keep events whose theme description has at least `words` words.

    `theme` is the number of the reference that is the theme description; -1 for the last.
    """

    def keeps(event: Event) -> tuple[bool, str]:
        index = _theme_index(event, theme)
        if index is None:
            return False, "no theme description"
        length = len(event.references[index].split())
        return length >= words, f"{length} words"

    return Step("theme", f"a theme description of at least {words} words", keeps)


def annotators_step(
    theme: int | None = -1, annotators: int = ANNOTATORS, words: int = WORDS
) -> Step:
    """Keep events where at least `annotators` annotators wrote at least `words` words.

    The theme description is not an annotator's reference; `theme` is None if there is none.
    """

    def keeps(event: Event) -> tuple[bool, str]:
        index = _theme_index(event, theme)
        lengths = [len(text.split()) for n, text in enumerate(event.references) if n != index]
        enough = sum(length >= words for length in lengths)
        figures = ", ".join(map(str, lengths)) or "no references"
        return enough >= annotators, f"{enough} of {len(lengths)} annotators ({figures} words)"

    rule = f"at least {annotators} annotators with at least {words} words"
    return Step("annotators", rule, keeps)


def apply_filters(
    events: Iterable[Event], steps: Sequence[Step]
) -> tuple[list[Event], list[Dropped]]:
    """Run the steps in order; return the events that stay, and what each step drops."""
    kept = list(events)
    report = []
    for step in steps:
        judged = [(event, *step.keeps(event)) for event in kept]
        dropped = tuple((event.id, why) for event, stays, why in judged if not stays)
        report.append(Dropped(step.name, step.rule, len(kept), dropped))
        kept = [event for event, stays, _ in judged if stays]
    return kept, report


def theme_place(word: str) -> int | None:
    """Return the reference that a word such as `last`, `none` or `4` names.

    Example:
        >>> theme_place("last"), theme_place("4"), theme_place("none")
        (-1, 4, None)
    """
    known = {"last": -1, "first": 1, "none": None}
    if word in known:
        return known[word]
    if not re.fullmatch(r"\d{1,9}", word) or int(word) < 1:
        raise InputError(f"the theme description is first, last, none or a number, not {word!r}")
    return int(word)


def _theme_index(event: Event, theme: int | None) -> int | None:
    """Return the index of the theme description among the event's references."""
    if theme is None:
        return None
    index = len(event.references) - 1 if theme == -1 else theme - 1
    return index if 0 <= index < len(event.references) else None
