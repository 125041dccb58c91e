"""Remarks: an annotator flags a unit for the owner, or comments on it."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from commonground.annotate.annotators import annotator_row
from commonground.annotate.protocols import ConflictError, NotFoundError, checked_text
from commonground.annotate.quotas import count_save
from commonground.annotate.units import find_units
from commonground.database import Database
from commonground.database.tables import AnnotatorRow, RemarkRow
from commonground.errors import InputError

COMMENT_LENGTH: Final = 2_000


@dataclass(frozen=True, slots=True)
class Remark:
    """What an annotator says about a unit beside its label."""

    unit: str
    flagged: bool
    comment: str  # may be empty


def save_remark(
    database: Database,
    annotator: int,
    position: int,
    unit: str,
    *,
    flagged: bool,
    comment: str,
    over: tuple[bool, str] | None = None,
) -> Remark:
    """Save the remark on a unit in place of an earlier one; it is on disk when this returns.

    With `over`, the unit must still have this flag and comment: a remark that waited somewhere must
    not replace a newer one.

    Raises:
        NotFoundError: The item or unit does not exist.
        ConflictError: The unit has a newer remark.
        InputError: The comment is too long or not a text.
        QuotaError: The annotator has saved too often or too much.
    """
    comment = checked_text(comment, "the comment")
    if len(comment) > COMMENT_LENGTH:
        raise InputError(f"the comment is longer than {COMMENT_LENGTH:,} characters")
    with database.writing() as session:
        who = annotator_row(session, annotator, locked=True)
        item, units, _ = find_units(session, who.project_id, position)
        if unit not in units:
            raise NotFoundError(f"item {position} has no unit {unit[:40]!r}")
        query = select(RemarkRow).filter_by(item_id=item.id, annotator_id=who.id, unit=unit)
        row = session.scalars(query).one_or_none()
        before = (row.flagged, row.comment) if row else (False, "")
        if over is not None and before not in (over, (flagged, comment)):
            raise ConflictError("the question has a newer comment or flag")
        if before != (flagged, comment):
            count_save(session, who, len(comment))
        if row is None:
            row = RemarkRow(item_id=item.id, annotator_id=who.id, unit=unit)
            session.add(row)
        row.flagged, row.comment, row.saved_at = flagged, comment, datetime.now(UTC)
        return Remark(unit, flagged, comment)


def remarks_of(session: Session, who: AnnotatorRow, item: int) -> dict[str, Remark]:
    """Return the remarks of an annotator on an item, by unit."""
    rows = session.scalars(select(RemarkRow).filter_by(item_id=item, annotator_id=who.id))
    return {row.unit: Remark(row.unit, row.flagged, row.comment) for row in rows}
