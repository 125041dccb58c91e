"""Rows of CSV or JSONL files; every error names the file and the line."""

import csv
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import Any, Final

from commonground.errors import InputError
from commonground.io import Row, read_lines, read_rows

# Leading apostrophes count, so that guarding can be undone.
_FORMULA: Final = re.compile(r"'*[=+\-@\t\r]")


def guarded(cell: str) -> str:
    """Return the cell with an apostrophe before it if a spreadsheet would read a formula.

    Example:
        >>> guarded("=1+1"), guarded("'-1"), guarded("'tis so"), guarded("1-1")
        ("'=1+1", "''-1", "'tis so", '1-1')
    """
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unguarded(cell: str) -> str:
    """Undo `guarded`.

    Example:
        >>> unguarded("'=1+1"), unguarded("''-1"), unguarded("'tis so"), unguarded("-1")
        ('=1+1', "'-1", "'tis so", '-1')
    """
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


_CSV = (".csv", ".csv.gz")


def read_tables(paths: Iterable[str | Path]) -> list[Row]:
    """Return the rows of all files; a blank cell is None."""
    paths = list(paths)
    rows = [row for path in paths for row in _table(Path(path))]
    if not rows:
        raise InputError(f"{', '.join(map(str, paths)) or 'no file'}: has no rows")
    return rows


def has(row: Row, key: str) -> bool:
    """Return whether the row has a value."""
    return row.values.get(key) is not None


def name(row: Row, key: str) -> str:
    """Return a name: a non-blank string, or a whole number."""
    value = _filled(row, key)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise row.wrong(f'"{key}" must be a name, not {value!r}')
    return str(value).strip()


def number(row: Row, key: str) -> float:
    """Return a finite number, or the number that a string spells."""
    value = _filled(row, key)
    with suppress(TypeError, ValueError, OverflowError):
        if not isinstance(value, bool) and isfinite(result := float(value)):
            return result
    raise row.wrong(f'"{key}" must be a number, not {value!r}')


def counting(row: Row, key: str) -> int:
    """Return a whole number from 1 on."""
    value = number(row, key)
    if value < 1 or value != int(value):
        raise row.wrong(f'"{key}" must be a whole number from 1 on, not {row.values[key]!r}')
    return int(value)


def is_csv(path: Path) -> bool:
    """Return whether the file name is that of a CSV file."""
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
