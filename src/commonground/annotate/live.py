"""How far the annotators of a project agree at this moment."""

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import func, select

from commonground.agreement import (
    Agreement,
    Place,
    Ratings,
    Sample,
    SentenceLabels,
    annotator_agreement,
)
from commonground.annotate.database import Database
from commonground.annotate.database.tables import AnnotatorRow, LabelRow
from commonground.annotate.export import label_rows
from commonground.annotate.projects import find_project, project_row
from commonground.metrics.semf1 import Label


def agreement_now(database: Database, project: int) -> tuple[Agreement, ...]:
    """Agreement on each quantity, as `commonground agreement labels` has it of the export.

    Empty until two annotators have labelled, and for written overlaps, which are no labels.
    """
    protocol = find_project(database, project).protocol.name
    if protocol == "overlap":
        return ()
    rows = label_rows(database, project)
    labels = sentence_labels(rows) if protocol == "sentences" else _ratings(rows)
    return annotator_agreement(labels) if len(labels.annotators) > 1 else ()


def change_mark(database: Database, project: int) -> str:
    """Another one whenever a label or an annotator of the project has been added or closed."""
    with database.reading() as session:
        project_row(session, project)
        last = session.scalar(
            select(func.max(LabelRow.id))
            .join(AnnotatorRow, AnnotatorRow.id == LabelRow.annotator_id)
            .where(AnnotatorRow.project_id == project)
        )
        people = session.execute(
            select(func.count(), func.count(AnnotatorRow.token_hash)).where(
                AnnotatorRow.project_id == project
            )
        ).one()
    return f"{last or 0}-{people[0]}-{people[1]}"


def written_now(database: Database, project: int) -> dict[str, list[int]]:
    """For written overlaps: each annotator's lengths in words, 0 where nothing is shared."""
    lengths: dict[str, list[int]] = {}
    for row in label_rows(database, project):
        lengths.setdefault(row["annotator"], []).append(len(row["text"].split()))
    return lengths


def _sample(row: Mapping[str, Any]) -> Sample:
    return Sample(row["id"], row["system"])


def _ratings(rows: Iterable[Mapping[str, Any]]) -> Ratings:
    values: dict[str, dict[str, dict[Sample, float]]] = {}
    for row in rows:
        for quantity in ("score", "precision", "recall"):
            if row.get(quantity) is not None:
                given = values.setdefault(quantity, {}).setdefault(row["annotator"], {})
                given[_sample(row)] = float(row[quantity])
    return Ratings(values)


def sentence_labels(rows: Iterable[Mapping[str, Any]]) -> SentenceLabels:
    """Rows of the protocol `sentences`, as they are exported."""
    values: dict[str, dict[Place, Label]] = {}
    texts: dict[Place, str] = {}
    for row in rows:
        place = Place(row["side"], _sample(row), row["reference"] or 0, row["sentence"])
        texts[place] = row["text"]
        if row["label"] is not None:
            values.setdefault(row["annotator"], {})[place] = row["label"]
    return SentenceLabels(values, texts)
