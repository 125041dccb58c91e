"""Read text files with one-line errors, and write files atomically.

A file is written under a temporary name in the same folder and renamed when it is complete.
"""

import contextlib
import gzip
import hashlib
import os
import secrets
import shutil
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, BinaryIO

from commonground.errors import CommongroundError, InputError

# A lone surrogate has no UTF-8 form; it is written as an escape, as in JSON.
_TEXT: Mapping[str, Any] = {"encoding": "utf-8", "errors": "backslashreplace", "newline": "\n"}
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a UTF-8 text file, or `.gz`, with their numbers from 1.

    A byte order mark and CRLF are accepted. A file that is missing, unreadable, binary or in
    another encoding raises an `InputError` with the file and the line.
    """
    for number, line in enumerate(each_line(path), start=1):
        yield number, decoded(line, path, number)


def each_line(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file, or `.gz`, as bytes with their line breaks."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
            yield from stream
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path}: {reason(error)}") from None


def read_text(path: Path) -> str:
    """Return the content of a UTF-8 text file; errors are those of `read_lines`."""
    return "\n".join(line for _, line in read_lines(path))


def sha256_of(path: Path) -> str:
    """Return the sha256 of a file's content, in hex."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[IO[str]]:
    """Open `path` for writing; it changes only if the block ends without an error.

    Links are followed. A special file, such as a pipe, is written to directly.
    """
    if path.exists() and not path.is_file():  # not resolved: /dev/stdout leads to no real path
        with _one_line_errors(path), path.open("w", **_TEXT) as out:
            yield out
        return
    path = path.resolve()
    with _temporary(path) as temporary:
        open_new: Any = gzip.open if path.suffix == ".gz" else open
        with open_new(temporary, "xt", **_TEXT) as out:
            yield out
        if path.exists():
            shutil.copymode(path, temporary)
        temporary.replace(path)


@contextlib.contextmanager
def whole_bytes(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """`whole_file` for bytes, which are synced to disk before the file gets its name.

    Only this user can read a `private` file.
    """
    mode = 0o600 if private else 0o666
    with _temporary(path) as temporary:
        with open(temporary, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        temporary.replace(path)
        _sync_folder(path.parent)


@contextlib.contextmanager
def _temporary(path: Path) -> Iterator[Path]:
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}")
    try:
        with _one_line_errors(path):
            yield temporary
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Make a new file name survive a power cut; Windows does this itself."""
    if os.name == "nt":
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # not supported by every file system
            os.fsync(opened)
    finally:
        os.close(opened)


@contextlib.contextmanager
def _one_line_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CommongroundError(f"{path}: not written ({reason(error)})") from None


def check_writable(path: Path, *inputs: Path) -> None:
    """Raise InputError if `path` cannot be written or is one of the input files."""
    if not path.name or path.name == "-":
        raise InputError("give the output file a name")
    if any(path.exists() and other.exists() and path.samefile(other) for other in inputs):
        raise InputError(f"{path}: is an input file; write to another one")
    with contextlib.suppress(FileNotFoundError, NotADirectoryError, PermissionError):
        path.stat()  # an OSError for a link to itself, which some versions of Python follow
    if path.exists() and not path.is_file() and not path.is_dir():  # a pipe or a terminal
        if not os.access(path, os.W_OK):
            raise InputError(f"{path}: cannot be written (no permission)")
        return
    folder = path.resolve().parent
    if path.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        reason = "is a folder" if path.is_dir() else "its folder is missing or not writable"
        raise InputError(f"{path}: cannot be written ({reason})")


def decoded(line: bytes, path: Path, number: int) -> str:
    """Return a line as text, without its line break."""
    if number == 1 and line.startswith(_UTF16):
        raise InputError(f"{path}: is UTF-16 text; save it as UTF-8")
    if b"\0" in line:
        raise InputError(f"{path}, line {number}: is a binary file, not text")
    try:
        return line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}, line {number}: is not UTF-8 text (byte 0x{line[error.start]:02X} at column "
            f"{error.start + 1}); save the file as UTF-8"
        ) from None


def reason(error: Exception) -> str:
    """Return why a file could not be opened, read or written, in a few words."""
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    if isinstance(error, IsADirectoryError):
        return "is a folder, not a file"
    if isinstance(error, gzip.BadGzipFile | EOFError | zlib.error):
        return "is a damaged gzip file"
    return (getattr(error, "strerror", None) or str(error)).lower()
