"""`commonground benchmark`: data sets, runs, the papers' tables, comparisons, leaderboards."""

from pathlib import Path
from typing import Annotated

import typer

from commonground import benchmark
from commonground.cli.judge import judge
from commonground.cli.meta import meta
from commonground.cli.metric_options import MetricOption, parse_options
from commonground.cli.options import AlphaOption, BetaOption, JsonOption, PercentileOption
from commonground.cli.terminal import note, print_json, print_lines, progress_steps
from commonground.encoders import DEFAULT
from commonground.errors import InputError, MissingExtraError
from commonground.io import check_writable, read_events, write_events
from commonground.metrics import registry
from commonground.pyramid import BUILDERS, METHODS, PERCENTILE, PRESETS
from commonground.report import counted, to_markdown
from commonground.text import SPLITTERS

app = typer.Typer()
app.command()(meta)
app.command()(judge)

DataSetFile = Annotated[Path, typer.Argument(help="Data set (JSONL).")]
Run = Annotated[Path, typer.Argument(help="Folder of the run.")]
Metrics = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        help="Metric or metric.column to show, such as rouge1.recall (default: the main column "
        "of every metric). Repeatable.",
    ),
]

_COLUMNS = ", ".join(benchmark.COLUMNS)
_VARIANT = (
    f"Pyramid to score with: BUILDER[@ENCODER][+METHOD], with builder {', '.join(BUILDERS)} or "
    f"manual or units, method {', '.join(METHODS)}. Repeatable."
)


@app.command()
def validate(events: DataSetFile, as_json: JsonOption = False) -> None:
    """List every error in a data set; exit code 2 if a row cannot be read."""
    result = benchmark.validate(events)
    if as_json:
        print_json(result.to_dict())
    else:
        print_lines(
            *(f"error: {line}" for line in result.errors),
            *(f"warning: {line}" for line in result.warnings),
            f"{len(result.events)} events, {len(result.errors)} errors, "
            f"{len(result.warnings)} warnings",
        )
    if not result.valid:
        raise typer.Exit(2)


@app.command()
def stats(events: DataSetFile, as_json: JsonOption = False) -> None:
    """Count words and sentences of narratives and references."""
    statistics = benchmark.statistics(read_events(events).values())
    if as_json:
        print_json(statistics.to_dict())
    else:
        print_lines(*to_markdown(statistics.table()).splitlines())


@app.command("filter")
def filter_events(
    events: DataSetFile,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File for the events that remain (JSONL).")
    ] = None,
    theme: Annotated[
        str,
        typer.Option(
            help="Reference that is the theme description: last, first, none or a number."
        ),
    ] = "last",
    words: Annotated[int, typer.Option(min=0, help="Minimum number of words of a text.")] = 15,
    annotators: Annotated[
        int, typer.Option(min=0, help="Minimum number of annotators with enough words.")
    ] = 2,
    as_json: JsonOption = False,
) -> None:
    """Apply the papers' construction filters; without --output, list what they would drop."""
    if output:
        check_writable(output, events)
    index = benchmark.theme_place(theme)
    data = read_events(events).values()
    if index and index > max((len(event.references) for event in data), default=0):
        raise InputError(f"--theme {theme}: no event of {events} has {index} references")
    steps = [] if index is None else [benchmark.theme_step(index, words)]
    steps.append(benchmark.annotators_step(index, annotators, words))
    kept, report = benchmark.apply_filters(data, steps)
    if output:
        write_events(output, kept)
    if as_json:
        print_json(
            {"kept": [event.id for event in kept], "steps": [step.to_dict() for step in report]}
        )
        return
    would = "dropped" if output else "would drop"
    for step in report:
        print_lines(f"{step.step} ({step.rule}): {would} {len(step.dropped)} of {step.before}")
        print_lines(*(f"  {id_}: {why}" for id_, why in step.dropped))
    print_lines(f"{len(kept)} events remain" + (f": {output}" if output else ""))


