"""Rows of a file, as they are and as events and predictions.

Every error names the file and the line.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from commonground.errors import InputError
from commonground.io.files import decoded, each_line, whole_file
from commonground.io.formats import is_table, json_line, read_table
from commonground.io.sheets import is_sheet, is_xlsx, read_sheet
from commonground.io.strict import strict_json
from commonground.plain import Plain


@dataclass(frozen=True, slots=True)
class Row:
    """One object of a file with its line, or its number in a table."""

    path: Path
    line: int
    values: Mapping[str, Any]

    @property
    def place(self) -> str:
        """The file and the line, for error messages."""
        return place(self.path, self.line)

    def wrong(self, what: str) -> InputError:
        """Return an error that starts with the file and the line."""
        return InputError(f"{self.place}: {what}")

    def text(self, key: str) -> str:
        """Return a required string."""
        value = self.required(key)
        if not isinstance(value, str):
            raise self.wrong(f'"{key}" must be a string, not {_json_type(value)}')
        return value

    def identifier(self) -> str:
        """Return the row's `id`: a string that is not blank, or an integer."""
        value = self.required("id")
        if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
            raise self.wrong('"id" must be a string that is not blank')
        return str(value)

    def list_of(self, key: str) -> list[Any]:
        """Return a required list."""
        value = self.required(key)
        if not isinstance(value, list):
            raise self.wrong(f'"{key}" must be a list, not {_json_type(value)}')
        return value

    def required(self, key: str) -> Any:
        """Return a required value."""
        if key not in self.values:
            raise self.missing(f'"{key}" is')
        return self.values[key]

    def repeated(self, what: str, first: str) -> InputError:
        """Return the error for a duplicate, which names the place of the first one."""
        return self.wrong(f"duplicate {what} (first in {first})")

    def missing(self, what: str) -> InputError:
        """Return an error that says what is missing and lists the keys of the row."""
        keys = ", ".join(f'"{name}"' for name in self.values) or "none"
        return self.wrong(f"{what} missing (keys here: {keys})")


def place(path: Path, line: int) -> str:
    """Return the file and the line of a row, for error messages."""
    return f"{path}, {numbered(path, line)}"


def numbered(path: Path, line: int) -> str:
    """Return the number of a row with its noun: `line 3`, or `row 3` of a table."""
    return f"{'row' if is_table(path) or is_xlsx(path) else 'line'} {line}"


def read_rows(
    path: str | Path, complain: Callable[[InputError], None] | None = None
) -> Iterator[Row]:
    """Yield the rows of a JSONL, Parquet, Arrow, CSV or XLSX file; blank lines are skipped.

    Args:
        path: The file.
        complain: Called with the error of a bad line, which is then skipped; without it, the
            first error is raised.
    """
    for row in try_rows(Path(path)):
        if isinstance(row, Row):
            yield row
        elif complain:
            complain(row.error)
        else:
            raise row.error


@dataclass(frozen=True, slots=True)
class BadRow:
    """An invalid line and its error."""

    path: Path
    line: int
    error: InputError


def try_rows(path: Path) -> Iterator[Row | BadRow]:
    """Yield the rows of a file, and a `BadRow` for each invalid line."""
    if is_table(path):
        for number, values in read_table(path):
            yield Row(path, number, values)
        return
    if is_sheet(path):
        for number, found in read_sheet(path):
            if isinstance(found, InputError):
                yield BadRow(path, number, found)
            else:
                yield Row(path, number, found)
        return
    for number, line in enumerate(each_line(path), start=1):
        if line.isspace():
            continue
        try:
            text = decoded(line, path, number)
            if text.strip():
                yield Row(path, number, _parsed(text, place(path, number)))
        except InputError as error:
            yield BadRow(path, number, error)


def write_rows(path: str | Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows as JSONL; the file appears only when it is complete."""
    with whole_file(Path(path)) as stream:
        stream.writelines(map(json_line, rows))


def _parsed(line: str, where: str) -> Mapping[str, Any]:
    try:
        values = strict_json(line)
    except json.JSONDecodeError as error:
        what = f"{error.msg.removesuffix(' at')} at column {error.colno}"
        raise InputError(f"{where}: is not JSON ({what}); expected one object a line") from None
    except RecursionError:
        raise InputError(f"{where}: is JSON nested too deeply") from None
    except ValueError as error:  # a value that Python reads or writes, but not JSON
        raise InputError(f"{where}: is not JSON ({error})") from None
    if not isinstance(values, dict):
        raise InputError(f"{where}: must be a JSON object, not {_json_type(values)}")
    return values


def _json_type(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false"}
    return "null" if value is None else names.get(type(value), "a number")


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
    place: str = field(default="", compare=False, repr=False)  # the file and the line


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
    """Yield what `read_events` returns, for files larger than memory.

    A row with fewer than `narratives` narratives is an error.
    """
    lines: dict[str, int] = {}
    for row in read_rows(path, complain):
        try:
            event = event_of(row, narratives)
            if event.id in lines:
                raise row.repeated(f"id {event.id!r}", numbered(row.path, lines[event.id]))
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


def read_predictions(
    path: str | Path,
    complain: Callable[[InputError], None] | None = None,
    *,
    references: bool = False,
) -> Iterator[Prediction]:
    """Yield the predictions of a file, on request with their own references.

    Raises InputError for a duplicate id of one system. `complain` works as in `read_events`.
    """
    lines: dict[tuple[str, str], int] = {}
    for row in read_rows(path, complain):
        try:
            prediction = prediction_of(row, references=references)
            key = (prediction.system, prediction.id)
            if key in lines:
                who = f" of system {prediction.system!r}" if prediction.system else ""
                raise row.repeated(f"id {prediction.id!r}{who}", numbered(row.path, lines[key]))
        except InputError as error:
            if not complain:
                raise
            complain(error)
            continue
        lines[key] = row.line
        yield prediction


def prediction_of(row: Row, *, references: bool = False) -> Prediction:
    """Return a row as a prediction, on request with its own references."""
    system = row.text("system") if "system" in row.values else ""
    own = _references(row) if references else ()
    if references and not own:
        raise row.wrong('"references" is empty; give at least one')
    summary = row.text("summary")
    return Prediction(row.identifier(), summary, system, row.line, own, row.place)


def event_of(row: Row, narratives: int = 0) -> Event:
    """Return a row as an event; raise InputError for too few narratives or a wrong value."""
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
