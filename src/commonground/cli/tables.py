"""Tables of plain dicts on the terminal."""

from collections.abc import Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from commonground.cli.terminal import print_lines, print_table
from commonground.report import shown_cell


def print_tables(*tables: Mapping[str, Any]) -> None:
    """Each table under its title and above its notes."""
    for place, table in enumerate(tables):
        drawn = Table(box=None, pad_edge=False, header_style="bold")
        for column, heading in enumerate(table["columns"]):
            named = any(_is_name(row[column]) for row in table["rows"])
            drawn.add_column(Text(heading), justify="left" if named else "right", overflow="fold")
        for row in table["rows"]:
            drawn.add_row(*(Text(shown_cell(cell)) for cell in row))
        print_lines(*([""] if place else []), table["title"])
        print_table(drawn, *table.get("notes", ()))


def _is_name(cell: object) -> bool:
    return isinstance(cell, str) and cell[:1].isalpha()
