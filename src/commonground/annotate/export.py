"""Current labels: as rows, as files that `commonground agreement` reads, and their agreement."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

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
from commonground.annotate.decisions import Decision, decision_of
from commonground.annotate.projects import find_project, project_row
from commonground.annotate.protocols import units_of
from commonground.annotate.review import final_label, review_counts
from commonground.cells import csv_line
from commonground.database import Database
from commonground.database.tables import (
    AnnotatorRow,
    DecisionRow,
    EventRow,
    ItemRow,
    LabelRow,
    RemarkRow,
)
from commonground.errors import unknown_name
from commonground.metrics.semf1 import Label

_COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "score": ("annotator", "id", "system", "score"),
    "precision-recall": ("annotator", "id", "system", "precision", "recall"),
    "sentences": ("annotator", "id", "system", "side", "reference", "sentence", "label", "text"),
    "overlap": ("annotator", "id", "text"),
}
_REMARKS: Final = ("flagged", "comment")
_DECISIONS: Final = ("decided_by", "note")
_ADJUDICATED: Final = "adjudicated"
_AGREED: Final = "agreement"  # in place of a name: nobody had to decide
_ITEMS_AT_ONCE: Final = 200
_CHUNK_CHARACTERS: Final = 65_536


def label_rows(database: Database, project: int) -> Iterator[dict[str, Any]]:
    """Yield the current labels, item by item, as rows of docs/label-formats.md.

    An item that an annotator began has a row for each of its sentences, with a null label where
    one is missing: a machine that labels the same sentences needs them all. `flagged` and
    `comment` are the annotator's remark.

    No transaction is open between rows, since a browser may take any time to fetch them; labels
    saved meanwhile may be among the rows.

    Raises:
        NotFoundError: The project was deleted meanwhile.
    """
    protocol = find_project(database, project).protocol.name
    for chunk in _chunks(database, project):
        for item in chunk:
            for annotator, labels in item.labels.items():
                remarks = item.remarks.get(annotator, {})
                if labels or protocol != "overlap":  # a row without a text would be "no overlap"
                    yield from _rows(protocol, annotator, item, labels, remarks, _remarked)


def adjudicated_rows(database: Database, project: int) -> Iterator[dict[str, Any]]:
    """Yield the final labels as rows of one annotator, `adjudicated`.

    The final label of a unit is the decision or, without one, the label that at least two
    annotators gave and nobody contradicted; else it is null. `decided_by` says who decided, or
    `agreement`; `note` is theirs. Items without any final label have no rows.
    """
    protocol = find_project(database, project).protocol.name
    for chunk in _chunks(database, project):
        for item in chunk:
            labels, decisions = _final(item)
            if labels:
                yield from _rows(protocol, _ADJUDICATED, item, labels, decisions, _decided)


def exported(
    database: Database, project: int, form: str, *, adjudicated: bool = False
) -> Iterator[str]:
    """Return the file of all labels, or of the final ones, (`csv` or `jsonl`) in chunks.

    Raises:
        InputError: The form or project does not exist; raised at once, not with the first chunk.
    """
    if form not in ("csv", "jsonl"):
        raise unknown_name("form", form, ("csv", "jsonl"))
    with database.reading() as session:
        columns = _COLUMNS[project_row(session, project).protocol]
    more, each = (_DECISIONS, adjudicated_rows) if adjudicated else (_REMARKS, label_rows)
    rows = each(database, project)
    if form == "jsonl":
        return (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return _csv((*columns, *more), rows)


def final_count(database: Database, project: int) -> tuple[int, int, int]:
    """Return how many labels are final, how many there could be, and the items without any."""
    final = without = 0
    for chunk in _chunks(database, project):
        for item in chunk:
            labels, _ = _final(item)
            final += len(labels)
            without += not labels
    return final, review_counts(database, project).units, without


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
    """Return a mark that changes with every label, remark, decision and change of annotators."""
    with database.reading() as session:
        project_row(session, project)
        latest = session.scalar(
            select(func.max(LabelRow.id))
            .join(AnnotatorRow, AnnotatorRow.id == LabelRow.annotator_id)
            .where(AnnotatorRow.project_id == project)
        )
        remarked = session.scalar(
            select(func.max(RemarkRow.saved_at))
            .join(AnnotatorRow, AnnotatorRow.id == RemarkRow.annotator_id)
            .where(AnnotatorRow.project_id == project)
        )
        decided = session.execute(
            select(func.count(), func.max(DecisionRow.decided_at))
            .join(ItemRow, ItemRow.id == DecisionRow.item_id)
            .where(ItemRow.project_id == project)
        ).one()
        invited, open_ = session.execute(
            select(func.count(), func.count(AnnotatorRow.token_hash)).where(
                AnnotatorRow.project_id == project
            )
        ).one()
    moments = [moment.timestamp() if moment else 0 for moment in (remarked, decided[1])]
    return "-".join(map(str, (latest or 0, invited, open_, decided[0], *moments)))


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


class _Item(NamedTuple):
    """An item with the labels and remarks by annotator, then by unit; decisions by unit."""

    row: ItemRow
    event: str
    content: Mapping[str, Any]
    labels: dict[str, dict[str, str]]
    remarks: dict[str, dict[str, tuple[Any, str]]]
    decisions: dict[str, Decision]


def _chunks(database: Database, project: int) -> Iterator[list[_Item]]:
    """Yield some items at a time, each in a transaction of its own."""
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
            items = {row.id: _Item(row, event, texts, {}, {}, {}) for row, event, texts in rows}
            _fill(session, items)
        if not rows:
            return
        yield list(items.values())
        last = rows[-1][0].position


def _fill(session: Session, items: Mapping[int, _Item]) -> None:
    """Add the current labels, remarks and decisions, annotators in the order of invitation."""
    labels = session.execute(
        select(LabelRow.item_id, AnnotatorRow.name, LabelRow.unit, LabelRow.value)
        .join(AnnotatorRow, AnnotatorRow.id == LabelRow.annotator_id)
        .where(LabelRow.item_id.in_(items), LabelRow.superseded_at.is_(None))
        .where(LabelRow.value.is_not(None))
        .order_by(LabelRow.annotator_id)
    )
    for item, annotator, unit, value in labels:
        items[item].labels.setdefault(annotator, {})[unit] = value or ""
    remarks = session.execute(
        select(RemarkRow, AnnotatorRow.name)
        .join(AnnotatorRow, AnnotatorRow.id == RemarkRow.annotator_id)
        .where(RemarkRow.item_id.in_(items), RemarkRow.flagged | (RemarkRow.comment != ""))
        .order_by(RemarkRow.annotator_id, RemarkRow.unit)
    )
    for row, annotator in remarks:
        items[row.item_id].labels.setdefault(annotator, {})
        said = items[row.item_id].remarks.setdefault(annotator, {})
        said[row.unit] = (row.flagged or None, row.comment)
    for decision in session.scalars(select(DecisionRow).where(DecisionRow.item_id.in_(items))):
        items[decision.item_id].decisions[decision.unit] = decision_of(decision)


def _final(item: _Item) -> tuple[dict[str, str], dict[str, tuple[Any, str]]]:
    """Return the final labels of an item, and who decided them with which note."""
    units = {unit for labels in item.labels.values() for unit in labels} | set(item.decisions)
    final: dict[str, str] = {}
    decided: dict[str, tuple[Any, str]] = {}
    for unit in sorted(units):
        given = {name: labels[unit] for name, labels in item.labels.items() if unit in labels}
        decision = item.decisions.get(unit)
        value = final_label(given, decision)
        if value is not None:
            final[unit] = value
            decided[unit] = (decision.by, decision.note) if decision else (_AGREED, "")
    return final, decided


_More = Callable[[Iterable[tuple[Any, str]]], dict[str, Any]]


def _remarked(remarks: Iterable[tuple[Any, str]]) -> dict[str, Any]:
    return _joined(_REMARKS, remarks)


def _decided(decisions: Iterable[tuple[Any, str]]) -> dict[str, Any]:
    return _joined(_DECISIONS, decisions)


def _joined(names: Sequence[str], pairs: Iterable[tuple[Any, str]]) -> dict[str, Any]:
    """Return the two columns; a row of two ratings joins what was said of each."""
    firsts, texts = zip(*pairs, strict=True) if (pairs := list(pairs)) else ((), ())
    kinds = list(dict.fromkeys(first for first in firsts if first))
    first = kinds[0] if len(kinds) == 1 else ", ".join(map(str, kinds)) or None
    return {names[0]: first, names[1]: " / ".join(filter(None, texts)) or None}


def _rows(
    protocol: str,
    annotator: str,
    item: _Item,
    labels: Mapping[str, str],
    pairs: Mapping[str, tuple[Any, str]],
    more: _More,
) -> Iterator[dict[str, Any]]:
    """Yield the rows of one annotator for an item; `pairs` become the last two columns."""
    shared: dict[str, Any] = {"annotator": annotator, "id": item.event}
    if protocol == "overlap":
        yield {**shared, "text": labels["text"], **more(pairs.values())}
        return
    shared["system"] = item.row.system
    if protocol != "sentences":
        quantities = ("score",) if protocol == "score" else ("precision", "recall")
        values = {name: int(labels[name]) if name in labels else None for name in quantities}
        yield {**shared, **values, **more(pairs.values())}
        return
    for unit in units_of("sentences", item.row.summary, item.content["references"]):
        yield {
            **shared,
            "side": unit.side,
            "reference": unit.reference or None,
            "sentence": unit.sentence,
            "label": labels.get(unit.key),
            "text": unit.text,
            **more([pairs[unit.key]] if unit.key in pairs else ()),
        }
