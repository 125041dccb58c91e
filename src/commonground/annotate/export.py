"""Current labels: as rows, as files that `commonground agreement` reads, and their agreement."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from commonground.agreement import (
    Agreement,
    Place,
    Ratings,
    Sample,
    SentenceLabels,
    annotator_agreement,
)
from commonground.annotate.projects import find_project, project_row
from commonground.annotate.protocols import units_of
from commonground.cells import csv_line
from commonground.database import Database
from commonground.database.tables import AnnotatorRow, EventRow, ItemRow, LabelRow
from commonground.errors import unknown_name
from commonground.metrics.semf1 import Label

_COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "score": ("annotator", "id", "system", "score"),
    "precision-recall": ("annotator", "id", "system", "precision", "recall"),
    "sentences": ("annotator", "id", "system", "side", "reference", "sentence", "label", "text"),
    "overlap": ("annotator", "id", "text"),
}
_ITEMS_AT_ONCE: Final = 200
_Items = list[tuple[ItemRow, str, Any]]
_Labels = dict[int, dict[str, dict[str, str]]]  # by item, annotator and unit
_CHUNK_CHARACTERS: Final = 65_536


def label_rows(database: Database, project: int) -> Iterator[dict[str, Any]]:
    """Yield the current labels, item by item, as rows of docs/label-formats.md.

    An item that an annotator began has a row for each of its sentences, with a null label where
    one is missing: a machine that labels the same sentences needs them all.

    No transaction is open between rows, since a browser may take any time to fetch them; labels
    saved meanwhile may be among the rows.

    Raises:
        NotFoundError: The project was deleted meanwhile.
    """
    protocol = find_project(database, project).protocol.name
    for items, labels in _chunks(database, project):
        for item, event, content in items:
            for annotator, values in labels.get(item.id, {}).items():
                shared = {"annotator": annotator, "id": event}
                if protocol == "overlap":
                    yield {**shared, "text": values["text"]}
                elif protocol == "sentences":
                    shared["system"] = item.system
                    yield from _sentence_rows(shared, item, content, values)
                else:
                    yield {**shared, "system": item.system, **_ratings(values)}


def exported(database: Database, project: int, form: str) -> Iterator[str]:
    """Return the label file (`csv` or `jsonl`) in chunks.

    Raises:
        InputError: The form or project does not exist; raised at once, not with the first chunk.
    """
    if form not in ("csv", "jsonl"):
        raise unknown_name("form", form, ("csv", "jsonl"))
    with database.reading() as session:
        columns = _COLUMNS[project_row(session, project).protocol]
    rows = label_rows(database, project)
    if form == "jsonl":
        return (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return _csv(columns, rows)


def agreement_now(database: Database, project: int) -> tuple[Agreement, ...]:
    """Return the agreement on each quantity, as `commonground agreement labels` reports it.

    Empty until two annotators have labelled, and for written overlaps.
    """
    protocol = find_project(database, project).protocol.name
    if protocol == "overlap":
        return ()
    rows = label_rows(database, project)
    labels = sentence_labels(rows) if protocol == "sentences" else _rating_table(rows)
    return annotator_agreement(labels) if len(labels.annotators) > 1 else ()


def change_mark(database: Database, project: int) -> str:
    """Return a mark that changes with every new label and every new or closed annotator."""
    with database.reading() as session:
        project_row(session, project)
        latest = session.scalar(
            select(func.max(LabelRow.id))
            .join(AnnotatorRow, AnnotatorRow.id == LabelRow.annotator_id)
            .where(AnnotatorRow.project_id == project)
        )
        invited, open_ = session.execute(
            select(func.count(), func.count(AnnotatorRow.token_hash)).where(
                AnnotatorRow.project_id == project
            )
        ).one()
    return f"{latest or 0}-{invited}-{open_}"


def written_now(database: Database, project: int) -> dict[str, list[int]]:
    """Return the lengths in words of each annotator's written overlaps; 0 if nothing is shared."""
    lengths: dict[str, list[int]] = {}
    for row in label_rows(database, project):
        lengths.setdefault(row["annotator"], []).append(len(row["text"].split()))
    return lengths


def sentence_labels(rows: Iterable[Mapping[str, Any]]) -> SentenceLabels:
    """Convert exported rows of the protocol `sentences`."""
    values: dict[str, dict[Place, Label]] = {}
    texts: dict[Place, str] = {}
    for row in rows:
        sample = Sample(row["id"], row["system"])
        key = Place(row["side"], sample, row["reference"] or 0, row["sentence"])
        texts[key] = row["text"]
        if row["label"] is not None:
            values.setdefault(row["annotator"], {})[key] = row["label"]
    return SentenceLabels(values, texts)


def _rating_table(rows: Iterable[Mapping[str, Any]]) -> Ratings:
    values: dict[str, dict[str, dict[Sample, float]]] = {}
    for row in rows:
        for quantity in ("score", "precision", "recall"):
            if row.get(quantity) is not None:
                ratings = values.setdefault(quantity, {}).setdefault(row["annotator"], {})
                ratings[Sample(row["id"], row["system"])] = float(row[quantity])
    return Ratings(values)


def _csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield parts of a file of some size: a browser gets many short rows at once."""
    lines, size = [csv_line(columns)], 0
    for row in rows:
        lines.append(csv_line(row.get(column) for column in columns))
        size += len(lines[-1])
        if size > _CHUNK_CHARACTERS:
            yield "".join(lines)
            lines, size = [], 0
    yield "".join(lines)


def _chunks(database: Database, project: int) -> Iterator[tuple[_Items, _Labels]]:
    """Yield some items and their labels at a time, each in a transaction of its own."""
    last = 0
    while True:
        with database.reading() as session:
            project_row(session, project)
            rows = session.execute(
                select(ItemRow, EventRow.name, EventRow.content)
                .join(EventRow, EventRow.id == ItemRow.event_id)
                .where(ItemRow.project_id == project, ItemRow.position > last)
                .order_by(ItemRow.position)
                .limit(_ITEMS_AT_ONCE)
            ).all()
            labels = _labels(session, [item.id for item, _, _ in rows])
        if not rows:
            return
        yield [(item, event, content) for item, event, content in rows], labels
        last = rows[-1][0].position


def _labels(session: Session, items: Sequence[int]) -> _Labels:
    """Return the current labels of items, with annotators in the order of invitation."""
    rows = session.execute(
        select(LabelRow.item_id, AnnotatorRow.name, LabelRow.unit, LabelRow.value)
        .join(AnnotatorRow, AnnotatorRow.id == LabelRow.annotator_id)
        .where(LabelRow.item_id.in_(items), LabelRow.superseded_at.is_(None))
        .order_by(LabelRow.annotator_id)
    )
    labels: _Labels = {}
    for item, annotator, unit, value in rows:
        if value is not None:
            labels.setdefault(item, {}).setdefault(annotator, {})[unit] = value
    return labels


def _ratings(values: Mapping[str, str]) -> dict[str, int | None]:
    quantities = ("score",) if "score" in values else ("precision", "recall")
    return {name: int(values[name]) if name in values else None for name in quantities}


def _sentence_rows(
    shared: dict[str, Any], item: ItemRow, content: Mapping[str, Any], values: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    for unit in units_of("sentences", item.summary, content["references"]):
        yield {
            **shared,
            "side": unit.side,
            "reference": unit.reference or None,
            "sentence": unit.sentence,
            "label": values.get(unit.key),
            "text": unit.text,
        }
