"""What people see: tables on stdout, progress on stderr and only on a terminal."""

import contextlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

_PIPED_WIDTH = 400  # wide enough that no table wraps in a file


class _Pipe(Console):
    """A console that leaves a broken pipe to whoever runs the command."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def print_json(values: Mapping[str, Any]) -> None:
    """One JSON object on stdout, and nothing else there."""
    typer.echo(json.dumps(values, ensure_ascii=True, indent=2, allow_nan=False))


def print_table(table: Table, *notes: str) -> None:
    """A table, and lines below it."""
    console().print(table)
    print_lines(*notes)


def print_lines(*lines: str) -> None:
    """Lines as they are: never wrapped, never read as markup."""
    for line in lines:
        console().print(line, markup=False, soft_wrap=True)


def console() -> Console:
    """Where tables and lines go: as wide as the terminal, or wide enough for any file."""
    return _Pipe(width=None if sys.stdout.isatty() else _PIPED_WIDTH, highlight=False)


def note(line: str) -> None:
    """A remark on stderr that must not be missed."""
    typer.echo(f"commonground: {line}", err=True)


class _Rate(ProgressColumn):
    """How many are done in a second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:,.1f}/s" if task.speed else "")


@contextlib.contextmanager
def progress(what: str, before: int = 0) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr while the block runs; call what it gives with done and total.

    Args:
        what: Is being done.
        before: How many were done before, which tells nothing of the rate.
    """
    screen = Console(stderr=True)
    bars = (TextColumn(what), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    with Progress(*bars, console=screen, transient=True, disable=not screen.is_terminal) as bar:
        task = bar.add_task(what, total=None, completed=before)
        yield lambda done, total: bar.update(task, completed=done, total=total)
