"""Rows written one by one to a file that can be gone on with after a kill."""

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from commonground.errors import CommongroundError, InputError
from commonground.io._files import check_writable


class ResumableRows:
    """The rows of a JSONL file that is being made.

    They stand in `NAME.part` until all are there; then the file gets its name. Each row is on
    the disk before the next one is asked for, so a kill costs the row at hand.

    Attributes:
        done: The ids of the rows that were there at the start.
    """

    def __init__(self, path: Path, *inputs: Path, resume: bool) -> None:
        check_writable(path, *inputs)
        self._path = path
        self._part = path.with_name(f"{path.name}.part")
        if not resume and self._part.exists():
            raise InputError(
                f"{self._part}: is left from a run that did not end; go on with it by --resume, "
                "or delete it"
            )
        self.done = self._kept() if resume else set[str]()

    @contextlib.contextmanager
    def writing(self) -> Iterator["ResumableRows"]:
        """Open the file; it gets its name when the block ends without an error."""
        try:
            with self._part.open("a", encoding="utf-8", newline="\n") as self._stream:
                yield self
            self._part.replace(self._path)
        except OSError as error:
            raise CommongroundError(f"{self._path}: not written ({error.strerror})") from None

    def write(self, row: Mapping[str, Any]) -> None:
        """Add a row, which has an `id`."""
        self._stream.write(json.dumps(row, ensure_ascii=True, allow_nan=False) + "\n")
        self._stream.flush()
        os.fsync(self._stream.fileno())

    def _kept(self) -> set[str]:
        """The ids of whole rows; half a row at the end, where a kill fell, is cut off."""
        if self._path.exists() and not self._part.exists():
            self._part.write_bytes(self._path.read_bytes())
        if not self._part.exists():
            return set()
        content = self._part.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if whole != content:
            self._part.write_bytes(whole)
        try:
            return {str(json.loads(line)["id"]) for line in whole.splitlines()}
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{self._part}: is not a file of results; delete it") from None
