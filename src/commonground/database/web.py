"""What the pages store besides projects: browser sessions and saved results.

Secrets of cookies and invitation links are stored as hashes.
"""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal, cast

from sqlalchemy import delete, select

from commonground.database.engine import Database
from commonground.database.tables import AnnotatorRow, KeptRow, SessionRow

Role = Literal["owner", "annotator"]
LIFETIMES: Final[dict[Role, timedelta]] = {
    "owner": timedelta(hours=12),
    "annotator": timedelta(days=14),  # their link starts a new session after that
}


@dataclass(frozen=True, slots=True)
class Session:
    """A browser session: an owner sees everything, an annotator only their own work."""

    id: str  # the hash of the secret; safe to show in logs and job lists
    role: Role
    annotator: int | None
    project: int | None
    csrf: str  # the token that unsafe requests must carry
    expires_at: datetime


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


def new_secret() -> str:
    """Return 256 random bits for a link or a cookie."""
    return secrets.token_urlsafe(32)


def hashed(secret: str) -> str:
    """Return the hash to store; the secret is long and random, so a fast hash is safe."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def start_session(
    database: Database, role: Role, annotator: int | None = None, *, now: datetime | None = None
) -> tuple[str, Session]:
    """Start a session and delete expired ones.

    Returns:
        The secret for the cookie, which is not stored, and the session.
    """
    now = now or datetime.now(UTC)
    secret = new_secret()
    with database.writing() as session:
        session.execute(delete(SessionRow).where(SessionRow.expires_at <= now))
        row = SessionRow(
            secret_hash=hashed(secret),
            role=role,
            annotator_id=annotator,
            csrf=new_secret(),
            expires_at=now + LIFETIMES[role],
        )
        session.add(row)
        project = None
        if annotator is not None:
            project = session.get_one(AnnotatorRow, annotator).project_id
    return secret, _session(row, project)


def find_session(database: Database, secret: str, *, now: datetime | None = None) -> Session | None:
    """Return the session of a cookie, or None if it is unknown or expired."""
    query = (
        select(SessionRow, AnnotatorRow.project_id)
        .outerjoin(AnnotatorRow, AnnotatorRow.id == SessionRow.annotator_id)
        .where(SessionRow.secret_hash == hashed(secret))
        .where(SessionRow.expires_at > (now or datetime.now(UTC)))
    )
    with database.reading() as session:
        result = session.execute(query).one_or_none()
    return _session(*result) if result else None


def end_session(database: Database, secret: str) -> None:
    """Log out."""
    with database.writing() as session:
        session.execute(delete(SessionRow).where(SessionRow.secret_hash == hashed(secret)))


def end_all_sessions(database: Database, role: Role) -> None:
    """Log out everyone with this role, as after a change of password."""
    with database.writing() as session:
        session.execute(delete(SessionRow).where(SessionRow.role == role))


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


def _session(row: SessionRow, project: int | None) -> Session:
    role = cast(Role, row.role)
    return Session(row.secret_hash, role, row.annotator_id, project, row.csrf, row.expires_at)


def _is_valid(link: str) -> bool:
    """Return whether every database accepts the link as a key."""
    return link.isascii() and "\0" not in link
