"""Input files from names: files, folders and globs."""

import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from glob import glob, has_magic
from pathlib import Path

from commonground.errors import InputError
from commonground.io.files import each_line
from commonground.io.formats import count_table, form_of, is_table

_FAILED = ".errors.jsonl"
_OTHER_TABLES = (".csv", ".tsv", ".xlsx")  # every line would be an invalid row


def find_files(names: Sequence[str | Path]) -> tuple[Path, ...]:
    """Return the files for names, each once, in the order of the names and then by path.

    A folder stands for its files of rows (JSONL, Parquet, Arrow), a glob such as `day-*.jsonl`
    for its matches. Names that begin with `.` or `_` or end in `.errors.jsonl` (failed rows) are
    skipped, unless the glob asks for them.

    Raises:
        InputError: A name without a file.
    """
    return tuple(dict.fromkeys(path for name in names for path in _expand(str(name))))


def would_read(name: str, path: Path) -> bool:
    """Say whether a folder or a glob stands for a file, which need not exist yet."""
    folder = Path(name)
    if folder.is_dir():
        return path.parent.exists() and path.parent.samefile(folder)
    if not has_magic(name) or folder.exists() or _is_skipped(path, name):
        return False
    return _fits(Path(os.path.abspath(path)).parts, Path(os.path.abspath(name)).parts)  # noqa: PTH100


def count_rows(path: Path) -> int:
    """Return the number of rows of a file without parsing them."""
    if is_table(path):
        return count_table(path)
    return sum(not line.isspace() for line in each_line(path))


def _expand(name: str) -> Iterator[Path]:
    path = Path(name)
    if path.is_dir():
        inside = sorted(
            entry
            for entry in path.iterdir()
            if entry.is_file() and form_of(entry) and not _belongs_to_run(entry)
        )
        if not inside:
            raise InputError(f"{path}: is a folder without files of rows (.jsonl, .parquet ...)")
        yield from inside
    elif has_magic(name) and not path.exists():
        # Path.glob does not support absolute patterns.
        matched = sorted(map(Path, glob(name, recursive=True)))  # noqa: PTH207
        chosen = [match for match in matched if match.is_file() and not _is_skipped(match, name)]
        if not chosen:
            only = " that is read" if matched else ""
            raise InputError(f"{name}: matches no file{only}")
        yield from chosen
    elif not path.exists():
        raise InputError(f"{path}: no such file or folder")
    elif not os.access(path, os.R_OK):
        raise InputError(f"{path}: permission denied")
    elif path.suffix.lower() in _OTHER_TABLES:
        raise InputError(f"{path}: is not a file of rows (.jsonl, .jsonl.gz, .parquet, .arrow)")
    else:
        yield path


def _fits(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Say whether a path matches a glob, folder by folder."""
    if not pattern or not parts:
        return not parts and all(part == "**" for part in pattern)
    first, rest = pattern[0], pattern[1:]
    if first == "**" and _fits(parts, rest):
        return True
    return fnmatch(parts[0], first) and _fits(parts[1:], pattern if first == "**" else rest)


def _is_skipped(path: Path, pattern: str) -> bool:
    """Say whether a file belongs to a run and the glob does not ask for such files."""
    requested = Path(pattern).name.startswith("_") or pattern.endswith(_FAILED)
    return _belongs_to_run(path) and not requested


def _belongs_to_run(path: Path) -> bool:
    return path.name.startswith((".", "_")) or path.name.endswith(_FAILED)
