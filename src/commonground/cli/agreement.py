"""`commonground agreement` on labels: annotators, machine and references."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from commonground import encoders
from commonground.agreement import (
    Overlaps,
    Ratings,
    Scores,
    SentenceLabels,
    annotator_agreement,
    human_scores,
    label_scores,
    machine_agreement,
    main_names,
    read_labels,
    reference_agreement,
    reference_scores,
    split_texts,
    tables,
)
from commonground.cli import agreement_scores
from commonground.cli.metric_options import MetricOption, create_metric, parse_options
from commonground.cli.options import EncoderOption, JsonOption, encoder_name
from commonground.cli.terminal import print_json, print_lines, print_tables, progress
from commonground.errors import InputError, unknown_name
from commonground.io import check_writable, read_events, read_predictions, write_rows
from commonground.metrics import PRESETS, column_value, registry
from commonground.text import SPLITTERS

app = typer.Typer()
app.command("correlation")(agreement_scores.correlation)
app.command("systems")(agreement_scores.systems)
app.command("compare")(agreement_scores.compare)
app.command("grid")(agreement_scores.grid)

LabelFiles = Annotated[
    list[Path], typer.Argument(help="Label files of one protocol (CSV or JSONL).")
]
Predictions = Annotated[
    Path | None, typer.Option(help='Predictions: JSONL rows {"id", "summary"[, "system"]}.')
]
References = Annotated[
    Path | None, typer.Option(help='Data set: JSONL rows {"id", "references": [...]}.')
]


@app.command()
def labels(
    files: LabelFiles,
    scores: Annotated[
        Path | None, typer.Option(help="File for the scores that the labels give (JSONL).")
    ] = None,
    references: Annotated[
        Path | None,
        typer.Option(help="File for written overlaps as references of a data set (JSONL)."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure agreement between annotators: tau-b, reward, kappa, alpha; score their labels."""
    for out in (scores, references):
        if out:
            check_writable(out, *files)
    data = read_labels(*files)
    if isinstance(data, Overlaps):
        if scores:
            raise InputError(
                "written overlaps have no scores; use --references to make them references"
            )
        _overlaps(data, references, as_json)
        return
    if references:
        raise InputError("only written overlaps can become references")
    if scores:
        write_rows(scores, human_scores(data).to_rows())
    several = len(data.annotators) > 1
    agreements = annotator_agreement(data) if several else ()
    by_annotator = label_scores(data) if isinstance(data, SentenceLabels) else {}
    if as_json:
        print_json(
            {
                "protocol": "ratings" if isinstance(data, Ratings) else "sentence labels",
                "annotators": list(data.annotators),
                "agreement": [agreement.to_dict() for agreement in agreements],
                "scores": [
                    {"annotator": annotator, **sample._asdict(), **prf.to_dict()}
                    for annotator, by_sample in by_annotator.items()
                    for sample, prf in by_sample.items()
                ],
            }
        )
        return
    shown = [tables.annotator_table(agreement) for agreement in agreements]
    if by_annotator:
        shown.append(tables.label_score_table(by_annotator))
    print_lines(*_remarks(data))
    print_tables(*shown)


def _remarks(data: Ratings | SentenceLabels) -> list[str]:
    """Return what the labels of one annotator do not show."""
    if len(data.annotators) > 1:
        return []
    who = f"All labels are by {data.annotators[0]!r}, and agreement needs two annotators"
    if isinstance(data, Ratings):
        return [f"{who}; --scores FILE writes the ratings as scores."]
    lines = [f"{who}; the table has the scores of these labels alone."]
    (labels,) = data.values.values()
    every = data.texts.keys() | labels.keys()
    if left := len(every) - len(labels):
        lines.append(f"{left} of {len(every)} sentences have no label and are left out.")
    return [*lines, ""]


def _overlaps(overlaps: Overlaps, references: Path | None, as_json: bool) -> None:
    if references:
        write_rows(references, overlaps.to_rows())
    rows = []
    for annotator in overlaps.annotators:
        texts = [texts[annotator] for texts in overlaps.texts.values() if annotator in texts]
        written = [len(text.split()) for text in texts if text]
        mean = sum(written) / len(written) if written else None
        rows.append([annotator, len(texts), len(texts) - len(written), mean])
    columns = ["annotator", "events", "without overlap", "words"]
    if as_json:
        people = [dict(zip(columns, row, strict=True)) for row in rows]
        print_json({"protocol": "written overlaps", "annotators": people})
        return
    notes = ["Words: mean over the overlaps that are not empty."]
    print_tables({"title": "Written overlaps", "columns": columns, "rows": rows, "notes": notes})


