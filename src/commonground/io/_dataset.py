"""The data-set format (events with narratives and references) and predictions."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonground.io._jsonl import Row, read_rows


@dataclass(frozen=True, slots=True)
class Narrative:
    """One account of an event."""

    source: str
    text: str


@dataclass(frozen=True, slots=True)
class Event:
    """One row of a data set; either list may be empty."""

    id: str
    narratives: tuple[Narrative, ...]
    references: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prediction:
    """One summary by one system; `line` tells where it stands in its file."""

    id: str
    summary: str
    system: str
    line: int


def read_events(path: str | Path) -> dict[str, Event]:
    """The events of a data set by id, in the file's order.

    A duplicate id, a missing key or a value of the wrong kind is an `InputError`.
    """
    events: dict[str, Event] = {}
    lines: dict[str, int] = {}
    for row in read_rows(path):
        event = _event(row)
        if event.id in events:
            raise row.wrong(f"id {event.id!r} stands already in line {lines[event.id]}")
        events[event.id] = event
        lines[event.id] = row.line
    return events


def read_predictions(path: str | Path) -> Iterator[Prediction]:
    """The predictions of a file, one at a time; one system has each id once."""
    lines: dict[tuple[str, str], int] = {}
    for row in read_rows(path):
        system = row.text("system") if "system" in row.values else ""
        found = Prediction(row.identifier(), row.text("summary"), system, row.line)
        key = (found.system, found.id)
        if key in lines:
            who = f" of system {system!r}" if system else ""
            raise row.wrong(f"id {found.id!r}{who} stands already in line {lines[key]}")
        lines[key] = row.line
        yield found


def _event(row: Row) -> Event:
    if not {"references", "narratives"} & set(row.values):
        row.required("references")
    references = row.list_of("references") if "references" in row.values else []
    for number, reference in enumerate(references, start=1):
        if not isinstance(reference, str):
            raise row.wrong(f'"references": number {number} must be a string')
    narratives = row.list_of("narratives") if "narratives" in row.values else []
    return Event(
        row.identifier(),
        tuple(_narrative(row, number, item) for number, item in enumerate(narratives, start=1)),
        tuple(references),
    )


def _narrative(row: Row, number: int, item: Any) -> Narrative:
    if not isinstance(item, dict) or not isinstance(item.get("text"), str):
        raise row.wrong(f'"narratives": number {number} must be an object with a "text"')
    source = item.get("source", f"narrative {number}")
    if not isinstance(source, str):
        raise row.wrong(f'"narratives": the source of number {number} must be a string')
    return Narrative(source, item["text"])
