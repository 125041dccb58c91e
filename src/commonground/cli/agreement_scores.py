"""`commonground agreement` on scores: correlation, systems, compare, grid."""

import contextlib
from collections import defaultdict
from itertools import product
from math import isfinite, nan
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
from commonground.cli.options import JsonOption
from commonground.cli.terminal import print_json, print_tables, progress
from commonground.errors import InputError, unknown_name
from commonground.io import check_writable, read_events, read_predictions, write_rows
from commonground.report import check_plot, plot_contour

ScoreFiles = Annotated[
    list[Path],
    typer.Argument(help="Score files with rows id, system, metric, value (CSV or JSONL)."),
]
Gold = Annotated[str, typer.Option(help="Metric that is the gold standard.")]
Metrics = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        help="Metric or metric.column to analyse, such as rouge1.recall (default: the main "
        "column of all others). Repeatable.",
    ),
]
MethodName = Annotated[str, typer.Option(help=f"Correlation: {', '.join(METHODS)}.")]
LevelName = Annotated[str, typer.Option(help=f"Level of the correlation: {', '.join(LEVELS)}.")]
Over = Annotated[str, typer.Option(help=f"What the bootstrap resamples: {', '.join(RESAMPLED)}.")]
Correct = Annotated[
    str, typer.Option(help=f"Correction for multiple tests: {', '.join(CORRECTIONS)}.")
]
Significance = Annotated[float, typer.Option(min=0.0, max=1.0, help="Significance level.")]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the random numbers.")]


def correlation(
    files: ScoreFiles,
    gold: Gold,
    metric: Metrics = None,
    level: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Level of the correlation: {', '.join(LEVELS)} (default: system and summary). "
            "Repeatable."
        ),
    ] = None,
    method: Annotated[
        list[str] | None,
        typer.Option(help=f"Correlation: {', '.join(METHODS)} (default: all). Repeatable."),
    ] = None,
    interval: Annotated[
        str,
        typer.Option(
            help=f"Confidence interval: fisher, or a bootstrap over {', '.join(RESAMPLED)}."
        ),
    ] = "both",
    resamples: Annotated[int, typer.Option(min=1, help="Number of bootstrap resamples.")] = 1000,
    seed: Seed = 0,
    as_json: JsonOption = False,
) -> None:
    """Correlate metrics with the gold standard, over systems and over summaries."""
    scores = Scores.read(*files)
    if interval not in (*RESAMPLED, "fisher"):
        raise unknown_name("interval", interval, (*RESAMPLED, "fisher"))
    results = []
    names = metric or _others(scores, gold)
    cases = list(product(names, level or LEVELS[:2], method or METHODS))
    options: dict[str, Any] = {
        "over": None if interval == "fisher" else interval,
        "resamples": resamples,
        "seed": seed,
    }
    with progress("Correlations") as advance:
        for number, (name, at, by) in enumerate(cases, start=1):
            _, _, (expected, values) = scores.matched(gold, name)
            result = metric_correlation(values, expected, method=by, level=at, **options)  # type: ignore[arg-type]
            results.append((name, at, by, result))
            advance(number, len(cases))
    if as_json:
        rows = [
            {"metric": name, "level": at, "method": by, **result.to_dict()}
            for name, at, by, result in results
        ]
        print_json({"gold": gold, "interval": interval, "correlations": rows})
    else:
        print_tables(tables.correlation_table(gold, results))


