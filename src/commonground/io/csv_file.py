"""Rows of CSV files; every error names the file and the line."""

import csv
from collections.abc import Iterator
from pathlib import Path

from commonground.cells import unguarded
from commonground.errors import InputError
from commonground.io.files import read_lines
from commonground.io.rows import Row


def read_csv_rows(path: Path) -> Iterator[Row]:
    """Yield the rows below the header by column, without the apostrophes that guard formulas.

    Blank rows are skipped, and missing cells at the end of a row are left out.

    Raises:
        InputError: With the file and the line.
    """
    reader = csv.reader((line + "\n" for _, line in read_lines(path)), strict=True)
    header: list[str] | None = None
    start = 1
    try:
        for cells in reader:
            line, start = start, reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if header is None:
                header = [cell.strip() for cell in cells]
                twice = {name for name in header if name and header.count(name) > 1}
                if twice:
                    raise InputError(f"{path}, line {line}: column {min(twice)!r} appears twice")
                continue
            if len(cells) > len(header):
                raise InputError(
                    f"{path}, line {line}: has {len(cells)} cells for {len(header)} columns; "
                    "put quotes around a cell with a comma in it"
                )
            yield Row(path, line, dict(zip(header, map(unguarded, cells), strict=False)))
    except csv.Error as error:
        raise InputError(f"{path}, line {start}: is not CSV ({error})") from None
