"""All tables. A change here needs a migration beside it; a test compares the two."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, MetaData, Text, UniqueConstraint, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from commonground.annotate.database.column_types import JsonText, UtcDateTime

_NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


# SQLite would give the number of what was deleted to the next, and an old page would mean that.
_NEVER_AGAIN = {"sqlite_autoincrement": True}


class Base(DeclarativeBase):
    """What the tables share: names for constraints, so that migrations can speak of them."""

    metadata = MetaData(naming_convention=_NAMES)
    type_annotation_map = {str: Text, datetime: UtcDateTime}  # noqa: RUF012


class ProjectRow(Base):
    """One study: a data set, whose outputs, and what is asked of the annotators."""

    __tablename__ = "projects"
    __table_args__ = _NEVER_AGAIN

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    protocol: Mapped[str]
    created_at: Mapped[datetime]


class EventRow(Base):
    """An event of a project: `content` has the narratives and the references' sentences."""

    __tablename__ = "events"
    __table_args__ = (UniqueConstraint("project_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    name: Mapped[str]
    content: Mapped[Any] = mapped_column(JsonText)


class ItemRow(Base):
    """What an annotator sees at once: one system's summary of an event, or the event alone.

    `units` is how many labels it takes, so that progress needs no texts.
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
    """Who labels in one project. The invitation's token itself is nowhere; null: it is closed."""

    __tablename__ = "annotators"
    __table_args__ = (UniqueConstraint("project_id", "name"), _NEVER_AGAIN)

    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    name: Mapped[str]
    token_hash: Mapped[str | None] = mapped_column(unique=True)
    created_at: Mapped[datetime]


class LabelRow(Base):
    """One thing an annotator did. Rows are only added; a newer one supersedes, none is changed.

    Attributes:
        unit: What was labelled within the item, as `protocols` names it.
        value: The label; null takes it away.
        client_key: Chosen by the page for each save, so that a repeated request saves once.
        undoes: The row that this one takes back.
        superseded_at: When a newer row of the same unit came; null: this is what holds.
    """

    __tablename__ = "labels"
    __table_args__ = (
        UniqueConstraint("annotator_id", "client_key"),
        Index("ix_labels_annotator_id_id", "annotator_id", "id"),  # the last one, for undo
        # At most one label of a unit holds, whatever two tabs do at once.
        Index(
            "uq_labels_current",
            "annotator_id",
            "item_id",
            "unit",
            unique=True,
            sqlite_where=text("superseded_at IS NULL"),
            postgresql_where=text("superseded_at IS NULL"),
        ),
        _NEVER_AGAIN,
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


class SessionRow(Base):
    """A browser that has shown who it is. The cookie's secret is stored as its hash."""

    __tablename__ = "sessions"

    secret_hash: Mapped[str] = mapped_column(primary_key=True)
    role: Mapped[str]
    annotator_id: Mapped[int | None] = mapped_column(
        ForeignKey("annotators.id", ondelete="CASCADE"), index=True
    )
    csrf: Mapped[str]
    expires_at: Mapped[datetime] = mapped_column(index=True)


class KeptRow(Base):
    """A result kept under a link; the title is JSON too, since it has words of users."""

    __tablename__ = "kept"

    link: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    data: Mapped[Any] = mapped_column(JsonText)
    created_at: Mapped[datetime] = mapped_column(index=True)
    title: Mapped[Any] = mapped_column(JsonText)
