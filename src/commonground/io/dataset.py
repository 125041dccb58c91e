"""Data sets (events with narratives and references) and predictions."""

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
class Event(Plain):
    """One row of a data set; either list may be empty."""

    id: str
    narratives: tuple[Narrative, ...]
    references: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prediction:
    """One summary by one system; `line` is its line in the file.

    It may have its own references, if there is no data set.
    """

    id: str
    summary: str
    system: str
    line: int
    references: tuple[str, ...] = ()


def read_events(
    path: str | Path, complain: Callable[[InputError], None] | None = None
) -> dict[str, Event]:
    """Return the events of a data set by id, in the file's order.

    Args:
        path: The file.
        complain: Called with the error of a bad row, which is then skipped; without it, the first
            error is raised.

    Raises:
        InputError: A duplicate id, a missing key or a value of the wrong type.
    """
    return {event.id: event for event in each_event(path, complain)}


def each_event(
    path: str | Path,
    complain: Callable[[InputError], None] | None = None,
    *,
    narratives: int = 0,
) -> Iterator[Event]:
    """Yield the events of a data set, for files larger than memory.

    Args:
        path: The file.
        complain: As for `read_events`.
        narratives: Minimum number of narratives of a row.
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
    """Write a data set; the file appears only when it is complete."""
    write_rows(path, (event.to_dict() for event in events))


def read_predictions(path: str | Path, *, references: bool = False) -> Iterator[Prediction]:
    """Yield the predictions of a file; raise InputError for a duplicate id of one system.

    Args:
        path: The file.
        references: Whether each row has its own references.
    """
    lines: dict[tuple[str, str], int] = {}
    for row in read_rows(path):
        prediction = prediction_of(row, references=references)
        key = (prediction.system, prediction.id)
        if key in lines:
            who = f" of system {prediction.system!r}" if prediction.system else ""
            raise row.wrong(f"id {prediction.id!r}{who} stands already in line {lines[key]}")
        lines[key] = row.line
        yield prediction


def prediction_of(row: Row, *, references: bool = False) -> Prediction:
    """Return a row as a prediction, on request with its own references.

    Raises:
        InputError: A missing key or a value of the wrong type.
    """
    system = row.text("system") if "system" in row.values else ""
    own = _references(row) if references else ()
    if references and not own:
        raise row.wrong('"references" is empty; give at least one')
    return Prediction(row.identifier(), row.text("summary"), system, row.line, own)


def event_of(row: Row, narratives: int = 0) -> Event:
    """Return a row as an event with a minimum number of narratives.

    Raises:
        InputError: A missing key or a value of the wrong type.
    """
    if narratives:
        row.required("narratives")
    elif not {"references", "narratives"} & set(row.values):
        raise row.missing('"narratives" and "references" are both')
    references = _references(row) if "references" in row.values else ()
    items = row.list_of("narratives") if "narratives" in row.values else []
    if len(items) < narratives:
        raise row.wrong(f'"narratives" has {len(items)}, but at least {narratives} are needed')
    texts = tuple(_narrative(row, number, item) for number, item in enumerate(items, start=1))
    return Event(row.identifier(), texts, references)


def _references(row: Row) -> tuple[str, ...]:
    references = row.list_of("references")
    for number, reference in enumerate(references, start=1):
        if not isinstance(reference, str):
            raise row.wrong(f'"references": number {number} must be a string')
    return tuple(references)


def _narrative(row: Row, number: int, item: Any) -> Narrative:
    if not isinstance(item, dict) or not isinstance(item.get("text"), str):
        raise row.wrong(f'"narratives": number {number} must be an object with a "text"')
    source = item.get("source", f"narrative {number}")
    if not isinstance(source, str):
        raise row.wrong(f'"narratives": the source of number {number} must be a string')
    return Narrative(source, item["text"])
