"""Sessions of browsers: who is there, until when. The cookie's secret is stored hashed."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal, cast

from sqlalchemy import delete, select

from commonground.annotate.database.engine import Database
from commonground.annotate.database.tables import AnnotatorRow, SessionRow
from commonground.annotate.database.tokens import hashed, new_secret

Role = Literal["owner", "annotator"]
LIFETIMES: Final[dict[Role, timedelta]] = {
    "owner": timedelta(hours=12),
    # People come back on another day; the link brings them in again after that.
    "annotator": timedelta(days=14),
}


@dataclass(frozen=True, slots=True)
class Session:
    """Who a browser is.

    Attributes:
        id: Names the session in logs and job lists; the cookie cannot be made from it.
        role: The owner sees all; an annotator one project's items and the labels of their own.
        annotator: For an annotator, which one.
        project: For an annotator, the project.
        csrf: What unsafe requests must carry.
        expires_at: In UTC.
    """

    id: str
    role: Role
    annotator: int | None
    project: int | None
    csrf: str
    expires_at: datetime


def start_session(
    database: Database, role: Role, annotator: int | None = None, *, now: datetime | None = None
) -> tuple[str, Session]:
    """Start a session; the secret for the cookie is returned and stored nowhere.

    Sessions that are over are swept away on the occasion.
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
            project = session.scalars(
                select(AnnotatorRow.project_id).where(AnnotatorRow.id == annotator)
            ).one()
    return secret, _session(row, project)


def find_session(database: Database, secret: str, *, now: datetime | None = None) -> Session | None:
    """The session of a cookie, or None where it is unknown or over."""
    wanted = (
        select(SessionRow, AnnotatorRow.project_id)
        .outerjoin(AnnotatorRow, AnnotatorRow.id == SessionRow.annotator_id)
        .where(SessionRow.secret_hash == hashed(secret))
        .where(SessionRow.expires_at > (now or datetime.now(UTC)))
    )
    with database.reading() as session:
        found = session.execute(wanted).one_or_none()
    return _session(*found) if found else None


def end_session(database: Database, secret: str) -> None:
    """Log out."""
    with database.writing() as session:
        session.execute(delete(SessionRow).where(SessionRow.secret_hash == hashed(secret)))


def end_all_sessions(database: Database, role: Role) -> None:
    """Log out everybody of a role, as when the password has changed."""
    with database.writing() as session:
        session.execute(delete(SessionRow).where(SessionRow.role == role))


def _session(row: SessionRow, project: int | None) -> Session:
    role = cast(Role, row.role)
    return Session(row.secret_hash, role, row.annotator_id, project, row.csrf, row.expires_at)
