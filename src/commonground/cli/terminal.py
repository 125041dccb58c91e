"""Output: tables and JSON on stdout, notes on stderr, progress on stderr of a terminal."""

import contextlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from commonground.errors import printable
from commonground.report import shown_cell

_PIPED_WIDTH = 400  # wide enough that no table wraps in a file


class _Pipe(Console):
    """A console that obeys no data, and raises an error for a broken pipe instead of exiting."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Yield what is shown; control characters of data are not the terminal's affair."""
        for part in super().render(renderable, options):
            yield part if part.control else part._replace(text=printable(part.text))

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def print_json(values: Mapping[str, Any]) -> None:
    """Print one JSON object on stdout."""
    typer.echo(json.dumps(values, ensure_ascii=True, indent=2, allow_nan=False))


def print_table(table: Table, *notes: str) -> None:
    """Print a table with notes below it."""
    console().print(table)
    print_lines(*notes)


def print_tables(*tables: Mapping[str, Any]) -> None:
    """Print tables of plain values, each between its title and its notes."""
    for number, table in enumerate(tables):
        drawn = Table(box=None, pad_edge=False, header_style="bold")
        for column, heading in enumerate(table["columns"]):
            cells = [row[column] for row in table["rows"]]
            left = any(isinstance(cell, str) and cell[:1].isalpha() for cell in cells)
            drawn.add_column(Text(heading), justify="left" if left else "right", overflow="fold")
        for row in table["rows"]:
            drawn.add_row(*(Text(shown_cell(cell)) for cell in row))
        print_lines(*([""] if number else []), table["title"])
        print_table(drawn, *table.get("notes", ()))


def print_lines(*lines: str) -> None:
    """Print lines verbatim, without wrapping or markup."""
    for line in lines:
        console().print(line, markup=False, soft_wrap=True)


def console() -> Console:
    """Return a console for stdout, as wide as the terminal or wide enough for any table."""
    return _Pipe(width=None if sys.stdout.isatty() else _PIPED_WIDTH, highlight=False)


def note(line: str) -> None:
    """Print a line on stderr."""
    typer.echo(f"commonground: {printable(line)}", err=True)


def report_written(path: Path, line: str) -> None:
    """Print a line about a new file: on stdout, or on stderr if the file is stdout itself."""
    typer.echo(printable(f"{path}: {line}"), err=path.exists() and not path.is_file())


class _Rate(ProgressColumn):
    """Shows the number of items per second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:,.1f}/s" if task.speed else "")


@contextlib.contextmanager
def progress(label: str, before: int = 0) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar on stderr; yield a function to call with done and total.

    Items that an earlier run did (`before`) do not count for the rate.
    """
    screen = Console(stderr=True)
    bars = (TextColumn(label), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    with Progress(*bars, console=screen, transient=True, disable=not screen.is_terminal) as bar:
        task = bar.add_task(label, total=None, completed=before)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextlib.contextmanager
def progress_steps() -> Iterator[Callable[[str], Callable[[int, int], None]]]:
    """Yield a function that starts the progress bar of a step and ends that of the last one."""
    with contextlib.ExitStack() as stack:

        def start(step: str) -> Callable[[int, int], None]:
            stack.close()
            return stack.enter_context(progress(step))

        yield start
