"""Rows written one by one to a file, resumable after a kill."""

import contextlib
import gzip
import json
import os
import shutil
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from commonground.errors import CommongroundError, InputError
from commonground.io.files import check_writable, whole_file

_START = b'{"'  # of every row


class ResumableRows:
    """A JSONL file that is written row by row.

    The rows are in `NAME.part` until all are written; then the file gets its name, compressed if
    that ends in `.gz`. Each row is synced to disk before the next, so a kill loses only one.

    Attributes:
        done: The ids of the rows that existed at the start.
    """

    def __init__(self, path: Path, *inputs: Path, resume: bool, overwrite: bool = False) -> None:
        check_writable(path, *inputs)
        self._path = path.resolve()
        if path.exists() and not path.is_file():
            raise InputError(f"{path}: is not a regular file, so a run could not be resumed")
        self._part = self._path.with_name(f"{self._path.name}.part")
        if not resume and self._part.exists():
            raise InputError(
                f"{self._part}: belongs to an interrupted run; continue it with --resume, or "
                "delete it"
            )
        if path.exists() and path.stat().st_size and not resume and not overwrite:
            raise InputError(
                f"{path}: already exists; --overwrite replaces it, --resume adds missing rows"
            )
        self._rows = b""
        self.done = self._kept() if resume else set[str]()

    @property
    def part(self) -> Path:
        """The file of the rows until all are written."""
        return self._part

    def count(self) -> int:
        """Return the number of complete rows on disk, before the file has its name."""
        return self._part.read_bytes().count(b"\n") if self._part.exists() else 0

    def kept(self) -> Iterator[Mapping[str, Any]]:
        """Return the rows that existed at the start, in order."""
        return (json.loads(line) for line in self._rows.splitlines())

    @contextlib.contextmanager
    def writing(self) -> Iterator["ResumableRows"]:
        """Open the file; it gets its name if the block ends without an error."""
        try:
            if self._part.exists():
                os.truncate(self._part, len(self._rows))  # not rewritten: safe against a kill
            else:
                self._part.write_bytes(self._rows)
            with self._part.open("a", encoding="utf-8", newline="\n") as self._stream:
                yield self
            self._rename()
        except OSError as error:
            raise CommongroundError(f"{self._path}: not written ({error.strerror})") from None
        finally:
            # A run that failed before its first row cannot be resumed.
            if self._part.exists() and not self._part.stat().st_size:
                self._part.unlink()

    def write(self, row: Mapping[str, Any]) -> None:
        """Append a row; it must have an `id`."""
        self._stream.write(json.dumps(row, ensure_ascii=True, allow_nan=False) + "\n")
        self._stream.flush()
        os.fsync(self._stream.fileno())

    def _rename(self) -> None:
        if self._path.suffix == ".gz":
            with self._part.open(encoding="utf-8") as rows, whole_file(self._path) as out:
                shutil.copyfileobj(rows, out)
            self._part.unlink()
        else:
            self._part.replace(self._path)

    def _kept(self) -> set[str]:
        """Return the ids of complete rows; an incomplete row at the end is cut off.

        A finished run can be resumed, too: the data set may have grown.
        """
        source = self._part if self._part.exists() else self._path
        if not source.exists():
            return set()
        try:
            content = source.read_bytes()
            if source.suffix == ".gz" and content:
                content = gzip.decompress(content)
            end = content.rfind(b"\n") + 1
            ids = {str(json.loads(line)["id"]) for line in content[:end].splitlines()}
            if not content[end:].startswith(_START[: len(content) - end]):
                raise ValueError
        except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError, RecursionError):
            raise InputError(
                f"{source}: is not a file of results; write to another one, or delete it"
            ) from None
        self._rows = content[:end]
        return ids
