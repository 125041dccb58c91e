"""`commonground score`: summaries in JSONL, scores as a table or as JSON."""

import glob
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from commonground import encoders
from commonground.cli.metric_options import MetricOption, parse_options
from commonground.cli.options import DeviceOption, JsonOption, Scale, encoder_name, takes
from commonground.cli.scaled import run_scaled
from commonground.cli.terminal import note, print_json, print_lines, print_table, progress
from commonground.errors import InputError, unknown_name
from commonground.io import (
    Event,
    Prediction,
    check_writable,
    find_files,
    place,
    read_events,
    read_predictions,
    write_rows,
)
from commonground.metrics import DEFAULT_THRESHOLDS, registry
from commonground.scale import Failure, Index, Item, Output, Score, prediction_rows, totals
from commonground.text import SPLITTERS

_SHARD_ROWS = 1000  # a second or two of work, and a few megabytes

MetricOptions = Mapping[str, Mapping[str, Any]]
"""The chosen metrics by name, each with its options."""

Totals = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""By system and metric, what `to_dict` of a corpus gives."""


@dataclass(frozen=True, slots=True)
class System:
    """One system's predictions with their events."""

    name: str
    predictions: Sequence[Prediction]
    events: Sequence[Event]


@takes(Scale)
def score(
    scale: Scale,
    predictions: Annotated[
        list[str],
        typer.Option(
            help='Predictions: rows {"id", "summary"[, "system"][, "references"]} in JSONL (.gz), '
            "Parquet or Arrow; with --output also a folder or glob. Repeatable with --output."
        ),
    ],
    references: Annotated[
        list[str] | None,
        typer.Option(
            help='Data set: rows {"id", "references": [...]} (default: in the predictions).'
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Metric: {', '.join(registry.names())} "
            f"(default: {', '.join(registry.DEFAULT)}). Repeatable."
        ),
    ] = None,
    encoder: Annotated[
        str | None,
        typer.Option(
            help=f"Encoder of metrics with one: {', '.join(encoders.NAMES)}, or a model folder "
            f"(default: {encoders.DEFAULT})."
        ),
    ] = None,
    device: DeviceOption = None,
    thresholds: Annotated[
        str, typer.Option(help="Lower and upper threshold of sentence labels, as LOWER-UPPER.")
    ] = DEFAULT_THRESHOLDS,
    splitter: Annotated[
        str,
        typer.Option(help="Sentence splitter: layout, or punkt as in published scores."),
    ] = "layout",
    stemmer: Annotated[
        bool, typer.Option("--stemmer", help="Compare Porter stems in rouge.")
    ] = False,
    rouge_types: Annotated[
        str, typer.Option(help="ROUGE types, separated by commas.")
    ] = "rouge1,rouge2,rougeL,rougeLsum",
    tokenizer: Annotated[
        str, typer.Option(help="Tokenizer of rouge: ascii, or unicode for other scripts.")
    ] = "ascii",
    multi: Annotated[
        str, typer.Option(help="How rouge combines several references: best or mean.")
    ] = "best",
    option: MetricOption = None,
    per_item: Annotated[
        Path | None, typer.Option(help="File for the scores of each prediction (JSONL).")
    ] = None,
    as_json: JsonOption = False,
    output: Annotated[
        str | None,
        typer.Option(
            help="Where to write the scores of each prediction, for data larger than memory: "
            "FILE.jsonl, FILE.parquet, or FOLDER/ for shards."
        ),
    ] = None,
) -> None:
    """Score summaries against references with SEM-F1, ROUGE and other metrics."""
    chosen = _chosen(metric, splitter)
    metrics = _options(
        chosen,
        {
            "encoder": encoder,
            "thresholds": thresholds,
            "splitter": splitter,
            "types": tuple(name.strip() for name in rouge_types.split(",")),
            "stemmer": stemmer,
            "tokenizer": tokenizer,
            "multi": multi,
        },
        parse_options(option, chosen),
    )
    if output is not None:
        if per_item:
            raise InputError("--per-item and --output write the same rows; give one of them")
        results = _to_output(output, predictions, references, metrics, scale)
    else:
        scale.check_unused("--output")
        data_set = _one_file(references) if references else None
        results = _in_memory(_one_file(predictions), data_set, metrics, per_item)
    if as_json:
        print_json(_as_json(results))
    else:
        _print_scores(results)


def _one_file(names: list[str]) -> Path:
    if len(names) > 1:
        raise InputError("several files require --output")
    path = Path(names[0])
    if path.is_dir() or (glob.has_magic(names[0]) and not path.exists()):
        raise InputError(f"{names[0]}: folders and globs require --output")
    return path


def _in_memory(
    predictions: Path, references: Path | None, metrics: MetricOptions, per_item: Path | None
) -> Totals:
    if per_item:
        check_writable(per_item, predictions, *([references] if references else []))
    systems = _systems(predictions, references, {registry.load(name).against for name in metrics})
    results: dict[str, dict[str, Any]] = {system.name: {} for system in systems}
    for name, options in metrics.items():
        measure = registry.create(name, **options)
        corpora = {
            system.name: (
                [row.summary for row in system.predictions],
                [measure.targets(event) for event in system.events],
            )
            for system in systems
        }
        with progress(f"Scoring {name}") as advance:
            for system, corpus in measure.corpora(corpora, progress=advance).items():
                results[system][name] = corpus
    if per_item:
        write_rows(per_item, _item_rows(systems, results))
    return {
        system: {
            name: {**corpus.to_dict(), "items": len(corpus.items)}
            for name, corpus in scores.items()
        }
        for system, scores in results.items()
    }


