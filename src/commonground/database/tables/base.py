"""The base of all tables, and their types of columns."""

import json
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import DateTime, Dialect, MetaData, Text
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.types import TypeDecorator

_NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
NO_REUSE = {"sqlite_autoincrement": True}
"""SQLite would reuse the id of a deleted row, and an open page would then mean another row."""


class UtcDateTime(TypeDecorator[datetime]):
    """A time in UTC; SQLite drops the zone, so it is restored on reading."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert to the stored value."""
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert from the stored value."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class JsonText(TypeDecorator[Any]):
    """JSON as plain text; escapes carry NUL and lone surrogates, which PostgreSQL rejects.

    Nothing searches inside it, so the database's own JSON type has no advantage.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str:
        """Convert to the stored value."""
        return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """Convert from the stored value."""
        return None if value is None else json.loads(value)


class Base(DeclarativeBase):
    """Base of all tables; names the constraints so that migrations can refer to them."""

    metadata = MetaData(naming_convention=_NAMES)
    type_annotation_map = {str: Text, datetime: UtcDateTime}  # noqa: RUF012
