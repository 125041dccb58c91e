"""Input rows as items of work, with an index of all rows on disk.

The index finds repeated ids and the references of a data set; an invalid row becomes a failure.
"""

import contextlib
import json
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from commonground.errors import CommongroundError, InputError
from commonground.io import BadRow, Row, event_of, place, prediction_of, read_rows, try_rows
from commonground.scale.work import Failure, Item

T = TypeVar("T")

# Journals and locks would only slow it down: it lives no longer than the process.
_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
CREATE TABLE seen (id BLOB PRIMARY KEY, file INTEGER, line INTEGER) WITHOUT ROWID;
CREATE TABLE events (
    id BLOB PRIMARY KEY, file INTEGER, line INTEGER, texts TEXT
) WITHOUT ROWID;
"""


class Index:
    """A temporary database, new in each run; SQLite's cache bounds its memory."""

    def __init__(self, path: Path) -> None:
        self._rows = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._rows.executescript(_TABLES)
        self._rows.execute("BEGIN")
        self._files: dict[Path, int] = {}

    def seen(self, key: str, path: Path, line: int) -> str | None:
        """Add a key; return where it was seen before, or None if it is new."""
        return self._insert("seen", key, path, line)

    def add_references(self, files: Sequence[Path]) -> None:
        """Add the references of a data set; raise InputError for an invalid row."""
        for path in files:
            for row in read_rows(path):
                event = event_of(row)
                texts = json.dumps(event.references)
                if before := self._insert("events", event.id, path, row.line, texts):
                    raise row.repeated(f"id {event.id!r}", before)

    def references(self, event: str) -> list[str] | None:
        """Return the references of an event, or None if there is no such event."""
        query = "SELECT texts FROM events WHERE id = ?"
        row = self._rows.execute(query, (_bytes(event),)).fetchone()
        return json.loads(row[0]) if row else None

    def events(self) -> int:
        """Return the number of events."""
        (count,) = self._rows.execute("SELECT count(*) FROM events").fetchone()
        return int(count)

    def _insert(self, table: str, key: str, path: Path, line: int, *more: str) -> str | None:
        """Insert a row; if the key exists, return where, as seen from this file."""
        values = _bytes(key), self._files.setdefault(path, len(self._files)), line, *more
        marks = ", ".join("?" * len(values))
        try:
            self._rows.execute(f"INSERT INTO {table} VALUES ({marks})", values)
        except sqlite3.IntegrityError:
            query = f"SELECT file, line FROM {table} WHERE id = ?"
            file, line = self._rows.execute(query, (values[0],)).fetchone()
            before = list(self._files)[file]
            return f"line {line}" if before == path else place(before, line)
        return None

    def close(self) -> None:
        """Close the file."""
        self._rows.close()


def _bytes(key: str) -> bytes:
    """Encode a key; SQLite's text cannot have lone surrogates, which JSON may."""
    return key.encode("utf-8", "surrogatepass")


@contextlib.contextmanager
def scratch_index(folder: Path) -> Iterator[Index]:
    """Yield an index in that folder, which is removed when the block ends."""
    path = folder / f"index-{os.getpid()}-{secrets.token_hex(4)}.sqlite"
    try:
        with contextlib.closing(Index(path)) as index:
            yield index
    except sqlite3.OperationalError as error:
        raise CommongroundError(f"{path}: not written ({error})") from None
    finally:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def prediction_rows(
    files: Sequence[Path], index: Index, references: str | None
) -> Iterator[Item | Failure]:
    """Yield predictions; an item has the system's name, the summary and the references.

    `references` is the data set's name, or None if each row has its own references. Raises
    InputError if some rows have a system and some have none.
    """

    def parse(row: Row) -> Item:
        if references is None and "references" not in row.values:
            raise row.missing('there is no --references, and "references" is')
        prediction = prediction_of(row, references=references is None)
        of_system = f" of system {prediction.system!r}" if prediction.system else ""
        key = f"{prediction.system}\0{prediction.id}"
        _check_new(row, index, key, f"id {prediction.id!r}{of_system}")
        texts: Sequence[str] | None = prediction.references
        if references is not None:
            texts = index.references(prediction.id)
            if texts is None:
                raise row.wrong(f"id {prediction.id!r} is not in {references}")
            if not texts:
                raise row.wrong(f"id {prediction.id!r} has no references in {references}")
        content = (prediction.system, prediction.summary, tuple(texts or ()))
        return Item(str(row.path), row.line, prediction.id, content)

    first: Item | None = None
    for item in (item for path in files for item in parsed_rows(path, parse)):
        if isinstance(item, Item):
            first = first or item
            if bool(item.content[0]) != bool(first.content[0]):
                has, other = ("has", "has none") if item.content[0] else ("has no", "has one")
                here, there = (place(Path(each.file), each.line) for each in (item, first))
                raise InputError(f'{here}: {has} "system", and {there} {other}')
        yield item


def event_rows(files: Sequence[Path], index: Index, narratives: int) -> Iterator[Item | Failure]:
    """Yield events with a minimum number of narratives; an item has the narratives."""

    def parse(row: Row) -> Item:
        event = event_of(row, narratives)
        _check_new(row, index, event.id, f"id {event.id!r}")
        return Item(str(row.path), row.line, event.id, event.narratives)

    return (item for path in files for item in parsed_rows(path, parse))


def parsed_rows(path: Path, parse: Callable[[Row], T]) -> Iterator[T | Failure]:
    """Yield what `parse` makes of each row of a file, or why it could not."""
    for row in try_rows(path):
        if isinstance(row, BadRow):
            yield Failure.of(path, row.line, None, row.error)
            continue
        try:
            yield parse(row)
        except InputError as error:
            yield Failure.of(path, row.line, row.values.get("id"), error)


def _check_new(row: Row, index: Index, key: str, what: str) -> None:
    if before := index.seen(key, row.path, row.line):
        raise row.repeated(what, before)
