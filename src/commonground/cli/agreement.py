"""`commonground agreement`: labels of people beside each other's and beside the machine's."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from commonground import encoders, settings
from commonground.agreement import (
    Overlaps,
    Ratings,
    Scores,
    SentenceLabels,
    annotator_agreement,
    human_scores,
    label_scores,
    machine_agreement,
    read_labels,
    reference_agreement,
    reference_scores,
    split_texts,
    tables,
)
from commonground.cli import agreement_scores
from commonground.cli.tables import print_tables
from commonground.cli.terminal import note, print_json, progress
from commonground.errors import InputError, unknown_name
from commonground.io import check_writable, read_events, read_predictions, write_rows
from commonground.metrics import column_value, registry
from commonground.metrics.semf1 import PRESETS
from commonground.text import SPLITTERS

app = typer.Typer(
    name="agreement",
    help="Do annotators agree, can a metric be trusted, which system is better?",
    no_args_is_help=True,
)
app.command("correlation")(agreement_scores.correlation)
app.command("systems")(agreement_scores.systems)
app.command("compare")(agreement_scores.compare)
app.command("grid")(agreement_scores.grid)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, unrounded.")]
LabelFiles = Annotated[
    list[Path], typer.Argument(help="Label files of one protocol, CSV or JSONL.")
]
Predictions = Annotated[Path | None, typer.Option(help='JSONL rows {"id", "summary"[, "system"]}.')]
References = Annotated[Path | None, typer.Option(help='The data set: {"id", "references": [...]}.')]
ROUGE = ("rouge1", "rouge2", "rougeL")


@app.command()
def labels(
    files: LabelFiles,
    scores: Annotated[
        Path | None, typer.Option(help="Write the labels' scores here (JSONL), for other tables.")
    ] = None,
    references: Annotated[
        Path | None, typer.Option(help="Write overlaps here as the references of a data set.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Agreement between annotators: tau-b, reward, kappa, alpha; and scores from the labels."""
    for out in (scores, references):
        if out:
            check_writable(out, *files)
    found = read_labels(*files)
    if isinstance(found, Overlaps):
        if scores:
            raise InputError("written overlaps give no scores; --references makes them references")
        _overlaps(found, references, as_json)
        return
    if references:
        raise InputError("only written overlaps can become references")
    if scores:
        write_rows(scores, human_scores(found).to_rows())
    several = len(found.annotators) > 1
    if not several:
        note(f"all labels are by {found.annotators[0]!r}; agreement needs two annotators")
    agreements = annotator_agreement(found) if several else ()
    by_annotator = label_scores(found) if isinstance(found, SentenceLabels) else {}
    if as_json:
        print_json(_labels_json(found, agreements, by_annotator))
        return
    shown = [tables.annotator_table(one) for one in agreements]
    if by_annotator:
        shown.append(tables.label_score_table(by_annotator))
    print_tables(*shown)


def _labels_json(
    found: Ratings | SentenceLabels, agreements: Sequence[Any], by_annotator: Mapping[str, Any]
) -> dict[str, Any]:
    return {
        "protocol": "ratings" if isinstance(found, Ratings) else "sentence labels",
        "annotators": list(found.annotators),
        "agreement": [one.to_dict() for one in agreements],
        "scores": [
            {"annotator": who, **sample._asdict(), **prf.to_dict()}
            for who, by_sample in by_annotator.items()
            for sample, prf in by_sample.items()
        ],
    }


def _overlaps(found: Overlaps, references: Path | None, as_json: bool) -> None:
    if references:
        write_rows(references, found.to_rows())
    rows = []
    for who in found.annotators:
        texts = [some[who] for some in found.texts.values() if who in some]
        written = [len(text.split()) for text in texts if text]
        mean = sum(written) / len(written) if written else None
        rows.append([who, len(texts), len(texts) - len(written), mean])
    columns = ["annotator", "events", "without overlap", "words"]
    if as_json:
        people = [dict(zip(columns, row, strict=True)) for row in rows]
        print_json({"protocol": "written overlaps", "annotators": people})
        return
    notes = ["Words: the mean of overlaps that are not empty."]
    print_tables({"title": "Written overlaps", "columns": columns, "rows": rows, "notes": notes})


