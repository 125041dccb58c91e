"""What a user names as input: files, folders and globs, read one row after the other."""

import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from glob import glob, has_magic
from pathlib import Path

from commonground.errors import InputError
from commonground.io.files import each_line
from commonground.io.forms import form_of
from commonground.io.tables import count_table, is_table

_FAILED = ".errors.jsonl"
_OTHER_TABLES = (".csv", ".tsv", ".xlsx")  # which would be a wrong row for each of their lines


def find_files(names: Sequence[str | Path]) -> tuple[Path, ...]:
    """The files that names mean, each once, in the order of the names and then by path.

    A folder stands for the files of rows in it (JSONL, Parquet, Arrow), a glob such as
    `day-*.jsonl` for what it matches. Neither stands for files whose names begin with `.` or `_`
    or end in `.errors.jsonl`, unless the glob says so itself: there are rows that failed.

    Raises:
        InputError: A name that means no file.
    """
    found: dict[Path, None] = {}
    for name in names:
        found.update(dict.fromkeys(_meant(str(name))))
    return tuple(found)


def would_read(name: str, path: Path) -> bool:
    """Whether a folder or a glob stands for a file, which need not be there yet."""
    folder = Path(name)
    if folder.is_dir():
        return path.parent.exists() and path.parent.samefile(folder)
    if not has_magic(name) or folder.exists() or _passed_over(path, name):
        return False
    return _fits(Path(os.path.abspath(path)).parts, Path(os.path.abspath(name)).parts)  # noqa: PTH100


def count_rows(path: Path) -> int:
    """How many rows a file has, without a look at what they are."""
    if is_table(path):
        return count_table(path)
    return sum(1 for line in each_line(path) if not line.isspace())


def _meant(name: str) -> Iterator[Path]:
    path = Path(name)
    if path.is_dir():
        inside = sorted(one for one in path.iterdir() if _has_rows(one))
        if not inside:
            raise InputError(f"{path}: is a folder without files of rows (.jsonl, .parquet ...)")
        yield from inside
    elif has_magic(name) and not path.exists():
        # Path.glob takes no absolute pattern.
        matched = sorted(map(Path, glob(name, recursive=True)))  # noqa: PTH207
        chosen = [one for one in matched if one.is_file() and not _passed_over(one, name)]
        if not chosen:
            only = " that is read" if matched else ""
            raise InputError(f"{name}: matches no file{only}")
        yield from chosen
    elif not path.exists():
        raise InputError(f"{path}: no such file or folder")
    elif not os.access(path, os.R_OK):
        raise InputError(f"{path}: permission denied")
    elif path.suffix.lower() in _OTHER_TABLES:
        raise InputError(f"{path}: is no file of rows (.jsonl, .jsonl.gz, .parquet, .arrow)")
    else:
        yield path


def _fits(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether a path is what a glob means, folder by folder."""
    if not pattern or not parts:
        return not parts and all(one == "**" for one in pattern)
    first, rest = pattern[0], pattern[1:]
    if first == "**" and _fits(parts, rest):
        return True
    return fnmatch(parts[0], first) and _fits(parts[1:], pattern if first == "**" else rest)


def _has_rows(path: Path) -> bool:
    return path.is_file() and form_of(path) is not None and not _aside(path)


def _passed_over(path: Path, pattern: str) -> bool:
    """Whether it belongs to a run, and the glob does not say that it is meant all the same."""
    meant = Path(pattern).name.startswith("_") or pattern.endswith(_FAILED)
    return _aside(path) and not meant


def _aside(path: Path) -> bool:
    """Whether it belongs to a run, and not to what is read."""
    return path.name.startswith((".", "_")) or path.name.endswith(_FAILED)
