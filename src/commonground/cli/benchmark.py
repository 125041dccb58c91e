"""`commonground benchmark`: run folders, the papers' tables, comparisons, leaderboards."""

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from commonground import benchmark
from commonground.cli import benchmark_data
from commonground.cli.terminal import note, print_json, print_lines, progress
from commonground.errors import MissingExtraError
from commonground.io import check_writable
from commonground.pyramid import BUILDERS, METHODS
from commonground.text import SPLITTERS

app = typer.Typer(
    name="benchmark", help="Data sets, runs, and the papers' tables.", no_args_is_help=True
)
benchmark_data.register(app)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, unrounded.")]
Run = Annotated[Path, typer.Argument(help="The folder of a run.")]
Metrics = Annotated[list[str] | None, typer.Option("--metric", help="Which; by default all.")]

_VARIANT = f"BUILDER[@ENCODER][+METHOD]; builders {', '.join(BUILDERS)}, manual"


@app.command()
def run(
    events: Annotated[Path, typer.Argument(help="The data set (JSONL).")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The run's folder.")],
    predictions: Annotated[
        list[Path], typer.Option(help='JSONL rows {"id", "summary"[, "system"]}; repeatable.')
    ],
    metric: Annotated[
        list[str] | None, typer.Option(help=f"Of {', '.join(benchmark.METRICS)}; default both.")
    ] = None,
    encoder: Annotated[
        list[str] | None, typer.Option(help="For sem-f1; repeatable, default minilm.")
    ] = None,
    splitter: Annotated[
        str, typer.Option(help=f"For sem-f1: {' or '.join(SPLITTERS)}.")
    ] = "layout",
    stemmer: Annotated[bool, typer.Option("--stemmer", help="For rouge: Porter stems.")] = False,
    labels: Annotated[
        list[Path] | None, typer.Option(help="Label files of any protocol; repeatable.")
    ] = None,
    scores: Annotated[
        list[Path] | None, typer.Option(help="Scores of other metrics, human ones too; repeatable.")
    ] = None,
    pyramid: Annotated[
        list[str] | None,
        typer.Option(help=f"{_VARIANT}; methods {', '.join(METHODS)}; repeatable."),
    ] = None,
    manual: Annotated[
        Path | None, typer.Option(help="A folder of manual pyramids named after events.")
    ] = None,
    grid: Annotated[
        bool, typer.Option("--grid", help="Also study the parameters of edua-g (300 settings).")
    ] = False,
    gold: Annotated[
        str | None, typer.Option(help="The metric that stands for people's judgement.")
    ] = None,
    draws: Annotated[int, typer.Option(help="Of the random baselines.")] = 10,
    title: Annotated[str, typer.Option(help="What tables call the run.")] = "",
) -> None:
    """Score systems into a run folder; the same command finishes a run that was interrupted."""
    config = benchmark.Config(
        metrics=tuple(metric or benchmark.METRICS),
        encoders=tuple(encoder or benchmark.Config().encoders),
        splitter=splitter,
        stemmer=stemmer,
        pyramids=tuple(pyramid or ()),
        grid=grid,
        gold=gold,
        draws=draws,
        title=title,
    )
    with contextlib.ExitStack() as stack:
        benchmark.make_run(
            output,
            events,
            predictions,
            config,
            labels=labels or (),
            scores=scores or (),
            pyramids=manual,
            announce=_Bars(stack),
        )
    study = benchmark.Study(output)
    for system, mine in study.outputs.items():
        if len(mine) < len(study.events):
            note(f"system {system!r}: {len(mine)} of {len(study.events)} events")
    systems = _counted(len(study.outputs), "system")
    print_lines(
        f"{output}: {systems}, {len(study.events)} events, metrics: {', '.join(study.metrics)}",
        f"commonground benchmark tables {output}",
    )


class _Bars:
    """One bar a step: a new one closes the one before."""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        self._stack = stack

    def __call__(self, name: str) -> Callable[[int, int], None]:
        self._stack.close()
        return self._stack.enter_context(progress(name))


@app.command()
def tables(
    run_folder: Run,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where they go; RUN/tables by default.")
    ] = None,
    table: Annotated[
        list[str] | None,
        typer.Option(help=f"Of {', '.join(kind.name for kind in benchmark.KINDS)}; default all."),
    ] = None,
    form: Annotated[
        list[str] | None,
        typer.Option("--format", help=f"Of {', '.join(benchmark.FORMATS)}; default all."),
    ] = None,
    plots: Annotated[bool, typer.Option(help="Also draw plots (extra [plots]).")] = True,
    as_json: Json = False,
) -> None:
    """Rebuild the papers' tables from a run, with the papers' own figures beside ours."""
    study = benchmark.Study(run_folder)
    found = benchmark.make_tables(study, table or ())
    if as_json:
        print_json(found.to_dict())
        return
    folder = output or run_folder / "tables"
    drawn = _drawn(study, folder) if plots and not table else {}
    written = benchmark.write_tables(found, folder, form or tuple(benchmark.FORMATS), drawn)
    for name, one in found.found.items():
        print_lines(f"{name}: {one['title']}")
    for line in found.absent.values():
        print_lines(f"not made: {line}")
    print_lines(f"{folder}: {len(written)} files, {len(drawn)} plots")


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
    system: Annotated[list[str] | None, typer.Option(help="Which systems; by default all.")] = None,
    correction: Annotated[str, typer.Option(help="holm, bh or none.")] = "holm",
    significance: Annotated[float, typer.Option(help="The level of the tests.")] = 0.05,
    latex: Annotated[bool, typer.Option("--latex", help="Print LaTeX.")] = False,
    html: Annotated[Path | None, typer.Option(help="Write a page here.")] = None,
    as_json: Json = False,
) -> None:
    """Rank systems, with marks for the differences that are significant."""
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
    runs: Annotated[list[Path], typer.Argument(help="Folders of runs.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The page (HTML).")],
    metric: Metrics = None,
    title: Annotated[str, typer.Option(help="The heading.")] = "Leaderboard",
) -> None:
    """Put the systems of several runs on one page."""
    check_writable(output)
    board = benchmark.write_leaderboard(output, runs, metric or (), title)
    for line in board["warnings"]:
        note(line)
    print_lines(
        f"{output}: {_counted(len(board['rows']), 'system')} of {_counted(len(runs), 'run')}"
    )


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
