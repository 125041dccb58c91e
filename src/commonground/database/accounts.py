"""Accounts: people with a name, a role, and a password or an id at an OpenID provider.

A person is invited by a link that works once and expires; so is a password reset. Only the hash
of a link is stored. Accounts are disabled, never deleted.
"""

import re
import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal, cast, get_args

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.orm import Session as OrmSession

from commonground.database.engine import Database
from commonground.database.sessions import Viewer, hashed, new_secret
from commonground.database.tables import AccountRow, ProjectRow, SavedRow, SessionRow
from commonground.errors import InputError, unknown_name

AccountRole = Literal["administrator", "member"]
LINK_LIFETIME: Final = timedelta(days=7)
_LONGEST_NAME: Final = 100
_MADE_UP: Final = "admin{}"  # with a number if it is taken
# Roles, and words that stand for nobody in the audit log and in exported decisions.
_RESERVED: Final = (
    *("annotator", "administrator", "everyone", "member", "owner"),
    *("nobody", "agreement", "adjudicated"),
)


@dataclass(frozen=True, slots=True)
class Account:
    """A person; `link_expires_at` is set while an invitation or reset link is open."""

    id: int
    name: str
    role: AccountRole
    state: Literal["invited", "active", "disabled"]
    created_at: datetime
    link_expires_at: datetime | None = None
    by_provider: bool = False  # logs in at the OpenID provider

    @property
    def viewer(self) -> Viewer:
        """Whose projects and results are theirs."""
        return Viewer(self.id)


def login_name(name: str) -> str:
    """Return a name as it is compared: spellings that look the same are the same."""
    return unicodedata.normalize("NFKC", name).strip().casefold()


def checked_account_name(name: str) -> str:
    """Return a name as stored, in lower case; raise InputError if it is invalid."""
    name = login_name(name)
    if not 2 <= len(name) <= _LONGEST_NAME:
        raise InputError(f"a name must have 2 to {_LONGEST_NAME} characters")
    if not name.isprintable() or " " in name:
        raise InputError("a name cannot have spaces; use a login name or an e-mail address")
    if name in _RESERVED:
        raise InputError(f"the name {name!r} is reserved")
    return name


def add_account(
    database: Database, name: str, role: AccountRole, *, now: datetime | None = None
) -> tuple[str, Account]:
    """Add a person; return the token of the invitation link, and the account.

    Raises:
        InputError: The name is taken or not valid, or there is no such role.
    """
    name, now = checked_account_name(name), now or datetime.now(UTC)
    _check_role(role)
    with database.writing() as session:
        _check_free(session, name)
        row = AccountRow(name=name, role=role, created_at=now)
        session.add(row)
        token = _open_link(row, now)
        session.flush()
        return token, _account(row)


def new_link(database: Database, account: int, *, now: datetime | None = None) -> str:
    """Return the token of a link that sets a new password; an earlier link ends."""
    with database.writing() as session:
        return _open_link(_row(session, account), now or datetime.now(UTC))


def account_of_link(
    database: Database, token: str, *, now: datetime | None = None
) -> Account | None:
    """Return whose link this is, or None if it is wrong, used, expired, or theirs is disabled."""
    with database.reading() as session:
        row = session.scalars(_open(token, now)).one_or_none()
        return _account(row) if row else None


def accept_link(
    database: Database,
    token: str,
    *,
    password_hash: str | None = None,
    subject: str | None = None,
    name: str | None = None,
    now: datetime | None = None,
) -> Account | None:
    """Use a link up: set the password, or the id at the provider; earlier sessions end.

    With a `name`, the account gets this one.

    Returns:
        The account, or None if the link is not valid (any more).

    Raises:
        InputError: The new name is taken or not valid.
    """
    wanted = None if name is None else checked_account_name(name)
    with database.writing() as session:
        row = session.scalars(_open(token, now).with_for_update()).one_or_none()
        if row is None or (subject and _is_taken(session, subject)):
            return None
        if wanted and wanted != row.name:
            _check_free(session, wanted)
            row.name = wanted
        row.link_hash = row.link_expires_at = None
        row.password_hash = password_hash or row.password_hash
        row.subject = subject or row.subject
        session.execute(delete(SessionRow).where(SessionRow.account_id == row.id))
        return _account(row)


def find_account(database: Database, account: int) -> Account:
    """Return an account, or raise InputError."""
    with database.reading() as session:
        return _account(_row(session, account))


def find_login(database: Database, name: str) -> tuple[Account, str | None] | None:
    """Return the active account with a name, and the hash of its password."""
    name = login_name(name)
    if "\0" in name:
        return None
    return _active(database, _is_named(name))


def account_number(database: Database, name: str) -> int | None:
    """Return the id of the account with a name, also of a disabled one."""
    name = login_name(name)
    if "\0" in name:
        return None
    with database.reading() as session:
        return session.scalars(select(AccountRow.id).where(_is_named(name))).one_or_none()


def find_subject(database: Database, subject: str) -> Account | None:
    """Return the active account with an id at the provider."""
    found = _active(database, AccountRow.subject == subject)
    return found[0] if found else None


def add_subject(
    database: Database, name: str, subject: str, *, now: datetime | None = None
) -> Account | None:
    """Admit somebody of the provider as a member; None if the name belongs to somebody else.

    An account that was invited under this name and never used becomes theirs.
    """
    name, now = checked_account_name(name), now or datetime.now(UTC)
    with database.writing() as session:
        row = session.scalars(select(AccountRow).filter_by(name=name).with_for_update()).first()
        if _is_taken(session, subject):  # by a disabled account
            return None
        if row is None:
            row = AccountRow(name=name, role="member", created_at=now)
            session.add(row)
        elif row.disabled_at or row.password_hash or row.subject:
            return None
        row.subject, row.link_hash, row.link_expires_at = subject, None, None
        session.flush()
        return _account(row)


