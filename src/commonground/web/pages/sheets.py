"""Spreadsheets to download."""

import io
from collections.abc import Sequence
from typing import Any, Final

FILE_TYPES: Final = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/jsonl",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""Media types by the ending of a file."""

_WIDTH: Final = 40  # of a column with texts, in characters
_NARROW: Final = ("id", "system", "source")


def xlsx_file(table: Sequence[Sequence[Any]], *, text: bool = False) -> bytes:
    """Return a table as XLSX; its first row has the names of the columns.

    `text` formats all cells as text: a spreadsheet must not turn an id into a date.
    """
    from openpyxl import Workbook
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    book = Workbook()
    sheet: Any = book.active
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
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()
