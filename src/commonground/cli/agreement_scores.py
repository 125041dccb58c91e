"""`commonground agreement` on scores: correlation, systems, compare, grid."""

from collections import defaultdict
from math import nan
from pathlib import Path
from typing import Annotated, Any

import typer

from commonground.agreement import (
    CORRECTIONS,
    LEVELS,
    METHODS,
    RESAMPLED,
    Accuracy,
    GridTask,
    Scores,
    compare_systems,
    grid_study,
    metric_accuracy,
    metric_correlation,
    paired_metrics,
    paired_systems,
    tables,
)
from commonground.cli.tables import print_tables
from commonground.cli.terminal import print_json, progress
from commonground.errors import InputError, unknown_name
from commonground.io import check_writable, read_events, read_predictions, write_rows
from commonground.report import plot_contour

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, unrounded.")]
ScoreFiles = Annotated[
    list[Path], typer.Argument(help="Rows id, system, metric, value; CSV or JSONL.")
]
Gold = Annotated[str, typer.Option(help="The metric that is the gold standard.")]
Metrics = Annotated[
    list[str] | None, typer.Option("--metric", help="May be repeated; all others by default.")
]
MethodName = Annotated[str, typer.Option(help=f"One of {', '.join(METHODS)}.")]
LevelName = Annotated[str, typer.Option(help=f"One of {', '.join(LEVELS)}.")]
Over = Annotated[str, typer.Option(help=f"What the bootstrap draws: {', '.join(RESAMPLED)}.")]
Correct = Annotated[str, typer.Option(help=f"For many comparisons: {', '.join(CORRECTIONS)}.")]
Significance = Annotated[float, typer.Option(min=0.0, max=1.0, help="The level of significance.")]
Seed = Annotated[int, typer.Option(min=0, help="Of the draws.")]


