"""Text files in, whole files out.

Reading says what is wrong with a file in one line. Writing goes to a temporary name in the same
folder and moves it when it is whole, so nobody ever sees half a file.
"""

import contextlib
import gzip
import os
import secrets
import shutil
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from commonground.errors import CommongroundError, InputError

# A lone surrogate has no UTF-8 form; the escape written for it is JSON's own.
_FORM: Mapping[str, Any] = {"encoding": "utf-8", "errors": "backslashreplace", "newline": "\n"}
_BYTE_ORDER_MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a UTF-8 text file with their numbers, from 1; `.gz` is unpacked on the way.

    A byte order mark and CRLF are taken as they come. A file that is not there, not readable,
    binary or in another encoding is an `InputError` with the file and the line.
    """
    for number, line in enumerate(each_line(path), start=1):
        yield number, decoded(line, path, number)


def each_line(path: Path) -> Iterator[bytes]:
    """The lines of a file as bytes, with their ends; `.gz` is unpacked on the way."""
    try:
        with _open(path) as stream:
            yield from stream
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path}: {_reason(error)}") from None


def read_text(path: Path) -> str:
    """The whole of a UTF-8 text file, with the same care as `read_lines`."""
    return "\n".join(line for _, line in read_lines(path))


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[IO[str]]:
    """A stream for writing `path`, which changes only when the block ends without an error.

    A link is followed. What is no plain file, such as a pipe, is written to as it is.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        with _said(path), path.open("w", **_FORM) as out:
            yield out
        return
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}")
    try:
        with _said(path):
            with _open_new(temporary, packed=path.suffix == ".gz") as out:
                yield out
            if path.exists():
                shutil.copymode(path, temporary)
            temporary.replace(path)
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def whole_bytes(path: Path) -> Iterator[BinaryIO]:
    """`whole_file` for bytes, which are on the disk before the file gets its name."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}")
    try:
        with _said(path):
            with temporary.open("xb") as out:
                yield out
                out.flush()
                os.fsync(out.fileno())
            temporary.replace(path)
            _sync_folder(path.parent)
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """See that a new name outlives a power cut; Windows does so by itself."""
    if os.name == "nt":
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # not every file system can
            os.fsync(opened)
    finally:
        os.close(opened)


@contextlib.contextmanager
def _said(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CommongroundError(f"{path}: not written ({_reason(error)})") from None


def check_writable(path: Path, *inputs: Path) -> None:
    """Refuse now what `whole_file` would refuse after all the work, or what would be lost by it.

    Args:
        path: The file to be written.
        inputs: Files that are read and so must not be written.
    """
    if not path.name or path.name == "-":
        raise InputError("give the output file a name")
    if any(path.exists() and other.exists() and path.samefile(other) for other in inputs):
        raise InputError(f"{path}: is an input file; write to another one")
    folder = path.resolve().parent
    if path.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        reason = "is a folder" if path.is_dir() else "its folder is not there or not writable"
        raise InputError(f"{path}: cannot be written ({reason})")


def _open_new(path: Path, packed: bool) -> IO[str]:
    if packed:
        return cast(IO[str], gzip.open(path, "xt", **_FORM))
    return cast(IO[str], path.open("x", **_FORM))


def _open(path: Path) -> BinaryIO:
    if path.suffix == ".gz":
        return cast(BinaryIO, gzip.open(path, "rb"))
    return path.open("rb")


def decoded(line: bytes, path: Path, number: int) -> str:
    """A line as text, without its end."""
    if number == 1 and line[:2] in _BYTE_ORDER_MARKS:
        raise InputError(f"{path}: is {_BYTE_ORDER_MARKS[line[:2]]} text; save it as UTF-8")
    if b"\0" in line:
        raise InputError(f"{path}, line {number}: is a binary file, not text")
    try:
        return line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
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
