"""Saved results: anyone with the link can view one, and its owner lists and deletes it."""

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select

from commonground.database.access import visible
from commonground.database.engine import Database
from commonground.database.sessions import OWNER, Viewer
from commonground.database.tables import KeptRow


@dataclass(frozen=True, slots=True)
class Kept:
    """A saved result."""

    link: str  # the last part of its address
    kind: str  # the page that shows it
    data: Any  # what the page needs, as JSON values
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Listed:
    """A saved result without its data, which can be large; old results have an empty title."""

    link: str
    kind: str
    title: str
    created_at: datetime
    mine: bool = True  # or shared with the viewer by somebody else


def keep(
    database: Database,
    kind: str,
    data: Any,
    title: str = "",
    *,
    owner: Viewer = OWNER,
    now: datetime | None = None,
) -> Kept:
    """Save a result; anyone with the link can view it, and the owner's list shows the title."""
    kept = Kept(secrets.token_urlsafe(16), kind, data, now or datetime.now(UTC))
    row = KeptRow(
        link=kept.link,
        kind=kind,
        data=data,
        title=title,
        created_at=kept.created_at,
        owner_id=owner.account,
    )
    with database.writing() as session:
        session.add(row)
    return kept


def list_kept(
    database: Database,
    most: int,
    skip: int = 0,
    viewer: Viewer = OWNER,
) -> list[Listed]:
    """Return saved results that are the viewer's or shared with them, newest first."""
    mine = KeptRow.owner_id == viewer.account  # IS NULL, if None
    query = (
        select(KeptRow.link, KeptRow.kind, KeptRow.title, KeptRow.created_at, mine)
        .where(visible(KeptRow, viewer))
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
