"""The one database of the pages: projects, labels, sessions and kept results."""

from commonground.errors import MissingExtraError

try:
    import alembic as _alembic  # noqa: F401
    import sqlalchemy as _sqlalchemy  # noqa: F401
except ImportError:
    raise MissingExtraError("the annotation database", "web") from None

from commonground.annotate.database.engine import Database, open_database

__all__ = ["Database", "open_database"]