def _to_output(
    output: str,
    predictions: Sequence[str],
    references: Sequence[str] | None,
    metrics: MetricOptions,
    scale: Scale,
) -> Totals:
    """Score any number of predictions shard by shard; return the means."""
    for name in metrics:
        if registry.load(name).against != "references":
            raise InputError(f"{name} reads narratives; use --per-item instead of --output")
    inputs = find_files(predictions)
    data_set = find_files(references) if references else ()
    target = Output.of(output, scale.form)
    target.check_apart([*predictions, *(references or ())])
    work = Score(target.form, metrics)
    results: Totals = {}
    events = 0

    def rows(index: Index) -> Iterator[Item | Failure]:
        index.add_references(data_set)
        return prediction_rows(inputs, index, ", ".join(references) if references else None)

    def finish(index: Index, notes: Iterator[Any]) -> None:
        nonlocal results, events
        results, events = totals(notes, work.models), index.events()

    run_scaled(
        scale,
        target,
        inputs,
        work,
        rows,
        label="Scoring",
        noun="predictions",
        shard_rows=_SHARD_ROWS,
        others=data_set,
        finish=finish,
    )
    _note_missing({name: _items(scores) for name, scores in results.items()}, events)
    return results


def _note_missing(counts: Mapping[str, int], events: int) -> None:
    """Report the systems that have no summary of some events."""
    for name, count in counts.items():
        if count < events:
            who = f"system {name!r}" if name else "the predictions"
            note(f"{who}: {count} of {events} events; the means are over these")


def _chosen(metric: list[str] | None, splitter: str) -> list[str]:
    """Return the chosen metrics in the registry's order."""
    known, chosen = registry.names(), metric or registry.DEFAULT
    for name in chosen:
        if name not in known:
            raise unknown_name("metric", name, known)
    if splitter not in SPLITTERS:
        raise unknown_name("splitter", splitter, SPLITTERS)
    return [name for name in known if name in chosen]


def _options(
    chosen: Sequence[str], options: dict[str, Any], own: Mapping[str, Mapping[str, Any]]
) -> MetricOptions:
    """Return for each metric the options that it takes; its `own` prevail."""
    metrics = {name: registry.accepted(name, options) for name in chosen}
    if options["encoder"] and not any("encoder" in accepted for accepted in metrics.values()):
        raise InputError("--encoder requires a metric with an encoder")
    name = encoder_name(options["encoder"])
    return {
        metric: {
            **accepted,
            **({"encoder": name} if "encoder" in accepted else {}),
            **own.get(metric, {}),
        }
        for metric, accepted in metrics.items()
    }


def _systems(predictions: Path, references: Path | None, needed: set[str]) -> list[System]:
    """The predictions by system, in the file's order, each with its event."""
    if references is None and "narratives" in needed:
        raise InputError("a metric reads narratives; give a data set with them (--references)")
    events = read_events(references) if references else None
    groups: dict[str, list[Prediction]] = {}
    for prediction in read_predictions(predictions, references=events is None):
        if events is not None:
            _check_event(prediction, events, predictions, references, needed)
        groups.setdefault(prediction.system, []).append(prediction)
    if not groups:
        raise InputError(f"{predictions}: has no predictions")
    if "" in groups and len(groups) > 1:
        where = place(predictions, groups[""][0].line)
        raise InputError(f'{where}: has no "system", though other rows have one')
    _note_missing({name: len(group) for name, group in groups.items()}, len(events or ()))
    return [
        System(
            name,
            group,
            [events[row.id] if events else Event(row.id, (), row.references) for row in group],
        )
        for name, group in groups.items()
    ]


def _check_event(
    prediction: Prediction,
    events: Mapping[str, Event],
    predictions: Path,
    references: Path | None,
    needed: set[str],
) -> None:
    where = place(predictions, prediction.line)
    event = events.get(prediction.id)
    if event is None:
        raise InputError(f"{where}: id {prediction.id!r} is not in {references}")
    for kind in sorted(needed, reverse=True):
        if not getattr(event, kind):
            raise InputError(f"{where}: id {prediction.id!r} has no {kind} in {references}")


def _item_rows(
    systems: Sequence[System], results: Mapping[str, Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    for system in systems:
        for number, prediction in enumerate(system.predictions):
            row: dict[str, Any] = {"id": prediction.id}
            if system.name:
                row["system"] = system.name
            for metric, corpus in results[system.name].items():
                row[metric] = corpus.items[number].to_dict()
            yield row


def _as_json(results: Totals) -> dict[str, Any]:
    return {
        "systems": [
            {"system": name or None, "items": _items(scores), **scores}
            for name, scores in results.items()
        ]
    }


def _items(scores: Mapping[str, Mapping[str, Any]]) -> int:
    return int(next(iter(scores.values()))["items"])


def _print_scores(results: Totals) -> None:
    """A table a metric, narrow enough for 80 columns, and the signatures below."""
    for metric in next(iter(results.values())):
        rows = [_cells(name, metric, scores[metric]) for name, scores in results.items()]
        table = Table(box=None, pad_edge=False, header_style="bold")
        for heading in rows[0]:
            named = heading == "system"
            table.add_column(
                heading, justify="left" if named else "right", no_wrap=not named, overflow="fold"
            )
        for row in rows:
            # Text, since a name may hold what rich would take for markup.
            table.add_row(*map(Text, row.values()))
        print_table(table, "")
    signatures = dict.fromkeys(
        values["signature"] for scores in results.values() for values in scores.values()
    )
    print_lines(*signatures)


def _printable(name: str) -> str:
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in name
    )


def _cells(system: str, metric: str, corpus: Mapping[str, Any]) -> dict[str, str]:
    cells = {"system": _printable(system)} if system else {}
    return {**cells, "items": str(corpus["items"]), **registry.load(metric).cells(corpus)}
