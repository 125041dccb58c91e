"""Read content units that people wrote: SCUs, STUs, a rubric; text, CSV or JSONL."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from commonground.errors import InputError
from commonground.io import Row, read_csv_rows, read_lines, read_rows
from commonground.pyramid.pyramid import Pyramid

_TEXT: Final = (".txt", ".md")
_CSV: Final = ".csv"
_COLUMNS: Final = ("unit", "label", "text")  # names of the column with the words


def read_units(path: str | Path) -> Pyramid:
    """Read units from a file.

    A text file (`.txt`, `.md`) has one unit per line. CSV and JSONL files have a column `unit` (or
    `label` or `text`) and, optionally, `weight`. Any other suffix is read as JSONL.

    Raises:
        InputError: With the file and the line.
    """
    path = Path(path)
    rows = list(_rows(path))
    if not rows:
        raise InputError(f"{path}: has no units")
    return Pyramid.from_units(
        [_words(row) for row in rows], [_weight(row, row.values.get("weight")) for row in rows]
    )


def read_event_units(path: str | Path) -> dict[str, Pyramid]:
    """Read the units of many events, by id.

    A JSONL row has `id` and `units`, a list of texts, and optionally `weights`. Or it has `id`,
    `unit` and optionally `weight`, with a row for each unit; so may a CSV file.
    """
    path = Path(path)
    units: dict[str, list[str]] = {}
    weights: dict[str, list[int]] = {}
    for row in _rows(path):
        id_ = row.identifier()
        if "units" not in row.values:
            units.setdefault(id_, []).append(_words(row))
            weights.setdefault(id_, []).append(_weight(row, row.values.get("weight")))
            continue
        if id_ in units:
            raise row.wrong(f"id {id_!r} appears twice")
        texts = row.list_of("units")
        given = row.values.get("weights")
        if given is not None and len(row.list_of("weights")) != len(texts):
            raise row.wrong(f'"weights" has {len(given)} numbers for {len(texts)} units')
        if not all(isinstance(text, str) and text.strip() for text in texts) or not texts:
            raise row.wrong('"units" must be a list of texts that are not blank')
        units[id_] = texts
        weights[id_] = [_weight(row, weight) for weight in given or [None] * len(texts)]
    if not units:
        raise InputError(f"{path}: has no units")
    return {id_: Pyramid.from_units(texts, weights[id_]) for id_, texts in units.items()}


def _rows(path: Path) -> Iterator[Row]:
    suffix = path.suffix.lower()
    if suffix in _TEXT:
        for number, line in read_lines(path):
            if line.strip():
                yield Row(path, number, {"unit": line})
    elif suffix == _CSV:
        for row in read_csv_rows(path):
            filled = {key: cell for key, cell in row.values.items() if cell.strip()}
            yield replace(row, values=filled)
    else:
        yield from read_rows(path)


def _words(row: Row) -> str:
    name = next((name for name in _COLUMNS if name in row.values), None)
    if name is None:
        raise row.missing('"unit" is')
    if not (words := row.text(name)).strip():
        raise row.wrong(f'"{name}" is blank')
    return words


def _weight(row: Row, value: Any) -> int:
    if value is None:
        return 1
    if isinstance(value, str) and value.strip().isdecimal():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise row.wrong(f'"weight" must be a whole number from 1, not {value!r}')
    return value
