"""Results kept under a link that cannot be guessed."""

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select

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


@dataclass(frozen=True, slots=True)
class Listed:
    """A kept result without what is in it, which can be large.

    Attributes:
        link: Its name in the address.
        kind: Which page shows it.
        title: A line that tells what it is; results of the first version have none.
        created_at: In UTC.
    """

    link: str
    kind: str
    title: str
    created_at: datetime


def keep(
    database: Database, kind: str, data: Any, title: str = "", *, now: datetime | None = None
) -> Kept:
    """Keep a result; whoever has the link can see it, and the owner's list shows the title."""
    kept = Kept(secrets.token_urlsafe(16), kind, data, now or datetime.now(UTC))
    with database.writing() as session:
        session.add(
            KeptRow(
                link=kept.link,
                kind=kept.kind,
                data=kept.data,
                title=title,
                created_at=kept.created_at,
            )
        )
    return kept


def list_kept(database: Database, most: int, skip: int = 0) -> list[Listed]:
    """What is kept, the newest first."""
    wanted = (
        select(KeptRow.link, KeptRow.kind, KeptRow.title, KeptRow.created_at)
        .order_by(KeptRow.created_at.desc(), KeptRow.link)
        .offset(skip)
        .limit(most)
    )
    with database.reading() as session:
        return [Listed(*row) for row in session.execute(wanted)]


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
