"""`commonground score`: summaries in JSONL, scores as a table or as JSON."""

import glob
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from commonground import encoders, settings
from commonground.cli.device import DeviceOption
from commonground.cli.scaled import (
    AddressOption,
    EngineOption,
    FormatOption,
    OverwriteOption,
    ResumeOption,
    Scale,
    ShardOption,
    StrictOption,
    WorkersOption,
)
from commonground.cli.score_to import Measures, Totals, note_missing, score_to
from commonground.cli.terminal import print_json, print_lines, print_table, progress
from commonground.errors import InputError, unknown_name
from commonground.io import (
    Event,
    Prediction,
    check_writable,
    place,
    read_events,
    read_predictions,
    write_rows,
)
from commonground.metrics.rouge import Rouge, RougeCorpus
from commonground.metrics.semf1 import DEFAULT_THRESHOLDS, SemF1, SemF1Corpus
from commonground.text import SPLITTERS

METRICS = ("sem-f1", "rouge")

Scores = Mapping[str, SemF1Corpus | RougeCorpus]


@dataclass(frozen=True, slots=True)
class System:
    """One system's predictions with the references of their events."""

    name: str
    predictions: Sequence[Prediction]
    references: Sequence[Sequence[str]]

    def corpus(self) -> tuple[list[str], Sequence[Sequence[str]]]:
        """What a measure's `corpus` takes."""
        return [prediction.summary for prediction in self.predictions], self.references


def score(
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
            help='Data set: rows {"id", "references": [...]} (default: those of the predictions).'
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(help=f"Metric: {' or '.join(METRICS)} (default: both). Repeatable."),
    ] = None,
    encoder: Annotated[
        str | None,
        typer.Option(
            help=f"Encoder of sem-f1: {', '.join(encoders.NAMES)}, or a model folder "
            f"(default: {encoders.DEFAULT})."
        ),
    ] = None,
    device: DeviceOption = None,
    thresholds: Annotated[
        str, typer.Option(help="Lower and upper threshold of sem-f1's labels, as LOWER-UPPER.")
    ] = DEFAULT_THRESHOLDS,
    splitter: Annotated[
        str,
        typer.Option(help="Sentence splitter of sem-f1: layout, or punkt as in published scores."),
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
    per_item: Annotated[
        Path | None, typer.Option(help="File for the scores of each prediction (JSONL).")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    output: Annotated[
        str | None,
        typer.Option(
            help="Where to write the scores of each prediction, for data larger than memory: "
            "FILE.jsonl, FILE.parquet, or FOLDER/ for shards."
        ),
    ] = None,
    form: FormatOption = None,
    engine: EngineOption = None,
    workers: WorkersOption = None,
    address: AddressOption = None,
    shard_rows: ShardOption = None,
    resume: ResumeOption = False,
    overwrite: OverwriteOption = False,
    strict: StrictOption = False,
) -> None:
    """Score summaries against references with SEM-F1 and ROUGE."""
    chosen = _chosen(metric, encoder, splitter)
    types = tuple(name.strip() for name in rouge_types.split(","))
    rouge = Rouge(types=types, stemmer=stemmer, tokenizer=tokenizer, multi=multi)
    name = encoder or settings.setting("encoder") or encoders.DEFAULT
    semf1 = {"encoder": name, "thresholds": thresholds, "splitter": splitter}
    measures = Measures(rouge if "rouge" in chosen else None, semf1 if "sem-f1" in chosen else None)
    scale = Scale(form, engine, workers, shard_rows, resume, strict, address, overwrite)
    if output is not None:
        if per_item:
            raise InputError("--per-item and --output write the same rows; give one of them")
        results = score_to(output, predictions, references, measures, scale)
    else:
        scale.check_unused("--output")
        results = _in_memory(_one(predictions), _one(references), measures, per_item)
    if as_json:
        print_json(_as_json(results))
    else:
        _print_scores(results)


def _one(names: list[str] | None) -> Path | None:
    if not names:
        return None
    if len(names) > 1:
        raise InputError("several files require --output")
    path = Path(names[0])
    if path.is_dir() or (glob.has_magic(names[0]) and not path.exists()):
        raise InputError(f"{names[0]}: folders and globs require --output")
    return path


def _in_memory(
    predictions: Path | None, references: Path | None, measures: Measures, per_item: Path | None
) -> Totals:
    if predictions is None:
        raise InputError("--predictions is missing")
    inputs = [path for path in (predictions, references) if path]
    if per_item:
        check_writable(per_item, *inputs)
    systems = _systems(predictions, references)
    corpora = {system.name: system.corpus() for system in systems}
    results: dict[str, dict[str, SemF1Corpus | RougeCorpus]] = {name: {} for name in corpora}
    if measures.semf1:
        semf1 = SemF1(**measures.semf1)
        with progress("Encoding sentences") as advance:
            for system, found in semf1.corpora(corpora, progress=advance).items():
                results[system]["sem-f1"] = found
    if measures.rouge:
        with progress("ROUGE") as advance:
            for system, counted in measures.rouge.corpora(corpora, progress=advance).items():
                results[system]["rouge"] = counted
    if per_item:
        write_rows(per_item, _item_rows(systems, results))
    return {
        system: {metric: corpus.to_dict() for metric, corpus in found.items()}
        for system, found in results.items()
    }


def _chosen(metric: list[str] | None, encoder: str | None, splitter: str) -> list[str]:
    chosen = list(dict.fromkeys(metric or METRICS))
    for name in chosen:
        if name not in METRICS:
            raise unknown_name("metric", name, METRICS)
    if splitter not in SPLITTERS:
        raise unknown_name("splitter", splitter, SPLITTERS)
    if encoder and "sem-f1" not in chosen:
        raise InputError("--encoder requires --metric sem-f1")
    return chosen


def _systems(predictions: Path, references: Path | None) -> list[System]:
    """The predictions by system, in the file's order, each with its event's references."""
    events = read_events(references) if references else None
    groups: dict[str, list[Prediction]] = {}
    for prediction in read_predictions(predictions, references=events is None):
        if events is not None:
            _check_event(prediction, events, predictions, references)
        groups.setdefault(prediction.system, []).append(prediction)
    if not groups:
        raise InputError(f"{predictions}: has no predictions")
    if "" in groups and len(groups) > 1:
        where = place(predictions, groups[""][0].line)
        raise InputError(f'{where}: has no "system", though other rows have one')
    if events is None:
        return [System(name, some, [p.references for p in some]) for name, some in groups.items()]
    note_missing({name: len(group) for name, group in groups.items()}, len(events))
    return [
        System(name, group, [events[prediction.id].references for prediction in group])
        for name, group in groups.items()
    ]


def _check_event(
    prediction: Prediction, events: Mapping[str, Event], predictions: Path, references: Path | None
) -> None:
    where = place(predictions, prediction.line)
    event = events.get(prediction.id)
    if event is None:
        raise InputError(f"{where}: id {prediction.id!r} is not in {references}")
    if not event.references:
        raise InputError(f"{where}: id {prediction.id!r} has no references in {references}")


def _item_rows(
    systems: Sequence[System], results: Mapping[str, Scores]
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
        rows = [_cells(name, scores[metric]) for name, scores in results.items()]
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


def _cells(name: str, values: Mapping[str, Any]) -> dict[str, str]:
    cells = {"system": _printable(name)} if name else {}
    cells["items"] = str(values["items"])
    mean, interval = values["mean"], values["interval"]
    if "f1_of_means" not in values:
        return cells | {kind: f"{prf['f1']:.3f}" for kind, prf in mean.items()}
    return cells | {
        "SEM-F1": f"{mean['f1']:.3f}",
        "95% interval": f"{interval['low']:.3f}-{interval['high']:.3f}",
        "precision": f"{mean['precision']:.3f}",
        "recall": f"{mean['recall']:.3f}",
        "F1 of means": f"{values['f1_of_means']:.3f}",
        "of labels": f"{values['labelled']['f1']:.3f}",
    }
