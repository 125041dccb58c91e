"""Read the summaries of many systems from an XLSX, CSV or JSONL file."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from commonground.errors import InputError
from commonground.io import read_cells, strict_json
from commonground.web.tasks.columns import likely_column, sheet_kind, value_kind

NO_SYSTEM: Final = "summary"
"""The system of rows that name none."""

_MAX_ROWS: Final = 2_000
_MAX_CHARACTERS: Final = 3_000_000

_Row = Mapping[str, Any]
"""The values of a row by the names of their columns."""


@dataclass(frozen=True, slots=True)
class Output:
    """One row: the summary of a system, and its references.

    Attributes:
        place: The row, as in "Row 3".
        named: Which of `id` and `system` the row has.
    """

    id: str
    system: str
    summary: str
    references: tuple[str, ...]
    place: str
    named: frozenset[str]


@dataclass(frozen=True, slots=True)
class OutputFile:
    """The rows of a file, and its columns: those that were read and the names of the others."""

    outputs: list[Output]
    columns: frozenset[str]
    ignored: tuple[str, ...]


def read_file(path: Path) -> OutputFile:
    """Return the rows of an XLSX, CSV or JSONL file."""
    if path.suffix == ".xlsx":
        return _sheet((f"Row {number}", cells) for number, cells in read_cells(path))
    try:
        return read_outputs(path.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InputError("The file is not UTF-8 text.") from None


def read_outputs(text: str) -> OutputFile:
    """Return the rows of a CSV or JSONL file.

    Columns: `summary`; `references` (JSONL: a list or a text) or columns that start with
    "reference" (CSV); and, if there are several, `system` and `id`.
    """
    if not text.lstrip().startswith("{"):
        return _sheet(_csv(text))
    rows = list(_jsonl(text))
    names = list(dict.fromkeys(name for _, row in rows for name in row))
    return _file(rows, {name: value_kind(name) for name in names})


def _sheet(rows: Iterator[tuple[str, list[str]]]) -> OutputFile:
    """Return the rows of a table, the first of which names the columns."""
    _, header = next(rows, ("", []))
    names = [name.strip() for name in header]
    counts = Counter(name.lower() for name in names if sheet_kind(name))
    again = [name for name in names if counts[name.lower()] > 1]
    if again:
        raise InputError(f'Several columns are named "{again[0]}".')
    return _file(_by_name(names, rows), {name: sheet_kind(name) for name in names if name})


def _by_name(names: list[str], rows: Iterable[tuple[str, list[str]]]) -> Iterator[tuple[str, _Row]]:
    for place, cells in rows:
        if any(cell.strip() for cell in cells[len(names) :]):
            wrong = f"{len(cells)} cells for {len(names)} columns"
            raise InputError(f"{place} has {wrong}. Quote cells that have the separator in them.")
        yield place, dict(zip(names, cells, strict=False))


def _file(rows: Iterable[tuple[str, _Row]], kinds: Mapping[str, str | None]) -> OutputFile:
    read: list[_Row] = []
    outputs: list[Output] = []
    characters = 0
    for place, row in rows:
        read.append(row)
        outputs.append(_output(place, len(read), row, kinds))
        characters += len(outputs[-1].summary) + sum(map(len, outputs[-1].references))
        if len(outputs) > _MAX_ROWS or characters > _MAX_CHARACTERS:
            limits = f"{_MAX_ROWS:,} rows or {_MAX_CHARACTERS:,} characters"
            raise InputError(f"The file has more than {limits}. Use commonground score.")
    if not outputs:
        raise InputError("The file has no rows.")
    ignored = tuple(name for name, kind in kinds.items() if kind is None)
    columns = frozenset(kind for kind in kinds.values() if kind)
    # Several models under another name would become one system.
    likely = None if "system" in columns else likely_column("system", ignored)
    if likely and len({str(row.get(likely)) for row in read}) > 1:
        raise InputError(f'The file has no column "system". Rename "{likely}" to "system".')
    return OutputFile(outputs, columns, ignored)


def _jsonl(text: str) -> Iterator[tuple[str, _Row]]:
    # Not `splitlines`: JSON allows other separators inside a string.
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = strict_json(line)
        except json.JSONDecodeError:
            raise InputError(f"Line {number} is not JSON.") from None
        except RecursionError:
            raise InputError(f"Line {number} is nested too deeply.") from None
        except ValueError as error:
            raise InputError(f"Line {number} cannot be read: {error}.") from None
        if not isinstance(row, dict):
            raise InputError(f"Line {number} is not a JSON object.")
        yield f"Line {number}", row


def _csv(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the rows that have any cell; the one below the header is row 1."""
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    try:
        rows = csv.reader(io.StringIO(text), delimiter=delimiter)
        for number, cells in enumerate(filter(None, rows)):
            yield f"Row {number}", cells
    except csv.Error as error:
        raise InputError(f"The file is not valid CSV: {error}.") from None


def _output(place: str, number: int, row: _Row, kinds: Mapping[str, str | None]) -> Output:
    found: dict[str, Any] = {"id": "", "system": ""}
    references: list[Any] = []
    for name, value in row.items():
        kind = kinds.get(name)
        if kind == "reference":
            references += value if isinstance(value, list) else [value]
        elif kind:
            found[kind] = value
    if not isinstance(found.get("summary"), str):
        raise InputError(_missing(place, "summary", kinds))
    if not all(isinstance(one, str) for one in references):
        raise InputError(f'{place} has no "references".')
    texts = tuple(text for text in references if text.strip())
    if not texts:
        raise InputError(_missing(place, "reference", kinds))
    named = {key: str(found[key] or "").strip() for key in ("id", "system")}
    return Output(
        named["id"] or str(number),
        named["system"] or NO_SYSTEM,
        found["summary"],
        texts,
        place,
        frozenset(key for key, value in named.items() if value),
    )


def _missing(place: str, kind: str, kinds: Mapping[str, str | None]) -> str:
    """Return the error for a row without a text, with the column that may have it."""
    name = "references" if kind == "reference" else kind
    ignored = [column for column, known in kinds.items() if known is None]
    likely = None if kind in kinds.values() else likely_column(kind, ignored)
    hint = f' Is it "{likely}"? Rename that column to "{name}".' if likely else ""
    return f'{place} has no "{name}".{hint}'
