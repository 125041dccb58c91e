"""Saved results: each has a link, for anyone or for chosen people, and an owner who may change it.

An expired result is like a deleted one: it is neither found nor listed, and the next save removes
it.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import delete, select

from commonground.database.access import is_current, visible
from commonground.database.engine import Database
from commonground.database.sessions import OWNER, Viewer
from commonground.database.tables import AccountRow, SavedRow


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved result."""

    link: str  # the last part of its address
    kind: str  # the page that shows it
    data: Any  # what the page needs, as JSON values
    created_at: datetime
    title: str = ""
    expires_at: datetime | None = None  # None: never
    owner: str | None = None  # the name of their account; None: the server's owner
    public: bool = True  # or the link is for those with whom it is shared


@dataclass(frozen=True, slots=True)
class Listed:
    """A saved result without its data, which can be large; old results have an empty title."""

    link: str
    kind: str
    title: str
    created_at: datetime
    expires_at: datetime | None = None
    mine: bool = True  # or shared with the viewer by somebody else
    owner: str | None = None  # the name of their account; None: the server's owner
    public: bool = True  # or the link is for those with whom it is shared


def save_result(
    database: Database,
    kind: str,
    data: Any,
    title: str = "",
    *,
    owner: Viewer = OWNER,
    expires_at: datetime | None = None,
    public: bool = True,
    now: datetime | None = None,
) -> Saved:
    """Save a result, and remove expired ones; the owner's list shows the title."""
    now = now or datetime.now(UTC)
    saved = Saved(secrets.token_urlsafe(16), kind, data, now, title, expires_at, public=public)
    row = SavedRow(
        link=saved.link,
        kind=kind,
        data=data,
        title=title,
        created_at=now,
        owner_id=owner.account,
        expires_at=expires_at,
        public=public,
    )
    with database.writing() as session:
        session.execute(delete(SavedRow).where(SavedRow.expires_at <= now))
        session.add(row)
    return saved


def list_saved(
    database: Database,
    most: int,
    skip: int = 0,
    viewer: Viewer = OWNER,
    *,
    words: str = "",
    kind: str = "",
    now: datetime | None = None,
) -> list[Listed]:
    """Return saved results that are the viewer's or shared with them, newest first.

    With `words`, all of them are in the title, in any case and order; with `kind`, results of this
    page only.
    """
    mine = SavedRow.owner_id.is_not_distinct_from(viewer.account)
    columns = (SavedRow.link, SavedRow.kind, SavedRow.title, SavedRow.created_at)
    query = (
        select(*columns, SavedRow.expires_at, mine, AccountRow.name, SavedRow.public)
        .outerjoin(AccountRow, AccountRow.id == SavedRow.owner_id)
        .where(visible(SavedRow, viewer), is_current(now))
        .order_by(SavedRow.created_at.desc(), SavedRow.link)
    )
    if kind:
        query = query.where(SavedRow.kind == kind)
    wanted = words.casefold().split()
    if not wanted:
        query = query.offset(skip).limit(most)
    with database.reading() as session:
        rows = [Listed(*row) for row in session.execute(query)]
    if not wanted:
        return rows
    # Searched here: titles are JSON, and databases fold the case of ASCII letters only.
    return [row for row in rows if _has(row.title, wanted)][skip : skip + most]


def find_saved(database: Database, link: str, *, now: datetime | None = None) -> Saved | None:
    """Return the result of a link, or None if it is unknown, deleted or expired."""
    if not _is_valid(link):
        return None
    query = (
        select(SavedRow, AccountRow.name)
        .outerjoin(AccountRow, AccountRow.id == SavedRow.owner_id)
        .where(SavedRow.link == link, is_current(now))
    )
    with database.reading() as session:
        found = session.execute(query).one_or_none()
        if found is None:
            return None
        row, owner = found
        made, ends = row.created_at, row.expires_at
        return Saved(row.link, row.kind, row.data, made, row.title, ends, owner, row.public)


def change_saved(database: Database, link: str, **values: Any) -> bool:
    """Change `title`, `expires_at` or `public` of a result; return whether there is one."""
    if not _is_valid(link):
        return False
    query = select(SavedRow).where(SavedRow.link == link, is_current(None))
    with database.writing() as session:
        row = session.scalars(query).one_or_none()
        if row is not None:
            for name in ("title", "expires_at", "public"):
                setattr(row, name, values.get(name, getattr(row, name)))
        return row is not None


def delete_saved(database: Database, link: str) -> bool:
    """Delete a result, which breaks its link; return whether there was one."""
    if not _is_valid(link):
        return False
    with database.writing() as session:
        row = session.get(SavedRow, link)
        if row is not None:
            session.delete(row)
        return row is not None


def _has(title: str, wanted: Sequence[str]) -> bool:
    folded = title.casefold()
    return all(word in folded for word in wanted)


def _is_valid(link: str) -> bool:
    """Return whether every database accepts the link as a key."""
    return link.isascii() and "\0" not in link
