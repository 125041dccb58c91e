"""Uploads as files: the content decides their type, and their names never reach the disk."""

import base64
import contextlib
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from commonground.errors import InputError
from commonground.workers import memory_limit

_MEMORY: Final = 2_000_000_000  # bytes in addition to the models


@contextlib.contextmanager
def uploaded(
    uploads: Mapping[str, str], names: Mapping[str, str] | None = None
) -> Iterator[list[Path]]:
    """Write uploads in base64, by their kind, to a folder that errors do not name.

    Errors name a file as in `names`, or else by its kind.
    """
    with tempfile.TemporaryDirectory() as folder, memory_limit(_MEMORY):
        try:
            yield [_written(Path(folder), kind, upload) for kind, upload in uploads.items()]
        except InputError as error:
            raise InputError(without_paths(str(error), Path(folder), names or {})) from None
        except MemoryError:
            raise InputError("The files are too large when unpacked.") from None


def without_paths(line: str, folder: Path, names: Mapping[str, str]) -> str:
    """Return a line with the names of files, by their kind, in place of their paths."""
    for path in folder.iterdir():
        line = line.replace(str(path), names.get(path.stem, path.name))
    return line.replace(f"{folder}{os.sep}", "")


def _written(folder: Path, kind: str, upload: str) -> Path:
    content = base64.b64decode(upload)
    path = folder / f"{kind}{_suffix(content)}"
    path.write_bytes(content)
    return path


def _suffix(content: bytes) -> str:
    """Return the suffix of the type that the content shows; JSONL has none."""
    if content.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        return ".xlsx"
    start = content.removeprefix(b"\xef\xbb\xbf").lstrip()
    is_text = not content.startswith((b"\xff\xfe", b"\xfe\xff")) and b"\0" not in content[:4096]
    return ".csv" if is_text and start and not start.startswith((b"{", b"[")) else ""
