"""Adjudication: the final label of a unit, with a note and the name of who decided."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from commonground.annotate.projects import project_row
from commonground.annotate.protocols import NotFoundError, checked_text, checked_value
from commonground.annotate.units import find_units
from commonground.database import Database
from commonground.database.tables import DecisionRow, ItemRow
from commonground.errors import InputError

_NOTE_LENGTH: Final = 2_000


@dataclass(frozen=True, slots=True)
class Decision:
    """A final label."""

    value: str
    note: str
    by: str
    decided_at: datetime


def decide(
    database: Database, project: int, position: int, unit: str, value: str, *, note: str, by: str
) -> Decision:
    """Decide a unit of an item, in place of an earlier decision.

    Raises:
        NotFoundError: The item or unit does not exist.
        InputError: The protocol does not allow this label, or the note is too long.
    """
    note = checked_text(note, "the note")
    if len(note) > _NOTE_LENGTH:
        raise InputError(f"the note is longer than {_NOTE_LENGTH:,} characters")
    with database.writing() as session:
        value = checked_value(project_row(session, project).protocol, value)
        # The lock makes two people decide one after the other.
        item = _locked_item(session, project, position, unit)
        row = session.scalars(select(DecisionRow).filter_by(item_id=item, unit=unit)).first()
        if row is None:
            row = DecisionRow(item_id=item, unit=unit)
            session.add(row)
        row.value, row.note, row.decided_by = value, note, by
        row.decided_at = datetime.now(UTC)
        return decision_of(row)


def withdraw(database: Database, project: int, position: int, unit: str) -> None:
    """Take back the decision on a unit; without one, nothing happens."""
    with database.writing() as session:
        item = _locked_item(session, project, position, unit)
        session.execute(delete(DecisionRow).filter_by(item_id=item, unit=unit))


def decision_of(row: DecisionRow) -> Decision:
    """Return the decision of a row."""
    return Decision(row.value, row.note, row.decided_by, row.decided_at)


def _locked_item(session: Session, project: int, position: int, unit: str) -> int:
    item, units, _ = find_units(session, project, position)
    if unit not in units:
        raise NotFoundError(f"item {position} has no unit {unit[:40]!r}")
    session.execute(select(ItemRow.id).filter_by(id=item.id).with_for_update())
    return item.id
