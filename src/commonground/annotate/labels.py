"""Labels: on disk before the response is sent, never changed, only superseded.

Annotators address items by position within their own project, so they cannot reach others.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import exists, select, update
from sqlalchemy.orm import Session, aliased

from commonground.annotate.annotators import Progress, annotator_row, progress_of
from commonground.annotate.projects import project_row
from commonground.annotate.protocols import (
    ConflictError,
    NotFoundError,
    Unit,
    checked_value,
)
from commonground.annotate.quotas import count_save
from commonground.annotate.remarks import Remark, remarks_of
from commonground.annotate.units import find_units
from commonground.database import Database
from commonground.database.tables import (
    AnnotatorRow,
    ItemRow,
    LabelRow,
)
from commonground.errors import InputError

# Undo uses keys with a colon, which a page's keys cannot have.
_CLIENT_KEY: Final = re.compile(r"[A-Za-z0-9_-]{8,64}")


@dataclass(frozen=True, slots=True)
class Item:
    """An item with the annotator's labels, and the texts that the protocol shows."""

    position: int  # from 1, in the project's order
    narratives: tuple[tuple[str, str], ...]  # source and text
    summary: tuple[str, ...]  # sentences
    references: tuple[tuple[str, ...], ...]  # sentences of each
    units: tuple[Unit, ...]
    labels: Mapping[str, str]  # the current label of each labelled unit
    undoable: int | None  # the label that undo would remove, in this or another item
    progress: Progress
    remarks: Mapping[str, Remark]  # by unit


@dataclass(frozen=True, slots=True)
class Saved:
    """The state after a change, which is on disk."""

    label: int  # the id of the new row
    position: int
    unit: str
    value: str | None  # the current label of the unit, if any
    undoable: int | None  # the label that undo would remove next
    progress: Progress


def find_item(database: Database, annotator: int, position: int) -> Item:
    """Return an item as an annotator sees it; raise NotFoundError if it does not exist."""
    with database.reading() as session:
        who = annotator_row(session, annotator)
        item, units, event = find_units(session, who.project_id, position)
        content = event.content
        current = select(LabelRow.unit, LabelRow.value).filter_by(
            annotator_id=who.id, item_id=item.id, superseded_at=None
        )
        labels = session.execute(current)
        return Item(
            position,
            tuple((row["source"], row["text"]) for row in content["narratives"]),
            tuple(item.summary),
            tuple(map(tuple, content["references"])),
            tuple(units.values()),
            {unit: value for unit, value in labels if value is not None},
            _undoable(session, who),
            progress_of(session, who),
            remarks_of(session, who, item.id),
        )


def save(
    database: Database,
    annotator: int,
    position: int,
    unit: str,
    value: str,
    client_key: str,
    *,
    over: tuple[str | None] | None = None,
) -> Saved:
    """Save the label of a unit in the item at a position; it is on disk when this returns.

    A later label of the same unit supersedes this one, which stays in the history. A repeated
    request with the same client key, as after a lost response, changes nothing. The key has 8 to
    64 letters, digits, `-` or `_`. With `over`, the unit must still have this label, or none if
    it is None: a label that waited somewhere must not replace a newer one.

    Raises:
        NotFoundError: The item or unit does not exist.
        ConflictError: The key was used for another label, or the unit has a newer label.
        InputError: The protocol does not allow this label.
        QuotaError: The annotator has saved too often or too much.
    """
    if not _CLIENT_KEY.fullmatch(client_key):
        raise InputError("a save needs a key of 8 to 64 letters, digits, - or _")
    with database.writing() as session:
        who = annotator_row(session, annotator, locked=True)
        item, units, _ = find_units(session, who.project_id, position)
        if unit not in units:
            raise NotFoundError(f"item {position} has no unit {unit[:40]!r}")
        value = checked_value(project_row(session, who.project_id).protocol, value)
        same_key = select(LabelRow).filter_by(annotator_id=who.id, client_key=client_key)
        row = session.scalars(same_key).one_or_none()
        if row is None:
            if over is not None and _current(session, who, item.id, unit) not in (*over, value):
                raise ConflictError("the question has a newer label")
            row = _add(session, who, item.id, unit, value, client_key)
        elif (row.item_id, row.unit, row.value) != (item.id, unit, value):
            raise ConflictError("this key was used for another label")
        return _saved(session, who, row)


def undo(database: Database, annotator: int, label: int) -> Saved:
    """Undo the annotator's latest label; the label before it is current again.

    A repeated request changes nothing.

    Raises:
        NotFoundError: The annotator does not have this label.
        ConflictError: It is not the latest one.
    """
    with database.writing() as session:
        who = annotator_row(session, annotator, locked=True)
        row = session.get(LabelRow, label)
        if row is None or row.annotator_id != who.id or row.undoes is not None:
            raise NotFoundError("this label does not exist, so it cannot be undone")
        undone = session.scalars(select(LabelRow).filter_by(undoes=label)).one_or_none()
        if undone is None:
            if _undoable(session, who) != label:
                raise ConflictError(
                    "a newer label was saved, perhaps in another tab; reload the page"
                )
            of_unit = _active(who).filter_by(item_id=row.item_id, unit=row.unit)
            earlier = session.scalars(of_unit.where(LabelRow.id < label).limit(1)).one_or_none()
            value = earlier.value if earlier else None
            key = f"undo:{label}"
            undone = _add(session, who, row.item_id, row.unit, value, key, undoes=label)
        return _saved(session, who, undone)


def _add(
    session: Session,
    who: AnnotatorRow,
    item: int,
    unit: str,
    value: str | None,
    client_key: str,
    *,
    undoes: int | None = None,
) -> LabelRow:
    count_save(session, who, len(value or ""))
    now = datetime.now(UTC)
    current = update(LabelRow).filter_by(
        annotator_id=who.id, item_id=item, unit=unit, superseded_at=None
    )
    session.execute(current.values(superseded_at=now))
    row = LabelRow(
        item_id=item,
        annotator_id=who.id,
        unit=unit,
        value=value,
        client_key=client_key,
        undoes=undoes,
        saved_at=now,
    )
    session.add(row)
    session.flush()
    return row


def _saved(session: Session, who: AnnotatorRow, row: LabelRow) -> Saved:
    value = _current(session, who, row.item_id, row.unit)
    position = session.get_one(ItemRow, row.item_id).position
    undoable, progress = _undoable(session, who), progress_of(session, who)
    return Saved(row.id, position, row.unit, value, undoable, progress)


def _current(session: Session, who: AnnotatorRow, item: int, unit: str) -> str | None:
    query = select(LabelRow.value).filter_by(
        annotator_id=who.id, item_id=item, unit=unit, superseded_at=None
    )
    return session.scalars(query).one_or_none()


def _undoable(session: Session, who: AnnotatorRow) -> int | None:
    latest = session.scalars(_active(who).limit(1)).one_or_none()
    return latest.id if latest else None


def _active(who: AnnotatorRow) -> Any:  # SQLAlchemy 2.0 and 2.1 spell the type differently
    """Return a query for labels that were not undone, latest first."""
    other = aliased(LabelRow)
    return (
        select(LabelRow)
        .where(LabelRow.annotator_id == who.id, LabelRow.undoes.is_(None))
        .where(~exists().where(other.undoes == LabelRow.id))
        .order_by(LabelRow.id.desc())
    )
