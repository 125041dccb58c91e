"""The data-set format (events with narratives and references) and predictions."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonground.errors import InputError
from commonground.io.jsonl import Row, read_rows, write_rows
from commonground.plain import Plain


@dataclass(frozen=True, slots=True)
class Narrative(Plain):
    """One account of an event."""

    source: str
    text: str


@dataclass(frozen=True, slots=True)
class Event:
    """One row of a data set; either list may be empty."""

    id: str
    narratives: tuple[Narrative, ...]
    references: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The row as it stands in a data set."""
        return {
            "id": self.id,
            "narratives": [{"source": one.source, "text": one.text} for one in self.narratives],
            "references": list(self.references),
        }


@dataclass(frozen=True, slots=True)
class Prediction:
    """One summary by one system; `line` tells where it stands in its file.

    Its references may stand beside it, where there is no data set.
    """

    id: str
    summary: str
    system: str
    line: int
    references: tuple[str, ...] = ()


def read_events(
    path: str | Path, complain: Callable[[InputError], None] | None = None
) -> dict[str, Event]:
    """The events of a data set by id, in the file's order.

    Args:
        path: The file.
        complain: Called with what is wrong with a row, which is then left out; without it the
            first bad row is raised.

    Raises:
        InputError: A duplicate id, a missing key or a value of the wrong kind.
    """
    return {event.id: event for event in each_event(path, complain)}


def each_event(
    path: str | Path,
    complain: Callable[[InputError], None] | None = None,
    *,
    narratives: int = 0,
) -> Iterator[Event]:
    """`read_events`, one at a time, for files larger than memory.

    Args:
        path: The file.
        complain: As for `read_events`.
        narratives: How many narratives every row must have at least.
    """
    lines: dict[str, int] = {}
    for row in read_rows(path, complain):
        try:
            event = event_of(row, narratives)
            if event.id in lines:
                raise row.wrong(f"id {event.id!r} stands already in line {lines[event.id]}")
        except InputError as error:
            if not complain:
                raise
            complain(error)
            continue
        lines[event.id] = row.line
        yield event


def write_events(path: str | Path, events: Iterable[Event]) -> None:
    """Write a data set; the file appears when it is whole, or not at all."""
    write_rows(path, (event.to_dict() for event in events))


def read_predictions(path: str | Path, *, references: bool = False) -> Iterator[Prediction]:
    """The predictions of a file, one at a time; one system has each id once.

    Args:
        path: The file.
        references: Whether each row has its own.
    """
    lines: dict[tuple[str, str], int] = {}
    for row in read_rows(path):
        found = prediction_of(row, references=references)
        key = (found.system, found.id)
        if key in lines:
            who = f" of system {found.system!r}" if found.system else ""
            raise row.wrong(f"id {found.id!r}{who} stands already in line {lines[key]}")
        lines[key] = row.line
        yield found


def prediction_of(row: Row, *, references: bool = False) -> Prediction:
    """A row as a prediction; with its own references, where they are asked for.

    Raises:
        InputError: A missing key or a value of the wrong kind.
    """
    system = row.text("system") if "system" in row.values else ""
    own = _references(row) if references else ()
    if references and not own:
        raise row.wrong('"references" is empty; give at least one')
    return Prediction(row.identifier(), row.text("summary"), system, row.line, own)


def event_of(row: Row, narratives: int = 0) -> Event:
    """A row as an event with at least so many narratives.

    Raises:
        InputError: A missing key or a value of the wrong kind.
    """
    if narratives:
        row.required("narratives")
    elif not {"references", "narratives"} & set(row.values):
        raise row.missing('"narratives" and "references" are both')
    references = _references(row) if "references" in row.values else ()
    told = row.list_of("narratives") if "narratives" in row.values else []
    if len(told) < narratives:
        raise row.wrong(f'"narratives" has {len(told)}, but at least {narratives} are needed')
    return Event(
        row.identifier(),
        tuple(_narrative(row, number, item) for number, item in enumerate(told, start=1)),
        references,
    )


def _references(row: Row) -> tuple[str, ...]:
    found = row.list_of("references")
    for number, reference in enumerate(found, start=1):
        if not isinstance(reference, str):
            raise row.wrong(f'"references": number {number} must be a string')
    return tuple(found)


def _narrative(row: Row, number: int, item: Any) -> Narrative:
    if not isinstance(item, dict) or not isinstance(item.get("text"), str):
        raise row.wrong(f'"narratives": number {number} must be an object with a "text"')
    source = item.get("source", f"narrative {number}")
    if not isinstance(source, str):
        raise row.wrong(f'"narratives": the source of number {number} must be a string')
    return Narrative(source, item["text"])
