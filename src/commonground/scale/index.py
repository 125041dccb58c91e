"""What a run remembers of all rows, on disk: the ids so far, and references by id."""

import contextlib
import json
import os
import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

from commonground.errors import CommongroundError
from commonground.io import event_of, place, read_rows

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
        """Add the references of a data set.

        Raises:
            InputError: A row is invalid, or its id is repeated.
        """
        for path in files:
            for row in read_rows(path):
                event = event_of(row)
                texts = json.dumps(event.references)
                if before := self._insert("events", event.id, path, row.line, texts):
                    raise row.wrong(f"id {event.id!r} stands already in {before}")

    def references(self, event: str) -> list[str] | None:
        """Return the references of an event, or None if there is no such event."""
        query = "SELECT texts FROM events WHERE id = ?"
        found = self._rows.execute(query, (_bytes(event),)).fetchone()
        return json.loads(found[0]) if found else None

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