def systems(
    files: ScoreFiles,
    gold: Annotated[
        str | None, typer.Option(help="Metric that is the gold standard, to measure accuracy.")
    ] = None,
    metric: Metrics = None,
    draws: Annotated[int, typer.Option(min=0, help="Number of samples of topics.")] = 100,
    topics: Annotated[
        int | None, typer.Option(help="Topics per sample (default: 90% of them).")
    ] = None,
    correction: Correct = "none",
    significance: Significance = 0.05,
    seed: Seed = 0,
    as_json: JsonOption = False,
) -> None:
    """Test which systems differ (Wilcoxon), and how often metrics agree with the gold standard."""
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
                "pairs": {
                    name: [outcome.to_dict() for outcome in outcomes]
                    for name, outcomes in pairs.items()
                },
                "gold": gold,
                "accuracy": [result.to_dict() for result in accuracy],
            }
        )
        return
    shown = [tables.outcome_table(name, rows, correction) for name, rows in pairs.items()]
    if gold:
        ids = len(scores.matched(gold, *names)[1])
        size = topics or max(1, 9 * ids // 10)
        drawn = f"{draws} samples of {size} of {ids} topics." if draws else f"{ids} topics."
        shown.append(tables.accuracy_table(gold, accuracy, drawn))
    print_tables(*shown)


def compare(
    files: ScoreFiles,
    first: Annotated[str, typer.Option(help="First system, or with --gold first metric.")],
    second: Annotated[str, typer.Option(help="Second system or metric.")],
    metric: Annotated[str | None, typer.Option(help="Metric to compare two systems by.")] = None,
    gold: Annotated[
        str | None, typer.Option(help="Gold standard to compare two metrics by.")
    ] = None,
    method: MethodName = "pearson",
    level: LevelName = "system",
    over: Over = "both",
    resamples: Annotated[
        int | None,
        typer.Option(
            min=1, help="Number of resamples (default: 10000 for systems, 1000 for metrics)."
        ),
    ] = None,
    seed: Seed = 0,
    as_json: JsonOption = False,
) -> None:
    """Compare two systems by a metric, or two metrics by a gold standard, with paired tests."""
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
    predictions: Annotated[
        Path, typer.Option(help='Predictions: JSONL rows {"id", "system", "summary"}.')
    ],
    references: Annotated[
        Path, typer.Option(help='Data set: JSONL rows {"id", "references": [...]}.')
    ],
    scores: Annotated[Path, typer.Option(help="Score file with the gold standard.")],
    gold: Gold,
    quantity: Annotated[
        str, typer.Option(help="Pyramid score: raw, quality, coverage or comprehensive.")
    ] = "raw",
    method: MethodName = "pearson",
    encoder: Annotated[
        str | None, typer.Option(help="Encoder of the segments (default: minilm, or the preset's).")
    ] = None,
    preset: Annotated[
        str | None, typer.Option(help="Predefined settings, such as pyreval, those of the paper.")
    ] = None,
    alphas: Annotated[
        str,
        typer.Option(help="Levels of alpha above the number of segments, separated by commas."),
    ] = "10,20,30,40,50",
    betas: Annotated[
        str, typer.Option(help="Levels of beta, separated by commas.")
    ] = "1,1.5,2,2.5,3",
    percentiles: Annotated[
        str | None,
        typer.Option(
            help="Percentiles of the edge threshold, separated by commas (default: 12 from 60 to "
            "87)."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File for every point of the grid (JSONL)."),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(help="File for a contour plot by beta and percentile (PNG or SVG)."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Study the pyramid builder's alpha, beta and edge threshold on a grid, with ANOVA."""
    for out in (output, plot):
        if out:
            check_writable(out, predictions, references, scores)
    options: dict[str, Any] = {"alphas": _levels(alphas), "betas": _levels(betas)}
    if percentiles:
        options["percentiles"] = _levels(percentiles)
    if plot:
        check_plot(plot)
        if min(len(set(options.get(name, (0, 1)))) for name in ("betas", "percentiles")) < 2:
            raise InputError("--plot needs at least two --betas and two --percentiles")
    tasks = _tasks(predictions, references, Scores.read(scores), gold)
    with progress("Points") as advance:
        study = grid_study(
            tasks,
            quantity=quantity,
            method=method,  # type: ignore[arg-type]  # it checks
            encoder=encoder,
            preset=preset,
            progress=advance,
            **options,
        )
    values = study.to_dict()
    if output:
        write_rows(output, values["points"])
    if plot:
        _draw(plot, values["contour"], f"{method} correlation with {gold}")
    if as_json:
        print_json({"gold": gold, "quantity": quantity, "topics": len(tasks), **values})
    else:
        print_tables(*tables.grid_tables(study))


def _draw(path: Path, contour: dict[str, Any], label: str) -> None:
    x, y = contour["x"], contour["y"]
    if min(len(x), len(y)) < 2:
        raise InputError("a contour plot needs at least two betas and two percentiles")
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
    with contextlib.suppress(ValueError):
        levels = [float(word) for word in text.split(",")]
        if all(map(isfinite, levels)):
            return levels
    raise InputError(f"levels must be numbers separated by commas, not {text[:100]!r}")


def _others(scores: Scores, gold: str) -> list[str]:
    names = list(scores.others(scores.resolve(gold)))
    if not names:
        raise InputError(f"the scores have no metric besides the gold standard {gold!r}")
    return names
