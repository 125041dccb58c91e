"""The summaries of a class in one CSV, TSV or XLSX file, a row for each student."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from commonground.cells import unguarded
from commonground.errors import InputError
from commonground.io.sheets import is_xlsx, read_cells

_NAMES: Final = ("name", "student", "id")  # columns with the name, the best first
_TEXTS: Final = ("summary", "text")


@dataclass(frozen=True, slots=True)
class Submission:
    """What a student handed in; `text` may be empty."""

    name: str
    text: str


def read_class(path: Path, taken: Iterable[str] = ()) -> list[Submission]:
    """Return the students of a file in its order.

    The first row names the columns: `name` (or `student` or `id`) and `summary` (or `text`). Other
    columns and blank rows are skipped. A name that repeats, or is among those `taken`, gets a
    number: "Anna (2)".

    Raises:
        InputError: With the file and the row.
        MissingExtraError: XLSX needs the extra `xlsx`.
    """
    rows = read_cells(path)
    _, header = next(rows, (1, []))
    heads = [" ".join(cell.lower().split()) for cell in header]
    name, text = (_column(heads, kind) for kind in (_NAMES, _TEXTS))
    if name is None or text is None:
        known = ", ".join(filter(None, header)) or "none"
        raise InputError(
            f'{path}: needs the columns "name" (or "student", "id") and "summary" (or "text"); '
            f"columns here: {known[:200]}"
        )
    students: list[Submission] = []
    names = set(taken)
    for where, cells in _rows(path, rows, len(header)):
        if not cells[name]:
            raise InputError(f"{where}: the name is blank")
        students.append(Submission(_free(cells[name], names), cells[text]))
        names.add(students[-1].name)
    if not students:
        raise InputError(f"{path}: has no students")
    return students


def _free(name: str, taken: Collection[str]) -> str:
    """Return the name, with a number if it is taken."""
    free, number = name, 2
    while free in taken:
        free, number = f"{name} ({number})", number + 1
    return free


def _column(heads: Sequence[str], names: Sequence[str]) -> int | None:
    return next((heads.index(name) for name in names if name in heads), None)


def _rows(
    path: Path, rows: Iterator[tuple[int, list[str]]], width: int
) -> Iterator[tuple[str, list[str]]]:
    """Yield the place and the cells of each row, as many as columns."""
    for number, cells in rows:
        where = f"{path}, {'row' if is_xlsx(path) else 'line'} {number}"
        if any(cells[width:]):
            raise InputError(
                f"{where}: has {len(cells)} cells for {width} columns; quote cells with commas"
            )
        plain = cells if is_xlsx(path) else [unguarded(cell) for cell in cells]
        yield where, [*plain, *[""] * (width - len(plain))][:width]
