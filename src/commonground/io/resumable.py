"""Rows written one by one to a file that can be gone on with after a kill."""

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
    """The rows of a JSONL file that is being made.

    They stand in `NAME.part` until all are there; then the file gets its name, packed where that
    ends in `.gz`. Each row is on the disk before the next one is asked for, so a kill costs the
    row at hand.

    Attributes:
        done: The ids of the rows that were there at the start.
    """

    def __init__(self, path: Path, *inputs: Path, resume: bool, overwrite: bool = False) -> None:
        check_writable(path, *inputs)
        self._path = path.resolve()
        if path.exists() and not path.is_file():
            raise InputError(f"{path}: is no plain file, so a run could not be gone on with")
        self._part = self._path.with_name(f"{self._path.name}.part")
        if not resume and self._part.exists():
            raise InputError(
                f"{self._part}: is left from a run that did not end; go on with it by --resume, "
                "or delete it"
            )
        if path.exists() and path.stat().st_size and not resume and not overwrite:
            raise InputError(
                f"{path}: is there already; --overwrite replaces it, --resume adds what is missing"
            )
        self._rows = b""
        self.done = self._kept() if resume else set[str]()

    @property
    def part(self) -> Path:
        """Where the rows stand until all are there."""
        return self._part

    def count(self) -> int:
        """How many whole rows are on the disk, before the file has its name."""
        return self._part.read_bytes().count(b"\n") if self._part.exists() else 0

    def kept(self) -> Iterator[Mapping[str, Any]]:
        """The rows that were there at the start, in their order."""
        return (json.loads(line) for line in self._rows.splitlines())

    @contextlib.contextmanager
    def writing(self) -> Iterator["ResumableRows"]:
        """Open the file; it gets its name when the block ends without an error."""
        try:
            if self._part.exists():
                os.truncate(self._part, len(self._rows))  # never rewritten: a kill may come now
            else:
                self._part.write_bytes(self._rows)
            with self._part.open("a", encoding="utf-8", newline="\n") as self._stream:
                yield self
            self._named()
        except OSError as error:
            raise CommongroundError(f"{self._path}: not written ({error.strerror})") from None
        finally:
            # A run that failed before its first row leaves nothing to go on with.
            if self._part.exists() and not self._part.stat().st_size:
                self._part.unlink()

    def write(self, row: Mapping[str, Any]) -> None:
        """Add a row, which has an `id`."""
        self._stream.write(json.dumps(row, ensure_ascii=True, allow_nan=False) + "\n")
        self._stream.flush()
        os.fsync(self._stream.fileno())

    def _named(self) -> None:
        if self._path.suffix == ".gz":
            with self._part.open(encoding="utf-8") as rows, whole_file(self._path) as out:
                shutil.copyfileobj(rows, out)
            self._part.unlink()
        else:
            self._part.replace(self._path)

    def _kept(self) -> set[str]:
        """The ids of whole rows; half a row at the end, where a kill fell, will be cut off.

        A run that ended is gone on with too: the data set may have grown.
        """
        source = self._part if self._part.exists() else self._path
        if not source.exists():
            return set()
        content = _unpacked(source)
        whole = content[: content.rfind(b"\n") + 1]
        half = content[len(whole) :]
        try:
            found = {str(json.loads(line)["id"]) for line in whole.splitlines()}
        except (ValueError, KeyError, TypeError):
            raise _foreign(source) from None
        if half and not half.startswith(_START[: len(half)]):
            raise _foreign(source)
        self._rows = whole
        return found


def _unpacked(path: Path) -> bytes:
    try:
        content = path.read_bytes()
        return gzip.decompress(content) if path.suffix == ".gz" and content else content
    except (OSError, EOFError, zlib.error):
        raise _foreign(path) from None


def _foreign(path: Path) -> InputError:
    return InputError(f"{path}: is not a file of results; write to another one, or delete it")