@app.command("import")
def import_events(
    table: Annotated[Path, typer.Argument(help="CSV file with a header line.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Data set to write (JSONL).")],
    column: Annotated[
        list[str] | None,
        typer.Option(help=f"Column name as WHAT=NAME, with WHAT one of {_COLUMNS}. Repeatable."),
    ] = None,
    reference: Annotated[
        list[str] | None, typer.Option(help="Column with an annotator's overlap. Repeatable.")
    ] = None,
) -> None:
    """Make a data set from a CSV table with one row per event."""
    check_writable(output, table)
    columns = {}
    for pair in column or ():
        what, equals, name = pair.partition("=")
        if not equals:
            raise InputError(f"--column must be WHAT=NAME, not {pair!r}")
        columns[what.strip()] = name.strip()
    events = benchmark.import_csv(table, columns, reference or ())
    write_events(output, events)
    print_lines(f"{output}: {len(events)} events")


@app.command()
def run(
    events: DataSetFile,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of the run.")],
    predictions: Annotated[
        list[Path],
        typer.Option(help='Predictions: JSONL rows {"id", "summary"[, "system"]}. Repeatable.'),
    ],
    metric: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Metric: {', '.join(registry.names())} "
            f"(default: {', '.join(benchmark.METRICS)}). Repeatable."
        ),
    ] = None,
    encoder: Annotated[
        list[str] | None,
        typer.Option(help=f"Encoder of metrics with one (default: {DEFAULT}). Repeatable."),
    ] = None,
    splitter: Annotated[
        str, typer.Option(help=f"Sentence splitter of metrics with one: {' or '.join(SPLITTERS)}.")
    ] = "layout",
    stemmer: Annotated[
        bool,
        typer.Option(help="Compare Porter stems, in metrics with a stemmer, as the papers do."),
    ] = True,
    option: MetricOption = None,
    labels: Annotated[
        list[Path] | None, typer.Option(help="Label file of any protocol. Repeatable.")
    ] = None,
    scores: Annotated[
        list[Path] | None,
        typer.Option(help="Score file of other metrics or of people. Repeatable."),
    ] = None,
    pyramid: Annotated[
        list[str] | None,
        typer.Option(help=_VARIANT),
    ] = None,
    manual: Annotated[
        Path | None, typer.Option(help="Folder of manual pyramids, named after the events.")
    ] = None,
    units: Annotated[
        Path | None,
        typer.Option(
            help='Content units of the events: JSONL {"id", "units"[, "weights"]}, or JSONL or '
            "CSV with id, unit and weight. Adds the metric pyramid.units."
        ),
    ] = None,
    preset: Annotated[
        str | None, typer.Option(help=f"Settings of all pyramids built: {', '.join(PRESETS)}.")
    ] = None,
    percentile: PercentileOption = PERCENTILE,
    alpha: AlphaOption = None,
    beta: BetaOption = None,
    grid: Annotated[
        bool, typer.Option("--grid", help="Study the parameters of edua-g too (300 settings).")
    ] = False,
    gold: Annotated[str | None, typer.Option(help="Metric that is the gold standard.")] = None,
    draws: Annotated[int, typer.Option(help="Number of draws of the random baselines.")] = 10,
    title: Annotated[str, typer.Option(help="Title of the run in tables.")] = "",
) -> None:
    """Score systems into a run folder; the same command resumes an interrupted run."""
    given = ("units",) if units and not any("units" in name for name in pyramid or ()) else ()
    metrics = tuple(metric or benchmark.METRICS)
    config = benchmark.Config(
        metrics=metrics,
        encoders=tuple(encoder or (DEFAULT,)),
        splitter=splitter,
        stemmer=stemmer,
        options=parse_options(option, metrics),
        pyramids=(*(pyramid or ()), *given),
        preset=preset,
        percentile=percentile,
        alpha=alpha,
        beta=beta,
        grid=grid,
        gold=gold,
        draws=draws,
        title=title,
    )
    with progress_steps() as announce:
        benchmark.make_run(
            output,
            events,
            predictions,
            config,
            labels=labels or (),
            scores=scores or (),
            pyramids=manual,
            units=units,
            announce=announce,
        )
    study = benchmark.Study(output)
    for system, mine in study.outputs.items():
        if len(mine) < len(study.events):
            note(f"system {system!r}: {len(mine)} of {len(study.events)} events")
    systems = counted(len(study.outputs), "system")
    print_lines(
        f"{output}: {systems}, {len(study.events)} events, metrics: {', '.join(study.metrics)}",
        f"commonground benchmark tables {output}",
    )