@app.command()
def machine(
    files: LabelFiles,
    encoder: Annotated[
        list[str] | None, typer.Option(help=f"{', '.join(encoders.NAMES)}; may be repeated.")
    ] = None,
    thresholds: Annotated[
        list[str] | None, typer.Option(help=f"By default all of {', '.join(PRESETS)}.")
    ] = None,
    predictions: Predictions = None,
    references: References = None,
    splitter: Annotated[
        str, typer.Option(help="How the texts are split: layout, punkt.")
    ] = "layout",
    as_json: Json = False,
) -> None:
    """SEM-F1's labels beside people's, for every encoder and pair of thresholds."""
    found = read_labels(*files)
    if not isinstance(found, SentenceLabels):
        raise InputError("machine agreement needs sentence labels (P, PP, A)")
    if (predictions is None) != (references is None):
        raise InputError("--predictions and --references go together")
    if splitter not in SPLITTERS:
        raise unknown_name("splitter", splitter, SPLITTERS)
    texts = None
    if predictions and references:
        texts = split_texts(found, read_predictions(predictions), read_events(references), splitter)
    names = encoder or [settings.setting("encoder") or encoders.DEFAULT]
    with progress("Encoders") as advance:
        results = machine_agreement(
            found, names, texts=texts, thresholds=thresholds or tuple(PRESETS), progress=advance
        )
    if as_json:
        print_json({"machine": [one.to_dict() for one in results]})
    else:
        print_tables(tables.machine_table(results))


@app.command()
def references(
    scores: Annotated[
        list[Path] | None, typer.Argument(help='Score files with a column "reference".')
    ] = None,
    predictions: Predictions = None,
    references: References = None,
    metric: Annotated[
        list[str] | None, typer.Option(help="Which metrics; may be repeated. All by default.")
    ] = None,
    encoder: Annotated[str | None, typer.Option(help="For sem-f1.")] = None,
    method: Annotated[str, typer.Option(help="pearson, spearman or kendall.")] = "pearson",
    as_json: Json = False,
) -> None:
    """Correlation between the scores that single references give: from score files, or computed.

    With --predictions and --references, sem-f1, rouge1, rouge2 and rougeL are computed against
    each reference.
    """
    found = Scores.read(*scores) if scores else Scores(())
    if (predictions is None) != (references is None) or not (scores or predictions):
        raise InputError("give score files, or --predictions and --references together")
    if predictions and references:
        found = found + _against_each(predictions, references, metric, encoder)
    names = metric or [name for name in found.metrics if found.references(name)]
    if not names:
        raise InputError('no score tells its reference: the column "reference" is missing')
    results = [reference_agreement(found, name, method) for name in names]  # type: ignore[arg-type]
    if as_json:
        print_json({"references": [one.to_dict() for one in results]})
    else:
        print_tables(*map(tables.reference_table, results))


def _against_each(
    predictions: Path, references: Path, metrics: Sequence[str] | None, encoder: str | None
) -> Scores:
    events = {id_: event.references for id_, event in read_events(references).items()}
    summaries = {}
    for prediction in read_predictions(predictions):
        if prediction.id not in events:
            where = f"{predictions}, line {prediction.line}"
            raise InputError(f"{where}: id {prediction.id!r} is not in {references}")
        summaries[prediction.id, prediction.system] = prediction.summary
    asked = metrics or ("sem-f1", *ROUGE)
    options = {
        "encoder": encoder or settings.setting("encoder") or encoders.DEFAULT,
        "types": (types := [name for name in ROUGE if name in asked]),
    }
    measures = [
        registry.create(name, **registry.accepted(name, options))
        for name in registry.names()
        if name in asked or (name == "rouge" and types)
    ]

    def scored(texts: Sequence[str], one: Sequence[Sequence[str]]) -> dict[str, list[float]]:
        return {
            name: [column_value(item, column) for item in items]
            for measure in measures
            for items in [measure.each(texts, one)]
            for name, column in measure.main_columns.items()
        }

    with progress("References") as advance:
        return reference_scores(summaries, events, scored, progress=advance)
