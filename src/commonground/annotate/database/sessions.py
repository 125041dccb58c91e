"""Browser sessions; secrets of cookies and links are stored as hashes."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal, cast

from sqlalchemy import delete, select

from commonground.annotate.database.engine import Database
from commonground.annotate.database.tables import AnnotatorRow, SessionRow

Role = Literal["owner", "annotator"]
LIFETIMES: Final[dict[Role, timedelta]] = {
    "owner": timedelta(hours=12),
    "annotator": timedelta(days=14),  # their link starts a new session after that
}


@dataclass(frozen=True, slots=True)
class Session:
    """A browser session.

    Attributes:
        id: The hash of the secret; safe to show in logs and job lists.
        role: An owner sees everything, an annotator only their own work in one project.
        annotator: The annotator's id, if any.
        project: The annotator's project, if any.
        csrf: The token that unsafe requests must carry.
        expires_at: In UTC.
    """

    id: str
    role: Role
    annotator: int | None
    project: int | None
    csrf: str
    expires_at: datetime


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


def _session(row: SessionRow, project: int | None) -> Session:
    role = cast(Role, row.role)
    return Session(row.secret_hash, role, row.annotator_id, project, row.csrf, row.expires_at)
