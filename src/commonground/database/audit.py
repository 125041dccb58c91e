"""The audit log: who did what, when, to which id; never a text or the title of a result.

Rows have the ids of accounts, which never change; readers also get the names. Projects can be
deleted, so a row has the title that its project had then.
"""

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session as OrmSession

from commonground.database.engine import Database
from commonground.database.tables import AccountRow, AuditRow, ProjectRow

_SUBJECT_LENGTH: Final = 200
_AT_ONCE: Final = 1000
_ACCOUNT: Final = re.compile(r"\baccount (\d{1,9})$")
_PROJECT: Final = re.compile(r"^project (\d{1,9})\b(/?)")


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """A line of the log, with the name of the account and the title of the project in its subject.

    Both are empty if the subject has none; the title also if the line is older than titles.
    """

    id: int
    at: datetime
    actor: str
    action: str
    subject: str
    account: str = ""
    project: str = ""

    @property
    def about(self) -> str:
        """The subject with the title of the project, and with the name of the account, not its id.

        Example:
            >>> line = AuditEntry(1, datetime.now(UTC), "bo", "login refused", "account 2")
            >>> line.about, replace(line, account="ada").about
            ('account 2', 'ada')
            >>> replace(line, subject="project 7/labels.csv", project="Storms").about
            'project 7 “Storms”, labels.csv'
        """
        about = _ACCOUNT.sub(lambda found: self.account or found[0], self.subject)
        if not self.project:
            return about
        return _PROJECT.sub(
            lambda found: f"project {found[1]} “{self.project}”{', ' if found[2] else ''}",
            about,
            count=1,
        )

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
        row.project = _title(session, subject)
        session.add(row)


def audit_entries(database: Database, most: int, before: int | None = None) -> list[AuditEntry]:
    """Return lines of the log, newest first; `before` is the id of the last one seen."""
    query = select(AuditRow).order_by(AuditRow.id.desc()).limit(most)
    if before is not None:
        query = query.where(AuditRow.id < before)
    with database.reading() as session:
        entries = [
            AuditEntry(row.id, row.at, row.actor, row.action, row.subject, project=row.project)
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


def _title(session: OrmSession, subject: str) -> str:
    """Return the title of the project in a subject, also of one that is being deleted."""
    found = _PROJECT.match(subject)
    title = select(ProjectRow.name).filter_by(id=int(found[1])) if found else None
    return "" if title is None else session.scalar(title) or ""
