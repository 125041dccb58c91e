"""Cells of CSV files: no spreadsheet takes one for a formula, and each reads back as it was."""

import csv
import io
import re
from collections.abc import Iterable
from typing import Final

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


def csv_line(cells: Iterable[object]) -> str:
    r"""Return a line of a CSV file, with guarded texts; None is an empty cell.

    Example:
        >>> csv_line(["=1+1", -1, None, 'a "b", c', "two\rlines"])
        '\'=1+1,-1,,"a ""b"", c","two\rlines"\n'
    """
    line = io.StringIO()
    # Python before 3.13 puts quotes around a line break only if the line's own end has it.
    writer = csv.writer(line, lineterminator="\r\n")
    writer.writerow([guarded(cell) if isinstance(cell, str) else cell for cell in cells])
    return line.getvalue().removesuffix("\r\n") + "\n"
