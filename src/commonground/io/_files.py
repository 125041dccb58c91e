"""Text files in, whole files out.

Reading says what is wrong with a file in one line. Writing goes to a temporary name in the same
folder and moves it when it is whole, so nobody ever sees half a file.
"""

import contextlib
import gzip
import os
import secrets
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, BinaryIO, cast

from commonground.errors import CommongroundError, InputError

_BYTE_ORDER_MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a UTF-8 text file with their numbers, from 1; `.gz` is unpacked on the way.

    A byte order mark and CRLF are taken as they come. A file that is not there, not readable,
    binary or in another encoding is an `InputError` with the file and the line.
    """
    try:
        with _open(path) as stream:
            for number, line in enumerate(stream, start=1):
                yield number, _decoded(line, path, number).rstrip("\r\n")
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path}: {_reason(error)}") from None


def read_text(path: Path) -> str:
    """The whole of a UTF-8 text file, with the same care as `read_lines`."""
    return "\n".join(line for _, line in read_lines(path))


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[IO[str]]:
    """A stream for writing `path`, which changes only when the block ends without an error."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}")
    try:
        # A lone surrogate has no UTF-8 form; the escape written for it is JSON's own.
        with temporary.open("x", encoding="utf-8", errors="backslashreplace", newline="\n") as out:
            yield out
        temporary.replace(path)
    except OSError as error:
        raise CommongroundError(f"{path}: not written ({_reason(error)})") from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _open(path: Path) -> BinaryIO:
    if path.suffix == ".gz":
        return cast(BinaryIO, gzip.open(path, "rb"))
    return path.open("rb")


def _decoded(line: bytes, path: Path, number: int) -> str:
    if number == 1 and line[:2] in _BYTE_ORDER_MARKS:
        raise InputError(f"{path}: is {_BYTE_ORDER_MARKS[line[:2]]} text; save it as UTF-8")
    if b"\0" in line:
        raise InputError(f"{path}, line {number}: is a binary file, not text")
    try:
        return line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        wrong = line[error.start]
        raise InputError(
            f"{path}, line {number}: is not UTF-8 text (byte 0x{wrong:02X} at column "
            f"{error.start + 1}); save the file as UTF-8"
        ) from None


def _reason(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    if isinstance(error, IsADirectoryError):
        return "is a folder, not a file"
    if isinstance(error, gzip.BadGzipFile | EOFError | zlib.error):
        return "is not a whole gzip file"
    return (getattr(error, "strerror", None) or str(error)).lower()
