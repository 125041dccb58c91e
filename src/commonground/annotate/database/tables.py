"""All tables. A change here needs a migration; a test compares the two."""

import json
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    MetaData,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

_NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
# SQLite would reuse the id of a deleted row, and an open page would then mean another row.
_NO_REUSE = {"sqlite_autoincrement": True}


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


class ProjectRow(Base):
    """A study: a data set, system outputs and a protocol.

    `state` is `storing`, `ready` or `deleting`: only a project that is ready is shown, since its
    items come and go in several transactions.
    """

    __tablename__ = "projects"
    __table_args__ = _NO_REUSE

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    protocol: Mapped[str]
    created_at: Mapped[datetime]
    state: Mapped[str] = mapped_column(default="ready")


class GuidelinesRow(Base):
    """A version of a project's guidelines, in Markdown; the highest one is current."""

    __tablename__ = "guidelines"
    __table_args__ = (UniqueConstraint("project_id", "version"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    version: Mapped[int]
    text: Mapped[str]
    saved_at: Mapped[datetime]


class EventRow(Base):
    """An event of a project; `content` holds the narratives and the references' sentences."""

    __tablename__ = "events"
    __table_args__ = (UniqueConstraint("project_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    name: Mapped[str]
    content: Mapped[Any] = mapped_column(JsonText)


class ItemRow(Base):
    """What an annotator sees at once: one system's summary of an event, or the event alone.

    `units` is the number of labels, so that progress needs no texts.
    """

    __tablename__ = "items"
    __table_args__ = (UniqueConstraint("project_id", "position"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id", ondelete="CASCADE"), index=True)
    position: Mapped[int]
    system: Mapped[str]
    summary: Mapped[Any] = mapped_column(JsonText)
    units: Mapped[int]


class AnnotatorRow(Base):
    """An annotator of one project. Only the hash of the token is stored; null: link closed.

    `saves` and `characters` count all rows of `labels`, also superseded ones, for the quota.
    """

    __tablename__ = "annotators"
    __table_args__ = (UniqueConstraint("project_id", "name"), _NO_REUSE)

    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    name: Mapped[str]
    token_hash: Mapped[str | None] = mapped_column(unique=True)
    created_at: Mapped[datetime]
    saves: Mapped[int] = mapped_column(default=0)
    characters: Mapped[int] = mapped_column(default=0)


class LabelRow(Base):
    """One action of an annotator. Rows are only added; a newer row supersedes an older one.

    A null value removes the label. `superseded_at` is null for the current row of a unit. The
    page chooses a `client_key` for each save, so that a repeated request saves once.
    """

    __tablename__ = "labels"
    __table_args__ = (
        UniqueConstraint("annotator_id", "client_key"),
        Index("ix_labels_annotator_id_id", "annotator_id", "id"),  # the latest, for undo
        # At most one current label per unit, even with two tabs at once.
        Index(
            "uq_labels_current",
            "annotator_id",
            "item_id",
            "unit",
            unique=True,
            sqlite_where=text("superseded_at IS NULL"),
            postgresql_where=text("superseded_at IS NULL"),
        ),
        _NO_REUSE,
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    item_id: Mapped[int] = mapped_column(ForeignKey("items.id", ondelete="CASCADE"), index=True)
    annotator_id: Mapped[int] = mapped_column(ForeignKey("annotators.id", ondelete="CASCADE"))
    unit: Mapped[str]
    value: Mapped[str | None]
    client_key: Mapped[str]
    undoes: Mapped[int | None] = mapped_column(
        ForeignKey("labels.id", ondelete="CASCADE"), unique=True
    )
    saved_at: Mapped[datetime]
    superseded_at: Mapped[datetime | None]


class DecisionRow(Base):
    """The owner's final label of a unit, with a note."""

    __tablename__ = "decisions"
    __table_args__ = (UniqueConstraint("item_id", "unit"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    item_id: Mapped[int] = mapped_column(ForeignKey("items.id", ondelete="CASCADE"))
    unit: Mapped[str]
    value: Mapped[str]
    note: Mapped[str]
    decided_at: Mapped[datetime]


class SessionRow(Base):
    """A browser session; only the hash of the cookie's secret is stored."""

    __tablename__ = "sessions"

    secret_hash: Mapped[str] = mapped_column(primary_key=True)
    role: Mapped[str]
    annotator_id: Mapped[int | None] = mapped_column(
        ForeignKey("annotators.id", ondelete="CASCADE"), index=True
    )
    csrf: Mapped[str]
    expires_at: Mapped[datetime] = mapped_column(index=True)


class KeptRow(Base):
    """A result saved under a link; the title is JSON too, since it quotes users' texts."""

    __tablename__ = "kept"

    link: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    data: Mapped[Any] = mapped_column(JsonText)
    created_at: Mapped[datetime] = mapped_column(index=True)
    title: Mapped[Any] = mapped_column(JsonText)
