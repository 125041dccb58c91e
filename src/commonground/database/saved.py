"""Saved results: anyone with the link can view one, and its owner lists and deletes it."""

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select

from commonground.database.access import visible
from commonground.database.engine import Database
from commonground.database.sessions import OWNER, Viewer
from commonground.database.tables import SavedRow


@dataclass(frozen=True, slots=True)
class Saved:
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


def save_result(
    database: Database,
    kind: str,
    data: Any,
    title: str = "",
    *,
    owner: Viewer = OWNER,
    now: datetime | None = None,
) -> Saved:
    """Save a result; anyone with the link can view it, and the owner's list shows the title."""
    saved = Saved(secrets.token_urlsafe(16), kind, data, now or datetime.now(UTC))
    row = SavedRow(
        link=saved.link,
        kind=kind,
        data=data,
        title=title,
        created_at=saved.created_at,
        owner_id=owner.account,
    )
    with database.writing() as session:
        session.add(row)
    return saved


def list_saved(
    database: Database,
    most: int,
    skip: int = 0,
    viewer: Viewer = OWNER,
) -> list[Listed]:
    """Return saved results that are the viewer's or shared with them, newest first."""
    mine = SavedRow.owner_id == viewer.account  # IS NULL, if None
    query = (
        select(SavedRow.link, SavedRow.kind, SavedRow.title, SavedRow.created_at, mine)
        .where(visible(SavedRow, viewer))
        .order_by(SavedRow.created_at.desc(), SavedRow.link)
        .offset(skip)
        .limit(most)
    )
    with database.reading() as session:
        return [Listed(*row) for row in session.execute(query)]


def find_saved(database: Database, link: str) -> Saved | None:
    """Return the result of a link, or None."""
    if not _is_valid(link):
        return None
    with database.reading() as session:
        row = session.get(SavedRow, link)
        return Saved(row.link, row.kind, row.data, row.created_at) if row else None


def delete_saved(database: Database, link: str) -> bool:
    """Delete a result, which breaks its link; return whether there was one."""
    if not _is_valid(link):
        return False
    with database.writing() as session:
        row = session.get(SavedRow, link)
        if row is not None:
            session.delete(row)
        return row is not None


def _is_valid(link: str) -> bool:
    """Return whether every database accepts the link as a key."""
    return link.isascii() and "\0" not in link
