"""The database of the pages: projects, labels, sessions and saved results."""

from commonground.errors import MissingExtraError

try:
    import alembic as _alembic  # noqa: F401
    import sqlalchemy as _sqlalchemy  # noqa: F401
except ImportError:
    raise MissingExtraError("the database", "web") from None

from commonground.database.available import UnavailableError
from commonground.database.engine import Database, open_database, sqlite_url
from commonground.database.web import (
    LIFETIMES,
    Kept,
    Session,
    delete_kept,
    end_all_sessions,
    end_session,
    find_kept,
    find_session,
    hashed,
    keep,
    list_kept,
    new_secret,
    start_session,
)

__all__ = [
    "LIFETIMES",
    "Database",
    "Kept",
    "Session",
    "UnavailableError",
    "delete_kept",
    "end_all_sessions",
    "end_session",
    "find_kept",
    "find_session",
    "hashed",
    "keep",
    "list_kept",
    "new_secret",
    "open_database",
    "sqlite_url",
    "start_session",
]