def correlation(
    files: ScoreFiles,
    gold: Gold,
    metric: Metrics = None,
    level: Annotated[
        list[str] | None,
        typer.Option(help=f"{', '.join(LEVELS)}; may be repeated; system and summary by default."),
    ] = None,
    method: Annotated[
        list[str] | None, typer.Option(help=f"{', '.join(METHODS)}; may be repeated; all.")
    ] = None,
    interval: Annotated[
        str, typer.Option(help=f"fisher, or a bootstrap over {', '.join(RESAMPLED)}.")
    ] = "both",
    resamples: Annotated[int, typer.Option(min=1, help="Draws of the bootstrap.")] = 1000,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """How metrics correlate with the gold standard, over systems and over summaries."""
    scores = Scores.read(*files)
    if interval not in (*RESAMPLED, "fisher"):
        raise unknown_name("interval", interval, (*RESAMPLED, "fisher"))
    found = []
    names = metric or _others(scores, gold)
    wanted = [
        (name, each, how)
        for name in names
        for each in level or LEVELS[:2]
        for how in method or METHODS
    ]
    with progress("Correlations") as advance:
        for number, (name, each, how) in enumerate(wanted, start=1):
            _, _, (right, ours) = scores.matched(gold, name)
            over: Any = None if interval == "fisher" else interval
            options: dict[str, Any] = {"method": how, "level": each, "over": over}
            one = metric_correlation(ours, right, **options, resamples=resamples, seed=seed)
            found.append((name, each, how, one))
            advance(number, len(wanted))
    if as_json:
        rows = [
            {"metric": name, "level": each, "method": how, **one.to_dict()}
            for name, each, how, one in found
        ]
        print_json({"gold": gold, "interval": interval, "correlations": rows})
    else:
        print_tables(tables.correlation_table(gold, found))


def systems(
    files: ScoreFiles,
    gold: Annotated[
        str | None, typer.Option(help="The gold standard; without it there is no accuracy.")
    ] = None,
    metric: Metrics = None,
    draws: Annotated[int, typer.Option(min=0, help="Samples of topics.")] = 100,
    topics: Annotated[
        int | None, typer.Option(help="Topics in a sample; nine tenths by default.")
    ] = None,
    correction: Correct = "none",
    significance: Significance = 0.05,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Which systems differ (Wilcoxon), and whether metrics find the gold standard's differences."""
    scores = Scores.read(*files)
    names = list(metric or scores.others(gold))
    every = [*([gold] if gold else []), *names]
    options: dict[str, Any] = {"significance": significance, "correction": correction}
    pairs = {name: compare_systems(scores, name, **options) for name in every}
    accuracy: tuple[Accuracy, ...] = ()
    if gold:
        with progress("Samples of topics") as advance:
            accuracy = metric_accuracy(
                scores,
                gold,
                names,
                draws=draws,
                topics=topics,
                seed=seed,
                progress=advance,
                **options,
            )
    if as_json:
        print_json(
            {
                "pairs": {name: [one.to_dict() for one in some] for name, some in pairs.items()},
                "gold": gold,
                "accuracy": [one.to_dict() for one in accuracy],
            }
        )
        return
    shown = [tables.outcome_table(name, some, correction) for name, some in pairs.items()]
    if gold:
        ids = len(scores.matched(gold, *names)[1])
        size = topics or max(1, 9 * ids // 10)
        drawn = f"{draws} samples of {size} of {ids} topics." if draws else f"{ids} topics."
        shown.append(tables.accuracy_table(gold, accuracy, drawn))
    print_tables(*shown)


def compare(
    files: ScoreFiles,
    first: Annotated[str, typer.Option(help="A system; with --gold, a metric.")],
    second: Annotated[str, typer.Option(help="The other one.")],
    metric: Annotated[str | None, typer.Option(help="For two systems, by which metric.")] = None,
    gold: Annotated[str | None, typer.Option(help="For two metrics, the gold standard.")] = None,
    method: MethodName = "pearson",
    level: LevelName = "system",
    over: Over = "both",
    resamples: Annotated[
        int | None, typer.Option(min=1, help="10000 for systems, 1000 for metrics by default.")
    ] = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Two systems by a metric, or two metrics by a gold standard: bootstrap and permutation."""
    if (metric is None) == (gold is None):
        raise InputError("give --metric to compare two systems, or --gold to compare two metrics")
    scores = Scores.read(*files)
    options: dict[str, Any] = {"seed": seed} | ({"resamples": resamples} if resamples else {})
    if metric:
        test = paired_systems(scores, metric, first, second, **options)
        title = f"{metric}: {first} and {second}"
    else:
        how: dict[str, Any] = {"method": method, "level": level, "over": over}
        with progress("Draws") as advance:
            test = paired_metrics(
                scores, str(gold), first, second, **how, **options, progress=advance
            )
        title = f"{method} correlation with {gold} ({level} level): {first} and {second}"
    if as_json:
        print_json({"names": [first, second], "metric": metric, "gold": gold, **test.to_dict()})
    else:
        print_tables(tables.paired_table(title, (first, second), test))


def grid(
    predictions: Annotated[Path, typer.Option(help='JSONL rows {"id", "system", "summary"}.')],
    references: Annotated[Path, typer.Option(help='The data set: {"id", "references": [...]}.')],
    scores: Annotated[Path, typer.Option(help="Score file with the gold standard in it.")],
    gold: Gold,
    quantity: Annotated[str, typer.Option(help="raw, quality, coverage or comprehensive.")] = "raw",
    method: MethodName = "pearson",
    encoder: Annotated[str | None, typer.Option(help="For the segments.")] = None,
    preset: Annotated[str | None, typer.Option(help="pyreval for the paper's choices.")] = None,
    alphas: Annotated[
        str, typer.Option(help="Levels, with commas between; beyond the number of segments.")
    ] = "10,20,30,40,50",
    betas: Annotated[str, typer.Option(help="Levels, with commas between.")] = "1,1.5,2,2.5,3",
    percentiles: Annotated[
        str | None, typer.Option(help="Levels of the edge threshold; 12 from 60 to 87 by default.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Also write every point here (JSONL).")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Also draw the contour by beta and percentile (PNG, SVG).")
    ] = None,
    as_json: Json = False,
) -> None:
    """The pyramid builder's alpha, beta and edge threshold over a grid, with ANOVA."""
    for out in (output, plot):
        if out:
            check_writable(out, predictions, references, scores)
    options: dict[str, Any] = {"alphas": _levels(alphas), "betas": _levels(betas)}
    if percentiles:
        options["percentiles"] = _levels(percentiles)
    tasks = _tasks(predictions, references, Scores.read(scores), gold)
    with progress("Points") as advance:
        study = grid_study(
            tasks,
            quantity=quantity,
            method=method,  # type: ignore[arg-type]  # which it checks
            encoder=encoder,
            preset=preset,
            progress=advance,
            **options,
        )
    found = study.to_dict()
    if output:
        write_rows(output, found["points"])
    if plot:
        _draw(plot, found["contour"], f"{method} correlation with {gold}")
    if as_json:
        print_json({"gold": gold, "quantity": quantity, "topics": len(tasks), **found})
    else:
        print_tables(*tables.grid_tables(study))


def _draw(path: Path, contour: dict[str, Any], label: str) -> None:
    x, y = contour["x"], contour["y"]
    if min(len(x), len(y)) < 2:
        raise InputError("a contour needs two levels of beta and two percentiles")
    z = [[nan if value is None else value for value in row] for row in contour["z"]]
    names = contour["x_label"], contour["y_label"]
    plot_contour(x, y, z, path, title="Parameters of the pyramid", names=names, label=label)


def _tasks(predictions: Path, references: Path, scores: Scores, gold: str) -> list[GridTask]:
    systems, ids, matrix = scores.pivot(gold)
    rows = {
        id_: dict(zip(systems, column, strict=True))
        for id_, column in zip(ids, matrix.T, strict=True)
    }
    summaries: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for prediction in read_predictions(predictions):
        summaries[prediction.id][prediction.system] = prediction.summary
    events = read_events(references)
    tasks = [
        GridTask(id_, events[id_].references, summaries[id_], rows[id_])
        for id_ in ids
        if id_ in events and id_ in summaries
    ]
    if not tasks:
        raise InputError(f"no id of {gold!r} is in both {predictions} and {references}")
    return tasks


def _levels(text: str) -> list[float]:
    try:
        return [float(word) for word in text.split(",")]
    except ValueError:
        raise InputError(f"levels are numbers with commas between, not {text!r}") from None


def _others(scores: Scores, gold: str) -> list[str]:
    if gold not in scores.metrics:
        raise unknown_name("metric", gold, scores.metrics)
    names = list(scores.others(gold))
    if not names:
        raise InputError(f"there is no metric besides the gold standard {gold!r}")
    return names
