"""Spreadsheets to download."""

import csv
import io
from collections.abc import Sequence
from typing import Any, Final

from fastapi.responses import Response

FILE_TYPES: Final = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/jsonl",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""Media types by the ending of a file."""

_WIDTH: Final = 40  # of a column with texts, in characters
_NARROW: Final = ("id", "name", "system", "source")


Table = Sequence[Sequence[Any]]
"""Rows of cells; the first has the names of the columns."""


def attachment(name: str, content: bytes) -> Response:
    """Return a file to save under an ASCII name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=FILE_TYPES[name.rpartition(".")[2]], headers=headers)


def csv_file(text: str) -> bytes:
    """Return the bytes of a CSV file, with a mark for Excel: it takes plain UTF-8 for another one.

    Our commands skip the mark.
    """
    return text.encode("utf-8-sig")


def template_file(table: Table, form: str) -> bytes:
    """Return a table to fill in, as CSV or XLSX."""
    if form == "xlsx":
        return xlsx_file(text=True, rows=table)
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\r\n").writerows(table)
    return csv_file(stream.getvalue())


def xlsx_file(*, text: bool = False, **sheets: Table) -> bytes:
    """Return an XLSX file with a sheet for each table, by its name.

    `text` formats all cells as text: a spreadsheet must not turn an id into a date.
    """
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.active)
    for name, table in sheets.items():
        _fill(book.create_sheet(name), table, text)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _fill(sheet: Any, table: Table, text: bool) -> None:
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    for row in table:
        # XML has no place for control characters.
        sheet.append(
            [ILLEGAL_CHARACTERS_RE.sub("", cell) if isinstance(cell, str) else cell for cell in row]
        )
    for index, name in enumerate(table[0], start=1):
        column = get_column_letter(index)
        wide = text and not name.startswith(_NARROW)
        sheet.column_dimensions[column].width = _WIDTH if wide else _WIDTH // 2
        for cell in sheet[column]:
            cell.alignment = Alignment(wrap_text=True, vertical="top")
            if isinstance(cell.value, str):
                cell.data_type = "s"  # a name that begins with "=" is no formula
            if text:
                cell.number_format = "@"
        sheet.cell(1, index).font = Font(bold=True)
    sheet.freeze_panes = "A2"
