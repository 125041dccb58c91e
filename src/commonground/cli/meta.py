"""`commonground benchmark meta`: how well do metrics agree with people?"""

from pathlib import Path
from typing import Annotated

import typer

from commonground import encoders
from commonground.agreement import Scores
from commonground.benchmark.meta import (
    FORMS,
    JudgedSet,
    MetaEvaluation,
    meta_evaluate,
    read_judged,
    score_judged,
)
from commonground.cli.metric_options import MetricOption, create_metric, parse_options
from commonground.cli.options import JsonOption
from commonground.cli.terminal import note, print_json, print_lines, progress, progress_steps
from commonground.errors import InputError, MissingExtraError
from commonground.io import check_writable, whole_file, write_rows
from commonground.metrics import registry
from commonground.report import counted

_FORMS = ", ".join(FORMS)


def meta(
    data: Annotated[
        Path,
        typer.Argument(
            help="Summaries with human scores: a folder or file of REALSumm, PyrXSum, SummEval or "
            "RoSE as published, or a folder with events, outputs and human scores."
        ),
    ],
    form: Annotated[
        str | None, typer.Option(help=f"Form of the data: {_FORMS} (default: recognised).")
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Metric to compute: {', '.join(registry.names())} "
            f"(default: {', '.join(registry.DEFAULT)}). Repeatable."
        ),
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(
            help="Column to correlate, as metric.column, such as rouge1.recall (default: all). "
            "Repeatable."
        ),
    ] = None,
    human: Annotated[
        list[str] | None, typer.Option(help="Human column (default: all). Repeatable.")
    ] = None,
    scores: Annotated[
        list[Path] | None,
        typer.Option(help="Score file of other metrics (CSV or JSONL). Repeatable."),
    ] = None,
    encoder: Annotated[
        str, typer.Option(help=f"Encoder of metrics with one: {', '.join(encoders.NAMES)}.")
    ] = encoders.DEFAULT,
    option: MetricOption = None,
    stemmer: Annotated[
        bool, typer.Option(help="Compare Porter stems, in metrics with a stemmer.")
    ] = True,
    splitter: Annotated[str, typer.Option(help="Sentence splitter: layout or punkt.")] = "layout",
    resamples: Annotated[int, typer.Option(min=1, help="Bootstrap resamples.")] = 1000,
    permutations: Annotated[
        int, typer.Option(min=0, help="Permutations of the test against the best; 0 for no test.")
    ] = 1000,
    significance: Annotated[float, typer.Option(help="Significance level.")] = 0.05,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random numbers.")] = 0,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Folder for meta.md, meta.tex, meta.json, heat maps, and the scores and data "
            "in our layout.",
        ),
    ] = None,
    intervals: Annotated[
        bool, typer.Option("--intervals", help="Show the intervals in the tables.")
    ] = False,
    latex: Annotated[bool, typer.Option("--latex", help="Print LaTeX.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Correlate every column of every metric with every human score."""
    if output:
        if output.is_file():
            raise InputError(f"{output}: is a file, not a folder")
        output.mkdir(parents=True, exist_ok=True)
        check_writable(output / "meta.json", data)
    judged = read_judged(data, form)
    settings = {"encoder": encoder, "stemmer": stemmer, "splitter": splitter}
    names = metric or (() if scores else registry.DEFAULT)
    options = parse_options(option, names)
    chosen = [create_metric(name, settings, options) for name in names]
    given = Scores.read(*scores) if scores else Scores(())
    measured = Scores(())
    signatures: list[str] = []
    with progress_steps() as announce:
        for one in chosen:
            found, lines = score_judged(judged, [one], progress=announce(one.name))
            measured = Scores((*measured.rows, *found.rows))
            signatures += lines
    with progress("Correlations") as advance:
        result = meta_evaluate(
            judged,
            measured + given,
            columns=column or (),
            human=human or (),
            resamples=resamples,
            permutations=permutations,
            significance=significance,
            seed=seed,
            signatures=signatures,
            progress=advance,
        )
    if output:
        _write(output, judged, measured, result, intervals)
    if as_json:
        print_json(result.to_dict())
    elif latex:
        print_lines(*result.to_latex(intervals=intervals).splitlines())
    else:
        print_lines(f"{judged.title}: {counted(judged.summaries, 'summary', 'summaries')}", "")
        print_lines(*result.to_markdown(intervals=intervals).splitlines())


def _write(
    folder: Path,
    judged: JudgedSet,
    scores: Scores,
    result: MetaEvaluation,
    intervals: bool,
) -> None:
    judged.write(folder)
    write_rows(folder / "scores.jsonl", scores.to_rows())
    with whole_file(folder / "meta.md") as stream:
        stream.write(result.to_markdown(intervals=intervals) + "\n")
    with whole_file(folder / "meta.tex") as stream:
        stream.write(result.to_latex(intervals=intervals) + "\n")
    write_rows(folder / "meta.json", [result.to_dict()])
    try:
        for level in ("system", "summary"):
            result.heat_map(folder / f"heat-map-{level}.png", level=level)
    except MissingExtraError as error:
        note(f"no heat maps: {error}")
