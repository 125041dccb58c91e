"""The database of the pages: projects, labels, sessions and saved results."""

from commonground.errors import MissingExtraError

try:
    import alembic as _alembic  # noqa: F401
    import sqlalchemy as _sqlalchemy  # noqa: F401
except ImportError:
    raise MissingExtraError("the annotation database", "web") from None

from commonground.annotate.database.available import UnavailableError
from commonground.annotate.database.engine import Database, open_database, sqlite_url
from commonground.annotate.database.web import (
    LIFETIMES,
    Kept,
    Session,
    delete_kept,
    end_all_sessions,
    end_session,
    find_kept,
    find_session,
    keep,
    list_kept,
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
    "keep",
    "list_kept",
    "open_database",
    "sqlite_url",
    "start_session",
]