@app.command()
def tables(
    run_folder: Run,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder for the tables (default: RUN/tables)."),
    ] = None,
    table: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Table: {', '.join(kind.name for kind in benchmark.KINDS)} (default: all). "
            "Repeatable."
        ),
    ] = None,
    form: Annotated[
        list[str] | None,
        typer.Option(
            "--format", help=f"Format: {', '.join(benchmark.FORMATS)} (default: all). Repeatable."
        ),
    ] = None,
    metric: Metrics = None,
    plots: Annotated[bool, typer.Option(help="Draw plots (requires the extra [plots]).")] = True,
    as_json: JsonOption = False,
) -> None:
    """Rebuild the papers' tables from a run, beside the published figures."""
    study = benchmark.Study(run_folder, metric or ())
    result = benchmark.make_tables(study, table or ())
    if as_json:
        print_json(result.to_dict())
        return
    folder = output or run_folder / "tables"
    drawn = _drawn(study, folder) if plots and not table else {}
    written = benchmark.write_tables(result, folder, form or tuple(benchmark.FORMATS), drawn)
    print_lines(
        *(f"{name}: {values['title']}" for name, values in result.found.items()),
        *(f"not made: {line}" for line in result.absent.values()),
        f"{folder}: {len(written)} files, {len(drawn)} plots",
    )


def _drawn(study: benchmark.Study, folder: Path) -> dict[str, Path]:
    try:
        return benchmark.make_plots(study, folder)
    except MissingExtraError as error:
        note(f"no plots: {error}")
        return {}


@app.command()
def compare(
    run_folder: Run,
    metric: Metrics = None,
    system: Annotated[
        list[str] | None, typer.Option(help="System to show (default: all). Repeatable.")
    ] = None,
    correction: Annotated[
        str, typer.Option(help="Correction for multiple tests: holm, bh or none.")
    ] = "holm",
    significance: Annotated[float, typer.Option(help="Significance level.")] = 0.05,
    latex: Annotated[bool, typer.Option("--latex", help="Print LaTeX.")] = False,
    html: Annotated[Path | None, typer.Option(help="Write the result to this HTML page.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Rank systems and mark significant differences."""
    report = benchmark.Report.compare(
        run_folder,
        system or (),
        metric or (),
        significance=significance,
        correction=correction,  # type: ignore[arg-type]
    )
    if html:
        check_writable(html)
        report.to_html(html)
    if as_json:
        print_json(report.to_dict())
    elif latex:
        print_lines(*report.to_latex().splitlines())
    else:
        print_lines(*str(report).splitlines())


@app.command()
def leaderboard(
    runs: Annotated[list[Path], typer.Argument(help="Folders of the runs.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="HTML page to write.")],
    metric: Metrics = None,
    title: Annotated[str, typer.Option(help="Heading of the page.")] = "Leaderboard",
) -> None:
    """Put the systems of several runs on one page."""
    check_writable(output)
    board = benchmark.write_leaderboard(output, runs, metric or (), title)
    for line in board["warnings"]:
        note(line)
    print_lines(f"{output}: {counted(len(board['rows']), 'system')} of {counted(len(runs), 'run')}")
