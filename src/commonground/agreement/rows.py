"""Rows of CSV or JSONL files; every error names the file and the line."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

from commonground.errors import InputError
from commonground.io import Row, read_csv_rows, read_rows

_Key = TypeVar("_Key")


def read_tables(paths: Iterable[str | Path]) -> list[Row]:
    """Return the rows of all files; a blank cell is None."""
    files = [Path(path) for path in paths]
    rows = [
        replace(row, values={key: _unless_blank(cell) for key, cell in row.values.items()})
        for path in files
        for row in (read_csv_rows if is_csv(path) else read_rows)(path)
    ]
    if not rows:
        raise InputError(f"{', '.join(map(str, files)) or 'no file'}: has no rows")
    return rows


def _unless_blank(cell: Any) -> Any:
    return None if isinstance(cell, str) and not cell.strip() else cell


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


def check_once(row: Row, seen: dict[_Key, Row], key: _Key, what: str) -> None:
    """Raise InputError if an earlier row has the key."""
    before = seen.setdefault(key, row)
    if before is not row:
        where = "" if before.path == row.path else f"{before.path}, "
        raise row.wrong(f"{what} is already in {where}line {before.line}")


def is_csv(path: Path) -> bool:
    """Return whether the file name is that of a CSV file."""
    return path.name.lower().endswith((".csv", ".csv.gz"))


def _filled(row: Row, key: str) -> Any:
    value = row.required(key)
    if value is None:
        raise row.wrong(f'"{key}" is blank')
    return value
