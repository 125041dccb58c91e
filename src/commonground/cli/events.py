"""What `overlap` and `define` share: events from files or a data set, results shown or saved."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Protocol

import typer

from commonground.cli.options import JsonOption, Scale
from commonground.cli.scaled import run_scaled
from commonground.cli.terminal import note, print_json, print_lines
from commonground.cli.texts import read_narratives
from commonground.errors import InputError
from commonground.io import Narrative, check_writable, find_files
from commonground.scale import Item, Output, RowWork, event_rows
from commonground.score import Signature

_SHARD_ROWS = 20  # some seconds of work

NarrativesArgument = Annotated[
    list[Path] | None,
    typer.Argument(help="Two or more narratives, one file each: text, Markdown, HTML, PDF, DOCX."),
]
AtLeastOption = Annotated[
    int | None,
    typer.Option(min=2, help="Minimum number of narratives that must agree (default: all)."),
]
HtmlOption = Annotated[
    Path | None, typer.Option("--html", help="Write the result to this HTML page.")
]


class Result(Protocol):
    """The result for one event."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, with a `signature`."""
        ...


class Finder(Protocol):
    """Finds overlaps by one definition."""

    def find(self, narratives: Sequence[Narrative], /) -> Result:
        """Return the overlap of two or more narratives."""
        ...

    def signature(self, narratives: int, /) -> Signature:
        """Return the signature of a result for n narratives."""
        ...


OpenFinder = Callable[[], Finder]
"""Loads the models; picklable, because each worker process calls it."""


@dataclass(frozen=True, slots=True)
class Events(Scale):
    """Where events come from and where results go: the shared options of `overlap` and `define`."""

    narratives: NarrativesArgument = None
    as_json: JsonOption = False
    input_files: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            help="Data set to read instead of files: JSONL (.gz), Parquet, Arrow, or a folder or "
            "glob of them. Repeatable.",
        ),
    ] = None
    output: Annotated[
        str | None,
        typer.Option(
            help="Where to write the results of --input: FILE.jsonl, FILE.parquet, or FOLDER/ "
            "for shards."
        ),
    ] = None

    def compare(
        self,
        open_finder: OpenFinder,
        *,
        at_least: int | None = None,
        html: Path | None = None,
        show: Callable[[Any], None] | None = None,
    ) -> None:
        """Find the overlap of the files, or of every event of the data set."""
        if self.input_files:
            output = check_data_set(self.narratives, self.output, self.as_json, html)
            self._compare_to(output, self.input_files, open_finder, at_least)
            return
        if self.output or self.resume:
            raise InputError("--output and --resume require --input; for one event use --json")
        self.check_unused("--input")
        paths = check_count(self.narratives)
        if at_least is not None and at_least > len(paths):
            raise InputError(f"--at-least {at_least}: there are only {len(paths)} narratives")
        if html:
            check_writable(html, *paths)
        event = read_narratives(paths)
        result = open_finder().find(event)
        if html:
            result.to_html(html)  # type: ignore[attr-defined]  # only for results with a page
            note(f"{html}: written")
        if self.as_json:
            print_json(result.to_dict())
        elif show:
            show(result)
        else:
            print_lines(*str(result).splitlines(), "", result.to_dict()["signature"])

    def _compare_to(
        self, output: str, source: Sequence[str], open_finder: OpenFinder, at_least: int | None
    ) -> None:
        inputs = find_files(source)
        target = Output.of(output, self.form)
        target.check_apart(source)
        run_scaled(
            self,
            target,
            inputs,
            _Compare(target.form, open_finder, at_least),
            lambda index: event_rows(inputs, index, at_least or 2),
            label="Comparing",
            noun="events",
            shard_rows=_SHARD_ROWS,
        )


class _Compare(RowWork):
    """Find the overlap of each event of a shard."""

    def __init__(self, form: str, open_finder: OpenFinder, at_least: int | None) -> None:
        super().__init__(form)
        self._open_finder = open_finder
        self._at_least = at_least

    @cached_property
    def models(self) -> Finder:
        """The finder."""
        return self._open_finder()

    def signature(self) -> str:
        """Return the signature for the smallest number of narratives allowed."""
        signature = self.models.signature(self._at_least or 2)
        return f"{signature}|asked:{self._at_least or 'all'}"

    def results(self, items: Sequence[Item]) -> list[dict[str, Any]]:
        """Return a row for each event."""
        return [{"id": item.id, **self.models.find(item.content).to_dict()} for item in items]


def check_count(narratives: Sequence[Path] | None) -> Sequence[Path]:
    """Return the narratives' files, or raise InputError for fewer than two."""
    paths = narratives or []
    if len(paths) < 2:
        raise InputError(f"an overlap needs at least two narratives, got {len(paths)}")
    return paths


def check_data_set(
    narratives: Sequence[Path] | None, output: str | None, as_json: bool, html: Path | None = None
) -> str:
    """Return the output, or raise InputError for options that do not work with a data set."""
    if narratives:
        raise InputError("give either narratives or --input, not both")
    if output is None:
        raise InputError("--input requires --output FILE.jsonl")
    if html or as_json:
        raise InputError("--html and --json show one event; a data set goes to --output")
    return output
