"""Results kept under a link that cannot be guessed."""

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from commonground.annotate.database.engine import Database
from commonground.annotate.database.tables import KeptRow


@dataclass(frozen=True, slots=True)
class Kept:
    """A kept result.

    Attributes:
        link: Its name in the address.
        kind: Which page shows it.
        data: What the page needs, as JSON holds it.
        created_at: In UTC.
    """

    link: str
    kind: str
    data: Any
    created_at: datetime


def keep(database: Database, kind: str, data: Any, *, now: datetime | None = None) -> Kept:
    """Keep a result; whoever has the link can see it."""
    kept = Kept(secrets.token_urlsafe(16), kind, data, now or datetime.now(UTC))
    with database.writing() as session:
        session.add(
            KeptRow(link=kept.link, kind=kept.kind, data=kept.data, created_at=kept.created_at)
        )
    return kept


def find_kept(database: Database, link: str) -> Kept | None:
    """The result of a link, or None."""
    if not _may_be(link):
        return None
    with database.reading() as session:
        row = session.get(KeptRow, link)
        return Kept(row.link, row.kind, row.data, row.created_at) if row else None


def delete_kept(database: Database, link: str) -> bool:
    """Take a result away, so that its link leads nowhere; whether there was one."""
    if not _may_be(link):
        return False
    with database.writing() as session:
        row = session.get(KeptRow, link)
        if row is not None:
            session.delete(row)
        return row is not None


def _may_be(link: str) -> bool:
    """Whether every database can be asked for it."""
    return link.isascii() and "\0" not in link
