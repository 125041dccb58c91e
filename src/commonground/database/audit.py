"""The audit log: who did what, when, to which id; never a text or a title."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import select

from commonground.database.engine import Database
from commonground.database.tables import AuditRow

_SUBJECT_LENGTH: Final = 200
_AT_ONCE: Final = 1000


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """A line of the log."""

    id: int
    at: datetime
    actor: str
    action: str
    subject: str

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self) | {"at": self.at.isoformat()}


def record(
    database: Database, actor: str, action: str, subject: str = "", *, now: datetime | None = None
) -> None:
    """Add a line to the log; it is on disk when this returns."""
    row = AuditRow(
        at=now or datetime.now(UTC), actor=actor, action=action, subject=subject[:_SUBJECT_LENGTH]
    )
    with database.writing() as session:
        session.add(row)


def audit_entries(database: Database, most: int, before: int | None = None) -> list[AuditEntry]:
    """Return lines of the log, newest first; `before` is the id of the last one seen."""
    query = select(AuditRow).order_by(AuditRow.id.desc()).limit(most)
    if before is not None:
        query = query.where(AuditRow.id < before)
    with database.reading() as session:
        return [
            AuditEntry(row.id, row.at, row.actor, row.action, row.subject)
            for row in session.scalars(query)
        ]


def all_audit_entries(database: Database) -> Iterator[AuditEntry]:
    """Yield the whole log, newest first; no transaction is open between parts."""
    before: int | None = None
    while entries := audit_entries(database, _AT_ONCE, before):
        yield from entries
        before = entries[-1].id
