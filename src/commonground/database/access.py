"""Who may see what: the viewer's own projects and results, and those shared with them.

Every query for a viewer filters by `visible`; the gate asks `access_to`.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, and_, delete, or_, select

from commonground.database.engine import Database
from commonground.database.sessions import Viewer
from commonground.database.tables import AccountRow, ProjectRow, SavedRow, ShareRow

Access = Literal["owner", "member"]
"""An owner may also delete and share."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A project or a saved result, by its id or link."""

    project: int | None = None
    saved: str | None = None


@dataclass(frozen=True, slots=True)
class Share:
    """With whom something is shared; an account of None is everyone."""

    account: int | None
    name: str


def visible(table: type[ProjectRow] | type[SavedRow], viewer: Viewer) -> ColumnElement[bool]:
    """Return the condition that a row is the viewer's or shared with them."""
    shared: Any = select(ShareRow.project_id if table is ProjectRow else ShareRow.kept_link)
    key: Any = ProjectRow.id if table is ProjectRow else SavedRow.link
    return or_(
        table.owner_id == viewer.account,
        key.in_(shared.where(_for(viewer))),
    )


def is_current(now: datetime | None = None) -> ColumnElement[bool]:
    """Return the condition that a saved result has not expired."""
    return or_(SavedRow.expires_at.is_(None), SavedRow.expires_at > (now or datetime.now(UTC)))


def access_to(database: Database, viewer: Viewer, thing: Thing) -> Access | None:
    """Return what a viewer may do with something; None: nothing, or it does not exist."""
    table, condition = _row_of(thing)
    query = select(table.owner_id).where(condition, visible(table, viewer))
    with database.reading() as session:
        found = session.execute(query).one_or_none()
    if found is None:
        return None
    return "owner" if found[0] == viewer.account else "member"


def is_public(database: Database, link: str) -> bool:
    """Return False only for the link of a saved result that is for chosen people."""
    condition = and_(SavedRow.link == link, is_current(), SavedRow.public.is_(False))
    with database.reading() as session:
        return session.scalars(select(SavedRow.link).where(condition)).first() is None


def share(database: Database, thing: Thing, account: int | None) -> None:
    """Share something with an account, or (None) with everyone; once is enough."""
    with database.writing() as session:
        session.execute(_shares_of(thing, account))
        row = ShareRow(project_id=thing.project, kept_link=thing.saved, account_id=account)
        session.add(row)


def unshare(database: Database, thing: Thing, account: int | None) -> None:
    """Stop sharing something with an account, or with everyone."""
    with database.writing() as session:
        session.execute(_shares_of(thing, account))


def shares_of(database: Database, thing: Thing) -> list[Share]:
    """Return with whom something is shared, everyone first."""
    query = (
        select(ShareRow.account_id, AccountRow.name)
        .outerjoin(AccountRow, AccountRow.id == ShareRow.account_id)
        .where(_is(thing))
        .order_by(ShareRow.account_id.is_not(None), AccountRow.name)
    )
    with database.reading() as session:
        return [Share(account, name or "") for account, name in session.execute(query)]


def _for(viewer: Viewer) -> ColumnElement[bool]:
    everyone = ShareRow.account_id.is_(None)
    return (
        everyone if viewer.account is None else everyone | (ShareRow.account_id == viewer.account)
    )


def _is(thing: Thing) -> ColumnElement[bool]:
    if thing.project is not None:
        return ShareRow.project_id == thing.project
    return ShareRow.kept_link == thing.saved


def _shares_of(thing: Thing, account: int | None) -> Any:
    same = ShareRow.account_id == account  # IS NULL, if None
    return delete(ShareRow).where(_is(thing), same)


def _row_of(thing: Thing) -> tuple[type[ProjectRow] | type[SavedRow], ColumnElement[bool]]:
    if thing.project is not None:
        return ProjectRow, ProjectRow.id == thing.project
    return SavedRow, and_(SavedRow.link == thing.saved, is_current())
