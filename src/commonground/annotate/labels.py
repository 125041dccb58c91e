"""Labels: saved before the answer goes out, never changed, only superseded.

An annotator reaches items by their position in the annotator's own project, so there is no way
to name anybody else's.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import exists, select, update
from sqlalchemy.orm import Session, aliased

from commonground.annotate.annotators import Progress, progress_of
from commonground.annotate.checks import ConflictError, NotFoundError
from commonground.annotate.database import Database
from commonground.annotate.database.tables import (
    AnnotatorRow,
    EventRow,
    ItemRow,
    LabelRow,
    ProjectRow,
)
from commonground.annotate.protocols import Unit, checked_value, units_of
from commonground.errors import InputError

# The keys of undoing have a colon, so a page's own can never be taken for one.
_CLIENT_KEY: Final = re.compile(r"[A-Za-z0-9_-]{8,64}")


@dataclass(frozen=True, slots=True)
class Item:
    """What an annotator sees at once, with the labels they gave.

    Attributes:
        position: From 1, in the project's order.
        narratives: Their sources and texts, where the protocol shows them.
        summary: The summary's sentences.
        references: Each reference's sentences, where the protocol shows them.
        units: What there is to label.
        labels: By unit, what holds.
        undoable: The label that undoing would take back, in whatever item it stands.
    """

    position: int
    narratives: tuple[tuple[str, str], ...]
    summary: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    units: tuple[Unit, ...]
    labels: Mapping[str, str]
    undoable: int | None
    progress: Progress


@dataclass(frozen=True, slots=True)
class Saved:
    """What holds after a change, and is on disk.

    Attributes:
        label: The row that was added.
        position: The item.
        unit: What was labelled.
        value: What holds for it now; None: nothing.
        undoable: The label that undoing would take back next.
    """

    label: int
    position: int
    unit: str
    value: str | None
    undoable: int | None
    progress: Progress


def find_item(database: Database, annotator: int, position: int) -> Item:
    """An item as one annotator sees it.

    Raises:
        NotFoundError: The annotator's project has no such item.
    """
    with database.reading() as session:
        who = _annotator(session, annotator)
        item, content, protocol = _item(session, who, position)
        held = session.execute(
            select(LabelRow.unit, LabelRow.value).where(
                LabelRow.annotator_id == who.id,
                LabelRow.item_id == item.id,
                LabelRow.superseded_at.is_(None),
                LabelRow.value.is_not(None),
            )
        )
        return Item(
            position,
            tuple((one["source"], one["text"]) for one in content["narratives"]),
            tuple(item.summary),
            tuple(map(tuple, content["references"])),
            units_of(protocol, item.summary, content["references"]),
            {unit: value for unit, value in held if value is not None},
            _undoable(session, who),
            progress_of(session, who),
        )


def save(
    database: Database,
    annotator: int,
    position: int,
    unit: str,
    value: str,
    client_key: str,
    *,
    now: datetime | None = None,
) -> Saved:
    """Save a label. When this returns, it is on disk.

    Of two saves of one annotator for one unit the later holds, and the earlier stays in the
    history. The same request again, after an answer that got lost, changes nothing.

    Args:
        database: Where.
        annotator: Whose.
        position: Which item.
        unit: Which of its units, by key.
        value: The label.
        client_key: Made up by the page for each save: 8 to 64 letters, digits, `-` or `_`.
        now: For tests.

    Raises:
        NotFoundError: No such item or unit.
        ConflictError: The key has been used for another label.
        InputError: The protocol has no such label.
    """
    if not _CLIENT_KEY.fullmatch(client_key):
        raise InputError("a save needs a key of 8 to 64 letters, digits, - or _")
    with database.writing() as session:
        who = _annotator(session, annotator, locked=True)
        item, content, protocol = _item(session, who, position)
        if unit not in {one.key for one in units_of(protocol, item.summary, content["references"])}:
            raise NotFoundError(f"item {position} has no unit {unit[:40]!r}")
        value = checked_value(protocol, value)
        row = session.scalars(
            select(LabelRow).where(
                LabelRow.annotator_id == who.id, LabelRow.client_key == client_key
            )
        ).one_or_none()
        if row is None:
            row = _add(session, who, item.id, unit, value, client_key, now=now)
        elif (row.item_id, row.unit, row.value) != (item.id, unit, value):
            raise ConflictError("this key has been used for another label")
        return _saved(session, who, row)


def undo(database: Database, annotator: int, label: int, *, now: datetime | None = None) -> Saved:
    """Take back the annotator's last label; what held before it holds again.

    The same request again changes nothing, so that a repeated one does not take back two.

    Raises:
        NotFoundError: The annotator has no such label.
        ConflictError: It is not the last one.
    """
    with database.writing() as session:
        who = _annotator(session, annotator, locked=True)
        row = session.get(LabelRow, label)
        if row is None or row.annotator_id != who.id or row.undoes is not None:
            raise NotFoundError("there is no such label to undo")
        before = session.scalars(select(LabelRow).where(LabelRow.undoes == label)).one_or_none()
        if before is not None:
            return _saved(session, who, before)
        if _undoable(session, who) != label:
            raise ConflictError(
                "a newer label was saved since, perhaps in another tab; load the page again"
            )
        earlier = session.scalars(
            _standing(who)
            .where(LabelRow.item_id == row.item_id, LabelRow.unit == row.unit)
            .where(LabelRow.id < label)
            .limit(1)
        ).one_or_none()
        value = earlier.value if earlier else None
        key = f"undo:{label}"
        done = _add(session, who, row.item_id, row.unit, value, key, undoes=label, now=now)
        return _saved(session, who, done)


def _annotator(session: Session, annotator: int, *, locked: bool = False) -> AnnotatorRow:
    """The annotator; locked, so that tabs of one annotator save one after the other."""
    row = session.get(AnnotatorRow, annotator, with_for_update=locked or None)
    if row is None:
        raise NotFoundError("there is no such annotator")
    return row


def _item(
    session: Session, who: AnnotatorRow, position: int
) -> tuple[ItemRow, dict[str, Any], str]:
    found = session.execute(
        select(ItemRow, EventRow.content, ProjectRow.protocol)
        .join(EventRow, EventRow.id == ItemRow.event_id)
        .join(ProjectRow, ProjectRow.id == ItemRow.project_id)
        .where(ItemRow.project_id == who.project_id, ItemRow.position == position)
    ).one_or_none()
    if found is None:
        raise NotFoundError(f"there is no item {position}")
    return found[0], found[1], found[2]


def _add(
    session: Session,
    who: AnnotatorRow,
    item: int,
    unit: str,
    value: str | None,
    client_key: str,
    *,
    undoes: int | None = None,
    now: datetime | None = None,
) -> LabelRow:
    now = now or datetime.now(UTC)
    session.execute(
        update(LabelRow)
        .where(LabelRow.annotator_id == who.id, LabelRow.item_id == item, LabelRow.unit == unit)
        .where(LabelRow.superseded_at.is_(None))
        .values(superseded_at=now)
    )
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
    holds = session.scalars(
        select(LabelRow.value).where(
            LabelRow.annotator_id == who.id,
            LabelRow.item_id == row.item_id,
            LabelRow.unit == row.unit,
            LabelRow.superseded_at.is_(None),
        )
    ).one()
    position = session.scalars(select(ItemRow.position).where(ItemRow.id == row.item_id)).one()
    undoable, progress = _undoable(session, who), progress_of(session, who)
    return Saved(row.id, position, row.unit, holds, undoable, progress)


def _undoable(session: Session, who: AnnotatorRow) -> int | None:
    last = session.scalars(_standing(who).limit(1)).one_or_none()
    return last.id if last else None


def _standing(who: AnnotatorRow) -> Any:  # SQLAlchemy 2.0 and 2.1 spell the type differently
    """Labels that were given and not taken back, the last first."""
    other = aliased(LabelRow)
    return (
        select(LabelRow)
        .where(LabelRow.annotator_id == who.id, LabelRow.undoes.is_(None))
        .where(~exists().where(other.undoes == LabelRow.id))
        .order_by(LabelRow.id.desc())
    )
