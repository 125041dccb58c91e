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
def uploaded(uploads: Mapping[str, str]) -> Iterator[list[Path]]:
    """Write uploads in base64, by the name for errors, to a folder that errors do not name."""
    with tempfile.TemporaryDirectory() as folder, memory_limit(_MEMORY):
        try:
            yield [_written(Path(folder), name, upload) for name, upload in uploads.items()]
        except InputError as error:
            raise InputError(str(error).replace(f"{folder}{os.sep}", "")) from None
        except MemoryError:
            raise InputError("The files are too large when unpacked.") from None


def _written(folder: Path, name: str, upload: str) -> Path:
    content = base64.b64decode(upload)
    path = folder / f"{name}{_suffix(content)}"
    path.write_bytes(content)
    return path


def _suffix(content: bytes) -> str:
    """Return the suffix of the type that the content shows; JSONL has none."""
    if content.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        return ".xlsx"
    start = content.removeprefix(b"\xef\xbb\xbf").lstrip()
    is_text = not content.startswith((b"\xff\xfe", b"\xfe\xff")) and b"\0" not in content[:4096]
    return ".csv" if is_text and start and not start.startswith((b"{", b"[")) else ""
