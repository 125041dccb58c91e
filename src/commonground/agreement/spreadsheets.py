"""Cells of CSV files that no spreadsheet takes for a formula, and back."""

import re
from typing import Final

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
