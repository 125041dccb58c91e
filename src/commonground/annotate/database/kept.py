"""Results saved under a link that cannot be guessed."""

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select

from commonground.annotate.database.engine import Database
from commonground.annotate.database.tables import KeptRow


@dataclass(frozen=True, slots=True)
class Kept:
    """A saved result.

    Attributes:
        link: The last part of its address.
        kind: The page that shows it.
        data: What the page needs, as JSON values.
        created_at: In UTC.
    """

    link: str
    kind: str
    data: Any
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Listed:
    """A saved result without its data, which can be large; old results have an empty title."""

    link: str
    kind: str
    title: str
    created_at: datetime


def keep(
    database: Database, kind: str, data: Any, title: str = "", *, now: datetime | None = None
) -> Kept:
    """Save a result; anyone with the link can view it, and the owner's list shows the title."""
    kept = Kept(secrets.token_urlsafe(16), kind, data, now or datetime.now(UTC))
    row = KeptRow(link=kept.link, kind=kind, data=data, title=title, created_at=kept.created_at)
    with database.writing() as session:
        session.add(row)
    return kept


def list_kept(database: Database, most: int, skip: int = 0) -> list[Listed]:
    """Return saved results, newest first."""
    query = (
        select(KeptRow.link, KeptRow.kind, KeptRow.title, KeptRow.created_at)
        .order_by(KeptRow.created_at.desc(), KeptRow.link)
        .offset(skip)
        .limit(most)
    )
    with database.reading() as session:
        return [Listed(*row) for row in session.execute(query)]


def find_kept(database: Database, link: str) -> Kept | None:
    """Return the result of a link, or None."""
    if not _is_valid(link):
        return None
    with database.reading() as session:
        row = session.get(KeptRow, link)
        return Kept(row.link, row.kind, row.data, row.created_at) if row else None


def delete_kept(database: Database, link: str) -> bool:
    """Delete a result, which breaks its link; return whether there was one."""
    if not _is_valid(link):
        return False
    with database.writing() as session:
        row = session.get(KeptRow, link)
        if row is not None:
            session.delete(row)
        return row is not None


def _is_valid(link: str) -> bool:
    """Return whether every database accepts the link as a key."""
    return link.isascii() and "\0" not in link