@app.command()
def machine(
    files: LabelFiles,
    encoder: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Encoder: {', '.join(encoders.NAMES)} (default: {encoders.DEFAULT}). Repeatable."
        ),
    ] = None,
    thresholds: Annotated[
        list[str] | None,
        typer.Option(help=f"Thresholds: {', '.join(PRESETS)} (default: all). Repeatable."),
    ] = None,
    predictions: Predictions = None,
    references: References = None,
    splitter: Annotated[str, typer.Option(help="Sentence splitter: layout or punkt.")] = "layout",
    as_json: JsonOption = False,
) -> None:
    """Compare a metric's labels with human labels, by encoder and thresholds."""
    data = read_labels(*files)
    if not isinstance(data, SentenceLabels):
        raise InputError("machine agreement needs sentence labels (P, PP, A)")
    if (predictions is None) != (references is None):
        raise InputError("give --predictions and --references together")
    if splitter not in SPLITTERS:
        raise unknown_name("splitter", splitter, SPLITTERS)
    texts = None
    if predictions and references:
        texts = split_texts(data, read_predictions(predictions), read_events(references), splitter)
    names = encoder or [encoder_name(None)]
    with progress("Encoders") as advance:
        results = machine_agreement(
            data, names, texts=texts, thresholds=thresholds or tuple(PRESETS), progress=advance
        )
    if as_json:
        print_json({"machine": [result.to_dict() for result in results]})
    else:
        print_tables(tables.machine_table(results))


@app.command()
def references(
    scores: Annotated[
        list[Path] | None,
        typer.Argument(help='Score files with a "reference" column (CSV or JSONL).'),
    ] = None,
    predictions: Predictions = None,
    references: References = None,
    metric: Annotated[
        list[str] | None, typer.Option(help="Metric to analyse (default: all). Repeatable.")
    ] = None,
    encoder: EncoderOption = None,
    option: MetricOption = None,
    method: Annotated[
        str, typer.Option(help="Correlation: pearson, spearman or kendall.")
    ] = "pearson",
    as_json: JsonOption = False,
) -> None:
    """Correlate the scores against single references.

    The scores come from files, or with --predictions and --references are computed: each metric
    (default: those of `commonground score`) against each reference.
    """
    table = Scores.read(*scores) if scores else Scores(())
    if (predictions is None) != (references is None) or not (scores or predictions):
        raise InputError("give score files, or --predictions and --references together")
    if predictions and references:
        table = table + _against_each(predictions, references, metric, encoder, option)
    names = metric or main_names([name for name in table.metrics if table.references(name)])
    if not names:
        raise InputError('the scores have no "reference" column')
    results = [reference_agreement(table, name, method) for name in names]  # type: ignore[arg-type]
    if as_json:
        print_json({"references": [result.to_dict() for result in results]})
    else:
        print_tables(*map(tables.reference_table, results))


def _against_each(
    predictions: Path,
    references: Path,
    metrics: Sequence[str] | None,
    encoder: str | None,
    option: Sequence[str] | None,
) -> Scores:
    events = {id_: event.references for id_, event in read_events(references).items()}
    summaries = {}
    for prediction in read_predictions(predictions):
        if prediction.id not in events:
            where = f"{predictions}, line {prediction.line}"
            raise InputError(f"{where}: id {prediction.id!r} is not in {references}")
        summaries[prediction.id, prediction.system] = prediction.summary
    known = registry.names()
    owners = {registry.owner(column, known) for column in metrics or registry.DEFAULT}
    for name in filter(None, owners):
        if registry.load(name).against != "references":
            raise InputError(f"{name} uses no references")
    settings = {"encoder": encoder_name(encoder)}
    chosen = [name for name in known if name in owners]
    options = parse_options(option, chosen)
    measures = [create_metric(name, settings, options) for name in chosen]

    def scored(texts: Sequence[str], refs: Sequence[Sequence[str]]) -> dict[str, list[float]]:
        return {
            name: [column_value(item, column) for item in items]
            for measure in measures
            for items in [measure.each(texts, refs)]
            for name, column in measure.study_columns().items()
        }

    with progress("References") as advance:
        return reference_scores(summaries, events, scored, progress=advance)
