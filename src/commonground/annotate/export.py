"""Labels out of the database: the files that `commonground agreement` reads."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from commonground.agreement import guarded
from commonground.annotate.database import Database
from commonground.annotate.database.tables import AnnotatorRow, EventRow, ItemRow, LabelRow
from commonground.annotate.projects import project_row
from commonground.annotate.protocols import units_of
from commonground.errors import unknown_name

COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "score": ("annotator", "id", "system", "score"),
    "precision-recall": ("annotator", "id", "system", "precision", "recall"),
    "sentences": (
        *("annotator", "id", "system", "side", "reference", "sentence", "label", "text"),
    ),
    "overlap": ("annotator", "id", "text"),
}
_ITEMS_AT_ONCE = 200


def label_rows(database: Database, project: int) -> Iterator[dict[str, Any]]:
    """The labels that hold, item by item, as rows of docs/label-formats.md.

    An item that an annotator began has a row for each of its sentences, blank where the label is
    missing: whoever labels the same sentences by machine needs them all.
    """
    with database.reading() as session:
        protocol = project_row(session, project).protocol
        make = _MAKERS[protocol]
        for items in _chunks(session, project):
            labels = _labels(session, [item.id for item, _, _ in items])
            for item, name, content in items:
                for annotator, given in labels.get(item.id, {}).items():
                    shared = {"annotator": annotator, "id": name, "system": item.system}
                    yield from make(shared, item, content, given)


def exported(database: Database, project: int, form: str) -> Iterator[str]:
    """A label file in pieces.

    Args:
        database: Where.
        project: Which project.
        form: `csv` or `jsonl`.

    Raises:
        InputError: No such form, or no such project; raised here, not with the first piece.
    """
    if form not in ("csv", "jsonl"):
        raise unknown_name("form", form, ("csv", "jsonl"))
    with database.reading() as session:
        columns = COLUMNS[project_row(session, project).protocol]
    rows = label_rows(database, project)
    if form == "jsonl":
        return (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return _csv(columns, rows)


def _csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    line = io.StringIO()
    writer = csv.DictWriter(line, columns, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        # Names and texts are other people's, and the file is opened in spreadsheets.
        cells = {key: guarded(one) if isinstance(one, str) else one for key, one in row.items()}
        writer.writerow(cells)
        if line.tell() > 65_536:
            yield line.getvalue()
            line.seek(0)
            line.truncate()
    yield line.getvalue()


def _chunks(session: Session, project: int) -> Iterator[list[tuple[ItemRow, str, Any]]]:
    last = 0
    while True:
        found = session.execute(
            select(ItemRow, EventRow.name, EventRow.content)
            .join(EventRow, EventRow.id == ItemRow.event_id)
            .where(ItemRow.project_id == project, ItemRow.position > last)
            .order_by(ItemRow.position)
            .limit(_ITEMS_AT_ONCE)
        ).all()
        if not found:
            return
        yield [(item, name, content) for item, name, content in found]
        last = found[-1][0].position


def _labels(session: Session, items: Sequence[int]) -> dict[int, dict[str, dict[str, str]]]:
    """By item, annotator (in the order of invitation) and unit."""
    found = session.execute(
        select(LabelRow.item_id, AnnotatorRow.name, LabelRow.unit, LabelRow.value)
        .join(AnnotatorRow, AnnotatorRow.id == LabelRow.annotator_id)
        .where(LabelRow.item_id.in_(items), LabelRow.superseded_at.is_(None))
        .order_by(LabelRow.annotator_id)
    )
    labels: dict[int, dict[str, dict[str, str]]] = {}
    for item, name, unit, value in found:
        if value is not None:
            labels.setdefault(item, {}).setdefault(name, {})[unit] = value
    return labels


_Maker = Callable[
    [dict[str, Any], ItemRow, Mapping[str, Any], Mapping[str, str]], Iterable[dict[str, Any]]
]


def _ratings(
    shared: dict[str, Any], _: ItemRow, __: Mapping[str, Any], given: Mapping[str, str]
) -> Iterable[dict[str, Any]]:
    quantities = ("score",) if "score" in given else ("precision", "recall")
    numbers = {name: int(given[name]) if name in given else None for name in quantities}
    return [{**shared, **numbers}]


def _sentences(
    shared: dict[str, Any], item: ItemRow, content: Mapping[str, Any], given: Mapping[str, str]
) -> Iterable[dict[str, Any]]:
    for unit in units_of("sentences", item.summary, content["references"]):
        yield {
            **shared,
            "side": unit.side,
            "reference": unit.reference or None,
            "sentence": unit.sentence,
            "label": given.get(unit.key),
            "text": unit.text,
        }


def _overlaps(
    shared: dict[str, Any], _: ItemRow, __: Mapping[str, Any], given: Mapping[str, str]
) -> Iterable[dict[str, Any]]:
    return [{"annotator": shared["annotator"], "id": shared["id"], "text": given["text"]}]


_MAKERS: Final[Mapping[str, _Maker]] = {
    "score": _ratings,
    "precision-recall": _ratings,
    "sentences": _sentences,
    "overlap": _overlaps,
}
