"""Whether the database can be used: its file is there, its disk has room, nobody locks it."""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sqlalchemy.exc import OperationalError, TimeoutError

from commonground.errors import CommongroundError

_DISK_FULL_STATE: Final = "53100"  # of PostgreSQL


class UnavailableError(CommongroundError):
    """The database cannot be used; `status` is the status of the HTTP response."""

    def __init__(self, message: str, status: int = 503) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class DatabaseFile:
    """The file of an open SQLite database, by its identity on the disk."""

    path: Path
    identity: tuple[int, int]

    @classmethod
    def at(cls, path: Path) -> "DatabaseFile":
        """Return the file as it is now."""
        return cls(path, _identity(path))

    def check(self, *, saved: bool = False) -> None:
        """Raise UnavailableError if the file was deleted or replaced.

        SQLite would not notice, and save to a file that has no name any more. What was `saved` is
        at first in the file's log.
        """
        try:
            same = _identity(self.path) == self.identity
            same = same and (not saved or Path(f"{self.path}-wal").exists())
        except OSError:
            same = False
        if not same:
            raise UnavailableError(
                "The server's database was deleted, moved or replaced. Nothing can be saved until "
                "the server is started again."
            )


def make_private(path: Path) -> None:
    """Create a file, or change it, so that only its owner can read it."""
    with contextlib.suppress(OSError):  # opening it says what is wrong
        # Never open a file that exists: closing it would end the locks that SQLite has on it in
        # this process, and another process could delete the log.
        if not path.exists():
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        for name in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
            if name.exists():
                name.chmod(0o600)


@contextlib.contextmanager
def readable_errors() -> Iterator[None]:
    """Turn the errors of a database that is locked, full or down into UnavailableError."""
    try:
        yield
    except TimeoutError:
        raise UnavailableError("The server is busy. Try again in a minute.") from None
    except OperationalError as error:
        if _is_full(error.orig):
            message = "The server's disk is full, so nothing was saved. Tell its owner."
            raise UnavailableError(message, 507) from None
        message = "The server's database cannot be used at the moment. Try again in a minute."
        raise UnavailableError(message) from None


def _is_full(error: Any) -> bool:
    if isinstance(error, sqlite3.Error):
        return error.sqlite_errorcode == sqlite3.SQLITE_FULL
    return getattr(error, "sqlstate", None) == _DISK_FULL_STATE


def _identity(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino
