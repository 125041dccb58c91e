"""`commonground score`: summaries in JSONL, scores as a table or as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from commonground import _settings, encoders
from commonground.cli._terminal import note, print_json, print_lines, print_table, progress
from commonground.errors import InputError, unknown_name
from commonground.io import (
    Event,
    Prediction,
    check_writable,
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
        Path, typer.Option(help='JSONL rows {"id", "summary"[, "system"]}; .gz is unpacked.')
    ],
    references: Annotated[
        Path, typer.Option(help='The data set: JSONL rows {"id", "references": [...]}.')
    ],
    metric: Annotated[
        list[str] | None, typer.Option(help=f"One of {', '.join(METRICS)}; may be repeated.")
    ] = None,
    encoder: Annotated[
        str | None, typer.Option(help=f"For sem-f1: {', '.join(encoders.NAMES)}, or a folder.")
    ] = None,
    thresholds: Annotated[
        str, typer.Option(help="For sem-f1's labels: lower-upper, as in the papers.")
    ] = DEFAULT_THRESHOLDS,
    splitter: Annotated[
        str, typer.Option(help="For sem-f1: layout, or punkt as in published scores.")
    ] = "layout",
    stemmer: Annotated[bool, typer.Option("--stemmer", help="For rouge: Porter stems.")] = False,
    rouge_types: Annotated[
        str, typer.Option(help="For rouge: types, with commas between.")
    ] = "rouge1,rouge2,rougeL,rougeLsum",
    tokenizer: Annotated[
        str, typer.Option(help="For rouge: ascii, or unicode for other scripts.")
    ] = "ascii",
    multi: Annotated[
        str, typer.Option(help="For rouge: best or mean over several references.")
    ] = "best",
    per_item: Annotated[
        Path | None, typer.Option(help="Also write one JSONL row for each prediction here.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, unrounded.")] = False,
) -> None:
    """Score summaries against references: SEM-F1, ROUGE or both, for one system or many."""
    chosen = _chosen(metric, encoder, splitter)
    if per_item:
        check_writable(per_item, predictions, references)
    types = tuple(name.strip() for name in rouge_types.split(","))
    rouge = Rouge(types=types, stemmer=stemmer, tokenizer=tokenizer, multi=multi)
    systems = _systems(predictions, references)
    corpora = {system.name: system.corpus() for system in systems}
    results: dict[str, dict[str, SemF1Corpus | RougeCorpus]] = {name: {} for name in corpora}
    if "sem-f1" in chosen:
        name = encoder or _settings.setting("encoder") or encoders.DEFAULT
        semf1 = SemF1(name, thresholds=thresholds, splitter=splitter)
        with progress("Encoding sentences") as advance:
            for system, found in semf1.corpora(corpora, progress=advance).items():
                results[system]["sem-f1"] = found
    if "rouge" in chosen:
        with progress("ROUGE") as advance:
            for system, counted in rouge.corpora(corpora, progress=advance).items():
                results[system]["rouge"] = counted
    if per_item:
        write_rows(per_item, _item_rows(systems, results))
    if as_json:
        print_json(_as_json(systems, results))
    else:
        _print_scores(systems, results)


def _chosen(metric: list[str] | None, encoder: str | None, splitter: str) -> list[str]:
    chosen = list(dict.fromkeys(metric or METRICS))
    for name in chosen:
        if name not in METRICS:
            raise unknown_name("metric", name, METRICS)
    if splitter not in SPLITTERS:
        raise unknown_name("splitter", splitter, SPLITTERS)
    if encoder and "sem-f1" not in chosen:
        raise InputError("--encoder goes with --metric sem-f1")
    return chosen


def _systems(predictions: Path, references: Path) -> list[System]:
    """The predictions by system, in the file's order, each with its event's references."""
    events = read_events(references)
    groups: dict[str, list[Prediction]] = {}
    for prediction in read_predictions(predictions):
        _check_event(prediction, events, predictions, references)
        groups.setdefault(prediction.system, []).append(prediction)
    if not groups:
        raise InputError(f"{predictions}: has no predictions")
    if "" in groups and len(groups) > 1:
        line = groups[""][0].line
        raise InputError(f'{predictions}, line {line}: has no "system", though other rows have one')
    for name, group in groups.items():
        if len(group) < len(events):
            who = f"system {name!r}" if name else "the predictions"
            note(f"{who}: {len(group)} of {len(events)} events; the means are over these")
    return [
        System(name, group, [events[prediction.id].references for prediction in group])
        for name, group in groups.items()
    ]


def _check_event(
    prediction: Prediction, events: Mapping[str, Event], predictions: Path, references: Path
) -> None:
    where = f"{predictions}, line {prediction.line}"
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


def _as_json(systems: Sequence[System], results: Mapping[str, Scores]) -> dict[str, Any]:
    return {
        "systems": [
            {
                "system": system.name or None,
                "items": len(system.predictions),
                **{metric: corpus.to_dict() for metric, corpus in results[system.name].items()},
            }
            for system in systems
        ]
    }


def _print_scores(systems: Sequence[System], results: Mapping[str, Scores]) -> None:
    """A table a metric, narrow enough for 80 columns, and the signatures below."""
    for metric in next(iter(results.values())):
        rows = [_cells(system, results[system.name][metric]) for system in systems]
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
        str(corpus.signature) for scores in results.values() for corpus in scores.values()
    )
    print_lines(*signatures)


def _printable(name: str) -> str:
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in name
    )


def _cells(system: System, corpus: SemF1Corpus | RougeCorpus) -> dict[str, str]:
    cells = {"system": _printable(system.name)} if system.name else {}
    cells["items"] = str(len(system.predictions))
    if isinstance(corpus, RougeCorpus):
        return cells | {kind: f"{prf.f1:.3f}" for kind, prf in corpus.mean.items()}
    return cells | {
        "SEM-F1": f"{corpus.mean.f1:.3f}",
        "95% interval": f"{corpus.interval.low:.3f}-{corpus.interval.high:.3f}",
        "precision": f"{corpus.mean.precision:.3f}",
        "recall": f"{corpus.mean.recall:.3f}",
        "F1 of means": f"{corpus.f1_of_means:.3f}",
        "of labels": f"{corpus.labelled.f1:.3f}",
    }
