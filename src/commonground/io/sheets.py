"""Data sets and predictions as spreadsheets: CSV, TSV and XLSX, one event or summary per row.

The first row names the columns: `id`; `narrative 1`, `narrative 2`, ... (or `text 1`, ...), each
with a `source 1`, ...; `reference 1`, ...; `system`; `summary`. Case, underscores and the space
before the number do not matter, nor does the order. Other columns are ignored.
"""

import csv
import datetime
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from commonground.errors import InputError, MissingExtraError
from commonground.io.files import read_lines

SHEETS: Final = (".csv", ".csv.gz", ".tsv", ".xlsx")

_NAME: Final = re.compile(r"(id|system|summary|narrative|text|source|reference)s? ?(\d{0,3})")
_KINDS: Final = {"text": "narrative"}
_MAX_COLUMNS: Final = 200
_MAX_ROWS: Final = 1_000_000
_MAX_UNPACKED: Final = 300_000_000  # bytes
_MAX_PARTS: Final = 2_000

_Cells = tuple[int, list[Any]]
"""The number of a row and its cells: of XLSX the row that a spreadsheet shows, else the line."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column that is read: its place, the name in the file, its kind and number."""

    index: int
    name: str
    kind: str
    number: int

    @property
    def key(self) -> tuple[str, int]:
        """What the column holds."""
        return self.kind, self.number

    @property
    def place(self) -> str:
        """The letter that spreadsheets show, and the name."""
        return f"column {letter(self.index)} ({self.name})"


def is_sheet(path: Path) -> bool:
    """Say whether the file name is of a CSV, TSV or XLSX file."""
    return path.name.lower().endswith(SHEETS)


def is_xlsx(path: Path) -> bool:
    """Say whether rows are numbered as a spreadsheet shows them, not by the lines of the file."""
    return path.suffix.lower() == ".xlsx"


def letter(index: int) -> str:
    """Return the letter of a column.

    Example:
        >>> letter(0), letter(27)
        ('A', 'AB')
    """
    first, last = divmod(index, 26)
    return (letter(first - 1) if first else "") + chr(ord("A") + last)


def read_sheet(path: Path) -> Iterator[tuple[int, dict[str, Any] | InputError]]:
    """Yield rows with their numbers, as the values of JSONL, and an error for each wrong cell.

    Raises:
        InputError: The file cannot be read, or its first row does not name the columns.
        MissingExtraError: XLSX needs the extra `xlsx`.
    """
    rows = _filled(_cells(path))
    number, header = next(rows, (1, []))
    columns = sheet_columns(header)
    unit = "row" if is_xlsx(path) else "line"
    where = f"{path}, {unit} {number}"
    names = [name for name in map(_shown, header) if name]
    if "id" not in {column.kind for column in columns}:
        known = ", ".join(names[:10]) or "none"
        raise InputError(f'{where}: no column is named "id" (columns here: {known})')
    for column in columns:
        again = [other for other in columns if other.key == column.key]
        if len(again) > 1:
            raise InputError(f"{where}: {again[0].place} and {again[1].place} are the same column")
    for number, cells in rows:
        if len(cells) > len(header) and any(map(_shown, cells[len(header) :])):
            wrong = f"has {len(cells)} cells for {len(header)} columns"
            yield number, InputError(f"{path}, {unit} {number}: {wrong}; quote cells with commas")
            continue
        values, errors = _row(columns, cells)
        for column, problem in errors:
            yield number, InputError(f"{path}, {unit} {number}, {column.place}: {problem}")
        if not errors:
            yield number, values


