"""Rows of a file, with the file and the line in every error."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonground.errors import InputError
from commonground.io.files import decoded, each_line, whole_file
from commonground.io.formats import is_table, json_line, read_table


@dataclass(frozen=True, slots=True)
class Row:
    """One object of a file with its line, or its number in a table."""

    path: Path
    line: int
    values: Mapping[str, Any]

    @property
    def place(self) -> str:
        """The file and the line, for error messages."""
        return place(self.path, self.line)

    def wrong(self, what: str) -> InputError:
        """Return an error that starts with the file and the line."""
        return InputError(f"{self.place}: {what}")

    def text(self, key: str) -> str:
        """Return a required string."""
        value = self.required(key)
        if not isinstance(value, str):
            raise self.wrong(f'"{key}" must be a string, not {_json_type(value)}')
        return value

    def identifier(self) -> str:
        """Return the row's `id`: a string that is not blank, or an integer."""
        value = self.required("id")
        if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
            raise self.wrong('"id" must be a string that is not blank')
        return str(value)

    def list_of(self, key: str) -> list[Any]:
        """Return a required list."""
        value = self.required(key)
        if not isinstance(value, list):
            raise self.wrong(f'"{key}" must be a list, not {_json_type(value)}')
        return value

    def required(self, key: str) -> Any:
        """Return a required value."""
        if key not in self.values:
            raise self.missing(f'"{key}" is')
        return self.values[key]

    def missing(self, what: str) -> InputError:
        """Return an error that says what is missing and lists the keys of the row."""
        keys = ", ".join(f'"{name}"' for name in self.values) or "none"
        return self.wrong(f"{what} missing (keys here: {keys})")


def place(path: Path, line: int) -> str:
    """Return the file and the line of a row, for error messages."""
    return f"{path}, {'row' if is_table(path) else 'line'} {line}"


def read_rows(
    path: str | Path, complain: Callable[[InputError], None] | None = None
) -> Iterator[Row]:
    """Yield the rows of a JSONL, Parquet or Arrow file; blank lines are skipped.

    Args:
        path: The file.
        complain: Called with the error of a bad line, which is then skipped; without it, the
            first error is raised.
    """
    for row in try_rows(Path(path)):
        if isinstance(row, Row):
            yield row
        elif complain:
            complain(row.error)
        else:
            raise row.error


@dataclass(frozen=True, slots=True)
class BadRow:
    """An invalid line and its error."""

    path: Path
    line: int
    error: InputError


def try_rows(path: Path) -> Iterator[Row | BadRow]:
    """Yield the rows of a file, and a `BadRow` for each invalid line."""
    if is_table(path):
        for number, values in read_table(path):
            yield Row(path, number, values)
        return
    for number, line in enumerate(each_line(path), start=1):
        if line.isspace():
            continue
        try:
            text = decoded(line, path, number)
            if text.strip():
                yield Row(path, number, _parsed(text, path, number))
        except InputError as error:
            yield BadRow(path, number, error)


def write_rows(path: str | Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows as JSONL; the file appears only when it is complete."""
    with whole_file(Path(path)) as stream:
        stream.writelines(map(json_line, rows))


def _parsed(line: str, path: Path, number: int) -> Mapping[str, Any]:
    try:
        values = json.loads(line)
    except json.JSONDecodeError as error:
        what = f"{error.msg.removesuffix(' at')} at column {error.colno}"
        raise InputError(
            f"{path}, line {number}: is not JSON ({what}); expected one object a line"
        ) from None
    except RecursionError:
        raise InputError(f"{path}, line {number}: is JSON nested too deeply") from None
    except ValueError as error:  # a number with too many digits for Python
        raise InputError(f"{path}, line {number}: is not JSON ({error})") from None
    if not isinstance(values, dict):
        raise InputError(f"{path}, line {number}: must be a JSON object, not {_json_type(values)}")
    return values


def _json_type(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false"}
    return "null" if value is None else names.get(type(value), "a number")
