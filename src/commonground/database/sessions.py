"""Browser sessions, by the hash of a secret that only the browser's cookie holds."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal, NamedTuple

from sqlalchemy import delete, select

from commonground.database.engine import Database
from commonground.database.tables import AccountRow, AnnotatorRow, SessionRow

Role = Literal["owner", "administrator", "member", "annotator"]
LIFETIMES: Final[dict[Role, timedelta]] = {
    "owner": timedelta(hours=12),
    "administrator": timedelta(hours=12),
    "member": timedelta(hours=12),
    "annotator": timedelta(days=14),  # their link starts a new session after that
}
_AGENT_LENGTH: Final = 200


class Viewer(NamedTuple):
    """Whose projects and results are meant: an account's, or (None) the server's owner's."""

    account: int | None = None


OWNER: Final = Viewer(None)
"""The server's owner, who has no account."""


@dataclass(frozen=True, slots=True)
class Session:
    """A browser session.

    The `owner` came in by the server's token or password and has no account; people with an
    account are `administrator` or `member`; an `annotator` only labels, in one project.
    """

    id: str  # the hash of the secret; safe to show in logs and job lists
    role: Role
    annotator: int | None
    project: int | None  # the annotator's
    csrf: str  # the token that unsafe requests must carry
    expires_at: datetime
    account: int | None = None
    name: str = ""  # of the account
    agent: str = ""  # the browser
    started_at: datetime | None = None

    @property
    def is_user(self) -> bool:
        """Whether it may use all pages, with projects and results of its own."""
        return self.role != "annotator"

    @property
    def is_annotator(self) -> bool:
        """Whether it may only label."""
        return self.role == "annotator"

    @property
    def is_administrator(self) -> bool:
        """Whether it may invite people and see the audit log."""
        return self.role in ("owner", "administrator")

    @property
    def viewer(self) -> Viewer:
        """Whose projects and results it works with."""
        return Viewer(self.account)

    @property
    def actor(self) -> str:
        """Who this is, for the audit log."""
        return f"annotator {self.annotator}" if self.is_annotator else self.name or self.role


def new_secret() -> str:
    """Return 256 random bits for a link or a cookie."""
    return secrets.token_urlsafe(32)


def hashed(secret: str) -> str:
    """Return the hash to store; the secret is long and random, so a fast hash is safe."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def start_session(
    database: Database,
    role: Role,
    annotator: int | None = None,
    *,
    account: int | None = None,
    mark: str = "",
    agent: str = "",
    lifetime: timedelta | None = None,
    now: datetime | None = None,
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
            account_id=account,
            csrf=new_secret(),
            mark=mark,
            agent="".join(filter(str.isprintable, agent))[:_AGENT_LENGTH],
            started_at=now,
            expires_at=now + (lifetime or LIFETIMES[role]),
        )
        session.add(row)
        session.flush()
        found = session.execute(_query().where(SessionRow.secret_hash == row.secret_hash)).one()
        return secret, _session(*found)


def find_session(
    database: Database, secret: str, *, mark: str = "", now: datetime | None = None
) -> Session | None:
    """Return the session of a cookie, or None if it is unknown, expired or of a disabled account.

    `mark` identifies the server's token or password; an owner's session must have the same.
    """
    query = _query().where(
        SessionRow.secret_hash == hashed(secret),
        SessionRow.expires_at > (now or datetime.now(UTC)),
        AccountRow.disabled_at.is_(None),
    )
    with database.reading() as session:
        result = session.execute(query).one_or_none()
    if result is None or (result[0].role == "owner" and result[0].mark != mark):
        return None
    return _session(*result)


def list_sessions(
    database: Database,
    viewer: Viewer | None = None,
    *,
    mark: str = "",
    now: datetime | None = None,
) -> list[Session]:
    """Return the sessions of users, newest first: of one viewer, or (None) of everybody.

    Sessions of an owner without this `mark` admit nobody any more and are left out.
    """
    query = (
        _query()
        .where(SessionRow.annotator_id.is_(None))
        .where((SessionRow.role != "owner") | (SessionRow.mark == mark))
        .where(SessionRow.expires_at > (now or datetime.now(UTC)))
        .order_by(SessionRow.expires_at.desc(), SessionRow.secret_hash)
    )
    if viewer is not None:
        query = query.where(SessionRow.account_id == viewer.account)
    with database.reading() as session:
        return [_session(*row) for row in session.execute(query)]


def end_session(database: Database, secret: str) -> None:
    """Log out."""
    end_session_by_id(database, hashed(secret))


def end_session_by_id(database: Database, session_id: str) -> None:
    """End a session, perhaps of another browser."""
    with database.writing() as session:
        session.execute(delete(SessionRow).where(SessionRow.secret_hash == session_id))


def end_sessions(database: Database, viewer: Viewer, *, but: str = "") -> None:
    """End all sessions of a viewer except the one with the id `but`."""
    theirs = delete(SessionRow).where(
        SessionRow.account_id == viewer.account,
        SessionRow.annotator_id.is_(None),
        SessionRow.secret_hash != but,
    )
    with database.writing() as session:
        session.execute(theirs)


def _query() -> Any:  # SQLAlchemy 2.0 and 2.1 spell the type differently
    return (
        select(SessionRow, AnnotatorRow.project_id, AccountRow)
        .outerjoin(AnnotatorRow, AnnotatorRow.id == SessionRow.annotator_id)
        .outerjoin(AccountRow, AccountRow.id == SessionRow.account_id)
    )


def _session(row: SessionRow, project: int | None, account: AccountRow | None) -> Session:
    role: Any = account.role if account else row.role  # a changed role counts at once
    return Session(
        row.secret_hash,
        role,
        row.annotator_id,
        project,
        row.csrf,
        row.expires_at,
        row.account_id,
        account.name if account else "",
        row.agent,
        row.started_at,
    )