def read_cells(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a sheet that have any cell: their numbers and the texts of their cells.

    Raises:
        InputError: The file cannot be read, or a cell is no text.
        MissingExtraError: XLSX needs the extra `xlsx`.
    """
    unit = "row" if is_xlsx(path) else "line"
    for number, cells in _filled(_cells(path)):
        texts = []
        for index, cell in enumerate(cells):
            try:
                texts.append(_text(cell))
            except ValueError as error:
                where = f"{path}, {unit} {number}, column {letter(index)}"
                raise InputError(f"{where}: {error}") from None
        yield number, texts


def count_sheet(path: Path) -> int:
    """Return the number of rows below the header, without looking at their cells."""
    return max(0, sum(1 for _ in _filled(_cells(path))) - 1)


def ignored_columns(path: Path) -> list[str]:
    """Return the names of the columns that are not read."""
    rows = _filled(_cells(path))
    _, header = next(rows, (1, []))
    known = {column.index for column in sheet_columns(header)}
    others = [_shown(cell) for index, cell in enumerate(header) if index not in known]
    return [name for name in others if name]


def sheet_columns(header: Iterable[Any]) -> list[Column]:
    """Return the columns that are read; a name without a number has the number 1."""
    columns = []
    for index, cell in enumerate(header):
        name = _shown(cell)
        if found := _NAME.fullmatch(re.sub(r"[\s_-]+", " ", name.lower())):
            kind = _KINDS.get(found[1], found[1])
            columns.append(Column(index, name, kind, int(found[2] or 1)))
    return columns


def _row(
    columns: list[Column], cells: list[Any]
) -> tuple[dict[str, Any], list[tuple[Column, str]]]:
    """Return a row as the values of JSONL, and what is wrong with which cell."""
    texts: dict[tuple[str, int], str] = {}
    errors = []
    for column in columns:
        cell = cells[column.index] if column.index < len(cells) else None
        try:
            texts[column.key] = _text(cell)
        except ValueError as error:
            errors.append((column, str(error)))
    for column in columns:
        text, number = texts.get(column.key), column.number
        if column.kind == "id" and text == "":
            errors.append((column, "is blank"))
        if column.kind == "source" and text and not texts.get(("narrative", number)):
            errors.append((column, f"has a source, but text {number} is blank"))
    kinds = {column.kind for column in columns}
    single = [name for name in ("id", "system", "summary") if name in kinds]
    values: dict[str, Any] = {name: texts.get((name, 1), "") for name in single}
    if "narrative" in kinds:
        values["narratives"] = [
            {"source": texts.get(("source", number)) or f"narrative {number}", "text": text}
            for (kind, number), text in sorted(texts.items())
            if kind == "narrative" and text
        ]
    if "reference" in kinds:
        values["references"] = [
            text for (kind, _), text in sorted(texts.items()) if kind == "reference" and text
        ]
    return values, errors


def _text(cell: Any) -> str:
    """Return the text of a cell; raise ValueError if it cannot be one."""
    if isinstance(cell, bool):
        raise ValueError("is TRUE or FALSE; write it as text")
    if isinstance(cell, datetime.date | datetime.time | datetime.timedelta):
        raise ValueError("is a date or a time; format the cell as text")
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    text = "" if cell is None else str(cell).strip()
    if re.fullmatch(r"#(REF!|N/A|VALUE!|DIV/0!|NAME\?|NUM!|NULL!)", text):
        raise ValueError(f"is {text}, an error of the spreadsheet")
    if re.search(r"[\0\ud800-\udfff]", text):
        raise ValueError("has invalid characters (NUL or half a surrogate pair)")
    return text


def _shown(cell: Any) -> str:
    return "" if cell is None else " ".join(str(cell).split())[:60]


def _filled(rows: Iterable[_Cells]) -> Iterator[_Cells]:
    """Yield the rows that have any cell."""
    return ((number, cells) for number, cells in rows if any(map(_shown, cells)))


def _cells(path: Path) -> Iterator[_Cells]:
    return _xlsx(path) if is_xlsx(path) else _csv(path)


def _csv(path: Path) -> Iterator[_Cells]:
    """Yield the rows of a CSV file; the header shows whether commas, semicolons or tabs part it."""
    lines = read_lines(path)
    first = next((line for _, line in lines if line.strip()), "")
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(
        (line + "\n" for _, line in read_lines(path)), delimiter=delimiter, strict=True
    )
    number = 1  # a cell can have several lines
    try:
        for cells in reader:
            yield number, cells
            number = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{path}, line {number}: is not CSV ({error})") from None


def _xlsx(path: Path) -> Iterator[_Cells]:
    """Yield the rows of the first sheet, with the values that its formulas last had."""
    try:
        rows = _worksheet(path).iter_rows(max_col=_MAX_COLUMNS, max_row=_MAX_ROWS, values_only=True)
        for number, cells in enumerate(rows, start=1):
            yield number, list(cells)
    except (InputError, MissingExtraError, MemoryError):
        raise
    except Exception as error:  # parsers raise all kinds for malformed files
        kind = type(error).__name__
        raise InputError(f"{path}: is a damaged XLSX file ({kind})") from None


def _worksheet(path: Path) -> Any:
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise MissingExtraError("An XLSX file", "xlsx") from None
    _check_archive(path)
    try:
        book = load_workbook(path, read_only=True, data_only=True, keep_links=False)
        sheet = book.worksheets[0]
    except MemoryError:
        raise
    except Exception as error:  # parsers raise all kinds for malformed files
        kind = type(error).__name__
        raise InputError(f"{path}: is a damaged XLSX file ({kind})") from None
    sheet.reset_dimensions()  # a file may claim any size
    return sheet


def _check_archive(path: Path) -> None:
    """Raise InputError for another kind of file, or one that is too large when unpacked."""
    try:
        with path.open("rb") as stream:
            if stream.read(4) == b"\xd0\xcf\x11\xe0":
                raise InputError(f"{path}: is an old or locked Excel file; save it as plain XLSX")
        with zipfile.ZipFile(path) as archive:
            # zipfile never unpacks more than the directory says.
            parts = archive.infolist()
            names = archive.namelist()
    except OSError as error:
        raise InputError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    except zipfile.BadZipFile:
        raise InputError(f"{path}: is not an XLSX file") from None
    if len(parts) > _MAX_PARTS or sum(part.file_size for part in parts) > _MAX_UNPACKED:
        raise InputError(f"{path}: is too large when unpacked")
    if "xl/workbook.xml" not in names:
        raise InputError(f"{path}: is an archive, not an XLSX file")
