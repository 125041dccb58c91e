"""The audit log: who did what, when, to which id; never a text or a title.

Rows have the ids of accounts, which never change; readers also get the names.
"""

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session as OrmSession

from commonground.database.engine import Database
from commonground.database.tables import AccountRow, AuditRow

_SUBJECT_LENGTH: Final = 200
_AT_ONCE: Final = 1000
_ACCOUNT: Final = re.compile(r"\baccount (\d{1,9})$")


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """A line of the log; `account` is the name of the account in the subject, if there is one."""

    id: int
    at: datetime
    actor: str
    action: str
    subject: str
    account: str = ""

    @property
    def about(self) -> str:
        """The subject, with the name of the account instead of its id.

        Example:
            >>> line = AuditEntry(1, datetime.now(UTC), "bo", "login refused", "account 2")
            >>> line.about, replace(line, account="ada").about
            ('account 2', 'ada')
        """
        return _ACCOUNT.sub(lambda found: self.account or found[0], self.subject)

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
        entries = [
            AuditEntry(row.id, row.at, row.actor, row.action, row.subject)
            for row in session.scalars(query)
        ]
        names = _names(session, {_account_id(one) for one in entries} - {None})
    return [replace(one, account=names.get(_account_id(one), "")) for one in entries]


def all_audit_entries(database: Database) -> Iterator[AuditEntry]:
    """Yield the whole log, newest first; no transaction is open between parts."""
    before: int | None = None
    while entries := audit_entries(database, _AT_ONCE, before):
        yield from entries
        before = entries[-1].id


def _account_id(entry: AuditEntry) -> int | None:
    found = _ACCOUNT.search(entry.subject)
    return int(found[1]) if found else None


def _names(session: OrmSession, ids: set[int | None]) -> dict[int | None, str]:
    query = select(AccountRow.id, AccountRow.name).where(AccountRow.id.in_(ids))
    return {row.id: row.name for row in session.execute(query)}
