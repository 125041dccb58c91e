"""`commonground benchmark validate|stats|filter|import`: data sets."""

from pathlib import Path
from typing import Annotated

import typer

from commonground import benchmark
from commonground.cli.terminal import print_json, print_lines
from commonground.errors import InputError
from commonground.io import check_writable, read_events, write_events
from commonground.report import to_markdown

DataSet = Annotated[Path, typer.Argument(help="A data set (JSONL).")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, unrounded.")]

_COLUMNS = ", ".join(benchmark.COLUMNS)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(validate)
    app.command()(stats)
    app.command("filter")(filter_events)
    app.command("import")(import_events)


def validate(events: DataSet, as_json: Json = False) -> None:
    """Say everything that is wrong with a data set; exit code 2 where a row cannot be read."""
    found = benchmark.validate(events)
    if as_json:
        print_json(found.to_dict())
    else:
        print_lines(*(f"error: {line}" for line in found.errors))
        print_lines(*(f"warning: {line}" for line in found.warnings))
        print_lines(
            f"{len(found.events)} events, {len(found.errors)} errors, "
            f"{len(found.warnings)} warnings"
        )
    if not found.valid:
        raise typer.Exit(2)


def stats(events: DataSet, as_json: Json = False) -> None:
    """Count words and sentences of narratives and references."""
    found = benchmark.statistics(read_events(events).values())
    if as_json:
        print_json(found.to_dict())
    else:
        print_lines(*to_markdown(found.table()).splitlines())


def filter_events(
    events: DataSet,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write what stays here (JSONL).")
    ] = None,
    theme: Annotated[
        str,
        typer.Option(
            help="Which reference is the theme description: last, first, none or a number."
        ),
    ] = "last",
    words: Annotated[int, typer.Option(help="The least words that count.")] = 15,
    annotators: Annotated[int, typer.Option(help="The least annotators who wrote enough.")] = 2,
    as_json: Json = False,
) -> None:
    """Run the papers' construction filters; without --output, say what they would drop."""
    if output:
        check_writable(output, events)
    place = benchmark.theme_place(theme)
    steps = [] if place is None else [benchmark.theme_step(place, words)]
    steps.append(benchmark.annotators_step(place, annotators, words))
    kept, report = benchmark.apply_filters(read_events(events).values(), steps)
    if output:
        write_events(output, kept)
    if as_json:
        print_json({"kept": [one.id for one in kept], "steps": [one.to_dict() for one in report]})
        return
    would = "dropped" if output else "would drop"
    for step in report:
        print_lines(f"{step.step} ({step.rule}): {would} {len(step.dropped)} of {step.before}")
        print_lines(*(f"  {id_}: {why}" for id_, why in step.dropped))
    print_lines(f"{len(kept)} events stay" + (f": {output}" if output else ""))


def import_events(
    table: Annotated[Path, typer.Argument(help="A CSV file with a header line.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The data set (JSONL).")],
    column: Annotated[
        list[str] | None,
        typer.Option(help=f"WHAT=NAME for another column name; WHAT is one of {_COLUMNS}."),
    ] = None,
    reference: Annotated[
        list[str] | None, typer.Option(help="A column with an annotator's overlap; repeatable.")
    ] = None,
) -> None:
    """Make a data set from a CSV table with a row an event."""
    check_writable(output, table)
    columns = {}
    for pair in column or ():
        what, equals, name = pair.partition("=")
        if not equals:
            raise InputError(f"--column is WHAT=NAME, not {pair!r}")
        columns[what.strip()] = name.strip()
    events = benchmark.import_csv(table, columns, reference or ())
    write_events(output, events)
    print_lines(f"{output}: {len(events)} events")