def set_password(database: Database, account: int, password_hash: str, *, but: str = "") -> None:
    """Change a password; all sessions of the account end except the one with the id `but`."""
    with database.writing() as session:
        _row(session, account).password_hash = password_hash
        _end_sessions(session, account, but)


def set_role(database: Database, account: int, role: AccountRole) -> None:
    """Change a role; it counts from the next request on."""
    _check_role(role)
    with database.writing() as session:
        _row(session, account).role = role


def set_disabled(database: Database, account: int, *, disabled: bool) -> None:
    """Disable an account, which ends its sessions and its link, or enable it again."""
    with database.writing() as session:
        row = _row(session, account)
        row.disabled_at = datetime.now(UTC) if disabled else None
        if disabled:
            row.link_hash = row.link_expires_at = None
            _end_sessions(session, account)


def hand_over(database: Database, source: Viewer, target: Viewer) -> tuple[int, int]:
    """Make all projects and results of one person another's; return how many of each."""
    with database.writing() as session:
        counts = [
            cast(Any, session.execute(_moved(table, source, target))).rowcount
            for table in (ProjectRow, SavedRow)
        ]
    return counts[0], counts[1]


def list_accounts(database: Database) -> list[Account]:
    """Return all accounts by name."""
    with database.reading() as session:
        return [_account(row) for row in session.scalars(select(AccountRow).order_by("name"))]


def has_accounts(database: Database) -> bool:
    """Return whether there is any account."""
    with database.reading() as session:
        return session.scalars(select(AccountRow.id).limit(1)).first() is not None


def has_administrator(database: Database) -> bool:
    """Return whether an administrator can log in."""
    ready = select(func.count()).where(
        AccountRow.role == "administrator",
        AccountRow.disabled_at.is_(None),
        AccountRow.password_hash.is_not(None) | AccountRow.subject.is_not(None),
    )
    with database.reading() as session:
        return bool(session.scalar(ready))


def setup_link(database: Database) -> str | None:
    """Return the token of a link for the first administrator; None if there is one already."""
    if has_administrator(database):
        return None
    accounts = list_accounts(database)
    for one in accounts:
        if one.role == "administrator" and one.state == "invited":
            return new_link(database, one.id)
    names = {one.name for one in accounts}
    free = next(name for name in map(_MADE_UP.format, ("", *range(2, 1000))) if name not in names)
    return add_account(database, free, "administrator")[0]


def is_made_up(name: str) -> bool:
    """Return whether `setup_link` gave this name, and nobody chose it.

    Example:
        >>> is_made_up("admin"), is_made_up("admin2"), is_made_up("administration")
        (True, True, False)
    """
    return re.fullmatch(_MADE_UP.format(r"\d*"), name) is not None


def _row(session: OrmSession, account: int) -> AccountRow:
    row = session.get(AccountRow, account)
    if row is None:
        raise InputError(f"there is no account {account}")
    return row


def _check_free(session: OrmSession, name: str) -> None:
    if session.scalars(select(AccountRow.id).filter_by(name=name)).first() is not None:
        raise InputError(f"there is already an account {name!r}")


def _is_taken(session: OrmSession, subject: str) -> bool:
    return session.scalars(select(AccountRow.id).filter_by(subject=subject)).first() is not None


def _open_link(row: AccountRow, now: datetime) -> str:
    if row.disabled_at is not None:
        raise InputError(f"the account {row.name!r} is disabled")
    token = new_secret()
    row.link_hash, row.link_expires_at = hashed(token), now + LINK_LIFETIME
    return token


def _open(token: str, now: datetime | None) -> Any:
    """Return the query for the account whose link is open."""
    return select(AccountRow).where(
        AccountRow.link_hash == hashed(token),
        AccountRow.link_expires_at > (now or datetime.now(UTC)),
        AccountRow.disabled_at.is_(None),
    )


def _is_named(name: str) -> ColumnElement[bool]:
    return AccountRow.name == name.encode("utf-8", "replace").decode()


def _active(
    database: Database, condition: ColumnElement[bool]
) -> tuple[Account, str | None] | None:
    query = select(AccountRow).where(condition, AccountRow.disabled_at.is_(None))
    with database.reading() as session:
        row = session.scalars(query).one_or_none()
        return (_account(row), row.password_hash) if row else None


def _end_sessions(session: OrmSession, account: int, but: str = "") -> None:
    theirs = SessionRow.account_id == account
    session.execute(delete(SessionRow).where(theirs, SessionRow.secret_hash != but))


def _moved(table: type[ProjectRow] | type[SavedRow], source: Viewer, target: Viewer) -> Any:
    return update(table).where(table.owner_id == source.account).values(owner_id=target.account)


def _check_role(role: str) -> None:
    if role not in get_args(AccountRole):
        raise unknown_name("role", role, get_args(AccountRole))


def _account(row: AccountRow) -> Account:
    used = row.password_hash is not None or row.subject is not None
    return Account(
        row.id,
        row.name,
        cast(AccountRole, row.role),
        "disabled" if row.disabled_at else "active" if used else "invited",
        row.created_at,
        row.link_expires_at,
        row.subject is not None,
    )
