"""The database of the pages: projects, labels, sessions and saved results."""

from commonground.errors import MissingExtraError

try:
    import alembic as _alembic  # noqa: F401
    import sqlalchemy as _sqlalchemy  # noqa: F401
except ImportError:
    raise MissingExtraError("the database", "web") from None

from commonground.database.access import (
    Access,
    Share,
    Thing,
    access_to,
    share,
    shares_of,
    unshare,
    visible,
)
from commonground.database.audit import AuditEntry, all_audit_entries, audit_entries, record
from commonground.database.available import UnavailableError
from commonground.database.engine import Database, open_database, sqlite_url
from commonground.database.saved import (
    Listed,
    Saved,
    change_saved,
    delete_saved,
    find_saved,
    list_saved,
    save_result,
)
from commonground.database.sessions import (
    LIFETIMES,
    OWNER,
    Role,
    Session,
    Viewer,
    end_session,
    end_session_by_id,
    end_sessions,
    find_session,
    hashed,
    list_sessions,
    new_secret,
    start_session,
)
from commonground.database.settings import shared_setting

__all__ = [
    "LIFETIMES",
    "OWNER",
    "Access",
    "AuditEntry",
    "Database",
    "Listed",
    "Role",
    "Saved",
    "Session",
    "Share",
    "Thing",
    "UnavailableError",
    "Viewer",
    "access_to",
    "all_audit_entries",
    "audit_entries",
    "change_saved",
    "delete_saved",
    "end_session",
    "end_session_by_id",
    "end_sessions",
    "find_saved",
    "find_session",
    "hashed",
    "list_saved",
    "list_sessions",
    "new_secret",
    "open_database",
    "record",
    "save_result",
    "share",
    "shared_setting",
    "shares_of",
    "sqlite_url",
    "start_session",
    "unshare",
    "visible",
]
