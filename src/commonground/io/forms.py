"""The forms that rows have in files, by the end of a file's name."""

import gzip
import json
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final

from commonground.errors import unknown_name
from commonground.io import tables

FORMS: Final = ("jsonl", "jsonl.gz", "parquet", "arrow")

_ENDS = {
    ".jsonl": "jsonl",
    ".jsonl.gz": "jsonl.gz",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
}
_JSON = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_AT_ONCE = 1 << 20  # bytes copied at once


def form_of(path: Path) -> str | None:
    """The form that the end of a name tells, or None."""
    name = path.name.lower()
    return next((form for end, form in _ENDS.items() if name.endswith(end)), None)


def check_form(form: str) -> None:
    """Complain of a form that is none, or that needs an extra which is not there."""
    if form not in FORMS:
        raise unknown_name("format", form, FORMS)
    if form in ("parquet", "arrow"):
        tables.library()


def encoded(rows: Iterable[Mapping[str, Any]], form: str) -> bytes:
    """Rows as the bytes of a whole file.

    JSON keeps them as they are. In tables an object's values are columns of their own
    (`rouge.rouge1.f1`), and lists are JSON text, so that all files of a run have the same types.
    """
    if form in ("parquet", "arrow"):
        return tables.encoded(rows, form)
    lines = "".join(json_line(row) for row in rows).encode("utf-8", "backslashreplace")
    return gzip.compress(lines, compresslevel=6, mtime=0) if form == "jsonl.gz" else lines


def json_line(row: Mapping[str, Any]) -> str:
    """One line of JSONL, with its end."""
    return _JSON(row) + "\n"


def join(parts: Sequence[Path], form: str, out: IO[bytes]) -> None:
    """Whole files put together to one, part after part, in bounded memory."""
    joined: Callable[[Sequence[Path], str, IO[bytes]], None]
    joined = tables.join if form in ("parquet", "arrow") else _join_lines
    joined(parts, form, out)


def same_columns(parts: Sequence[Path], form: str) -> None:
    """See that all files of a run have the same columns, where their form has such."""
    if form in ("parquet", "arrow"):
        tables.same_columns(parts, form)


def _join_lines(parts: Sequence[Path], form: str, out: IO[bytes]) -> None:
    # Packed files one after the other are a packed file.
    for part in parts:
        with part.open("rb") as rows:
            shutil.copyfileobj(rows, out, _AT_ONCE)
