"""What a run must remember of all rows, on disk: the ids there were, and references by id."""

import contextlib
import json
import os
import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

from commonground.errors import CommongroundError
from commonground.io import event_of, place, read_rows

_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
CREATE TABLE seen (key BLOB PRIMARY KEY, file INTEGER, line INTEGER) WITHOUT ROWID;
CREATE TABLE events (
    id BLOB PRIMARY KEY, file INTEGER, line INTEGER, texts TEXT
) WITHOUT ROWID;
"""


class Index:
    """A scratch database, made anew by each run; what SQLite caches of it bounds the memory."""

    def __init__(self, path: Path) -> None:
        # Journals and locks would only slow it down: it lives no longer than the process.
        self._rows = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._rows.executescript(_TABLES)
        self._rows.execute("BEGIN")
        self._files: dict[Path, int] = {}

    def seen(self, key: str, path: Path, line: int) -> str | None:
        """Note a key; where it was met before, if it was."""
        row = _bytes(key), self._file(path), line
        try:
            self._rows.execute("INSERT INTO seen VALUES (?, ?, ?)", row)
        except sqlite3.IntegrityError:
            return self._before("SELECT file, line FROM seen WHERE key = ?", key, path)
        return None

    def add_references(self, files: Sequence[Path]) -> None:
        """Take in the references of a data set, by id.

        Raises:
            InputError: A row that is none, or an id that is there already.
        """
        for path in files:
            file = self._file(path)
            for row in read_rows(path):
                event = event_of(row)
                values = _bytes(event.id), file, row.line, json.dumps(event.references)
                try:
                    self._rows.execute("INSERT INTO events VALUES (?, ?, ?, ?)", values)
                except sqlite3.IntegrityError:
                    query = "SELECT file, line FROM events WHERE id = ?"
                    before = self._before(query, event.id, path)
                    raise row.wrong(f"id {event.id!r} stands already in {before}") from None

    def references(self, event: str) -> list[str] | None:
        """The references of an event; None where there is no such event."""
        query = "SELECT texts FROM events WHERE id = ?"
        found = self._rows.execute(query, (_bytes(event),)).fetchone()
        return json.loads(found[0]) if found else None

    def events(self) -> int:
        """How many events there are."""
        (count,) = self._rows.execute("SELECT count(*) FROM events").fetchone()
        return int(count)

    def _file(self, path: Path) -> int:
        return self._files.setdefault(path, len(self._files))

    def _before(self, query: str, key: str, path: Path) -> str:
        """Where a key stands, as whoever reads that file would say it."""
        file, line = self._rows.execute(query, (_bytes(key),)).fetchone()
        there = list(self._files)[file]
        return f"line {line}" if there == path else place(there, line)

    def close(self) -> None:
        """Let go of the file."""
        self._rows.close()


def _bytes(key: str) -> bytes:
    """A key as SQLite takes it; as text it must not have lone surrogates, which JSON may."""
    return key.encode("utf-8", "surrogatepass")


@contextlib.contextmanager
def scratch_index(folder: Path) -> Iterator[Index]:
    """An index in that folder, which is gone when the block ends."""
    path = folder / f"index-{os.getpid()}-{secrets.token_hex(4)}.sqlite"
    try:
        index = Index(path)
        try:
            yield index
        finally:
            index.close()
    except sqlite3.OperationalError as error:
        raise CommongroundError(f"{path}: not written ({error})") from None
    finally:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
