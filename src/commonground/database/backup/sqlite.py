"""Copy a SQLite database in use, and write a copy back into one, with SQLite's backup API."""

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from commonground.database.available import make_private
from commonground.database.backup.archive import NOT_DATA, Manifest
from commonground.database.engine import open_database, sqlite_url
from commonground.errors import CommongroundError, InputError

_SECONDS = 60.0  # to wait for a lock


def dump(path: Path, copy: Path) -> tuple[str, Mapping[str, int]]:
    """Copy one snapshot while others may save. Return its migration and rows per table."""
    if not path.is_file():
        raise InputError(f"{path}: no such database; --data names its folder")
    with one_line_errors(path):
        with closing(_connect(path)) as source, closing(_connect(copy, "rwc")) as target:
            source.backup(target)
            # One file instead of a database and its log.
            target.execute("PRAGMA journal_mode=DELETE")
        return inspect(copy)


def load(copy: Path, path: Path, manifest: Manifest, *, overwrite: bool) -> None:
    """Migrate the copy and put it in place of the database, in one transaction.

    A server may be running: it waits, and then has the content of the copy.
    """
    with one_line_errors(path):
        if not overwrite and path.exists() and _is_used(path):
            raise InputError(f"{path} has data; give --overwrite to replace all of it")
        with closing(open_database(sqlite_url(copy))) as database:
            manifest.record_restore(database)
        with closing(_connect(copy)) as source:
            # Sessions that were ended since must not come back.
            source.execute("DELETE FROM sessions")
            source.commit()
            source.execute("PRAGMA journal_mode=DELETE")
            make_private(path)
            with closing(_connect(path)) as target:
                target.execute("PRAGMA journal_mode=WAL")
                target.execute("PRAGMA synchronous=FULL")
                source.backup(target)


def inspect(path: Path) -> tuple[str, Mapping[str, int]]:
    """Return the migration and the rows per table, after a check of every page and key.

    Raises:
        CommongroundError: The database is damaged or not one of commonground.
    """
    with closing(_connect(path)) as connection:
        (state,) = connection.execute("PRAGMA integrity_check").fetchone()
        orphans = connection.execute("PRAGMA foreign_key_check").fetchone()
        if state != "ok" or orphans:
            raise CommongroundError(f"the database is damaged ({state.splitlines()[0]})")
        rows = _rows(connection)
        if "alembic_version" not in rows:
            raise InputError("this is not a commonground database")
        found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        # What would run by itself is not ours: no migration makes it.
        code = "SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view')"
        if found is None or connection.execute(code).fetchone():
            raise InputError("this is not a commonground database")
        return found[0], rows


def _rows(connection: sqlite3.Connection) -> dict[str, int]:
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    names = sorted(name for (name,) in connection.execute(query))
    return {
        name: connection.execute(f"SELECT count(*) FROM {_quoted(name)}").fetchone()[0]
        for name in names
    }


def _quoted(name: str) -> str:
    return '"{}"'.format(name.replace('"', '""'))


def _is_used(path: Path) -> bool:
    with closing(_connect(path)) as connection:
        rows = _rows(connection)
    return any(count for name, count in rows.items() if name not in NOT_DATA)


def _connect(path: Path, mode: str = "rw") -> sqlite3.Connection:
    uri = f"file:{quote(str(path.resolve()))}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=_SECONDS)


@contextlib.contextmanager
def one_line_errors(path: Path) -> Iterator[None]:
    """Turn errors of SQLite into one line with the name of the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise CommongroundError(f"{path}: {error}") from None
