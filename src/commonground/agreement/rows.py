"""Rows of CSV or JSONL files, in one shape, with the file and the line in every complaint."""

import csv
import re
from collections.abc import Iterable, Iterator
from math import isfinite
from pathlib import Path
from typing import Any, Final

from commonground.errors import InputError
from commonground.io import Row, read_lines, read_rows

# Apostrophes count, so that a text which has them already comes back whole.
_FORMULA: Final = re.compile(r"'*[=+\-@\t\r]")


def guarded(cell: str) -> str:
    """The cell with an apostrophe before it, where a spreadsheet would see a formula.

    Example:
        >>> guarded("=1+1"), guarded("'-1"), guarded("'tis so"), guarded("1-1")
        ("'=1+1", "''-1", "'tis so", '1-1')
    """
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unguarded(cell: str) -> str:
    """The cell as it was before `guarded`; what has no such apostrophe stays.

    Example:
        >>> unguarded("'=1+1"), unguarded("''-1"), unguarded("'tis so"), unguarded("-1")
        ('=1+1', "'-1", "'tis so", '-1')
    """
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


_CSV = (".csv", ".csv.gz")


def read_tables(paths: Iterable[str | Path]) -> list[Row]:
    """The rows of all files; a blank cell is None, as a null is."""
    paths = list(paths)
    rows = [row for path in paths for row in _table(Path(path))]
    if not rows:
        raise InputError(f"{', '.join(map(str, paths)) or 'no file'}: has no rows")
    return rows


def has(row: Row, key: str) -> bool:
    """Whether the row has a value there."""
    return row.values.get(key) is not None


def name(row: Row, key: str) -> str:
    """A name: a string that is not blank, or a whole number."""
    value = _filled(row, key)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise row.wrong(f'"{key}" must be a name, not {value!r}')
    return str(value).strip()


def number(row: Row, key: str) -> float:
    """A finite number, which CSV can only spell."""
    value = _filled(row, key)
    try:
        found = float("nan") if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        found = float("nan")
    if not isfinite(found):
        raise row.wrong(f'"{key}" must be a number, not {value!r}')
    return found


def counting(row: Row, key: str) -> int:
    """A whole number from 1 on."""
    value = number(row, key)
    if value < 1 or value != int(value):
        raise row.wrong(f'"{key}" must be a whole number from 1 on, not {row.values[key]!r}')
    return int(value)


def is_csv(path: Path) -> bool:
    """Whether the name says so."""
    return path.name.lower().endswith(_CSV)


def _table(path: Path) -> Iterator[Row]:
    for row in _csv_rows(path) if is_csv(path) else read_rows(path):
        values = {key: None if _blank(value) else value for key, value in row.values.items()}
        yield Row(row.path, row.line, values)


def _filled(row: Row, key: str) -> Any:
    value = row.required(key)
    if value is None:
        raise row.wrong(f'"{key}" is blank')
    return value


def _blank(value: Any) -> bool:
    return isinstance(value, str) and not value.strip()


def _csv_rows(path: Path) -> Iterator[Row]:
    reader = csv.reader((line + "\n" for _, line in read_lines(path)), strict=True)
    header: list[str] | None = None
    start = 1
    try:
        for cells in reader:
            line, start = start, reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if header is None:
                header = _header(cells, path, line)
                continue
            if len(cells) > len(header):
                raise InputError(
                    f"{path}, line {line}: has {len(cells)} cells for {len(header)} columns; "
                    "put quotes around a cell with a comma in it"
                )
            yield Row(path, line, dict(zip(header, map(unguarded, cells), strict=False)))
    except csv.Error as error:
        raise InputError(f"{path}, line {start}: is not CSV ({error})") from None


def _header(cells: list[str], path: Path, line: int) -> list[str]:
    header = [cell.strip() for cell in cells]
    twice = {name for name in header if name and header.count(name) > 1}
    if twice:
        raise InputError(f"{path}, line {line}: has the column {min(twice)!r} twice")
    return header
