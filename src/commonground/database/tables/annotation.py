"""Tables of annotation: projects, their items, annotators and labels."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from commonground.database.tables.base import NO_REUSE, Base, JsonText


class ProjectRow(Base):
    """A study: a data set, system outputs and a protocol.

    `state` is `storing`, `ready` or `deleting`: only a project that is ready is shown, since its
    items come and go in several transactions.
    """

    __tablename__ = "projects"
    __table_args__ = NO_REUSE

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    protocol: Mapped[str]
    created_at: Mapped[datetime]
    state: Mapped[str] = mapped_column(default="ready")
    owner_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)


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

    `saves` and `characters` count what was saved since the link was made, for the quota.
    """

    __tablename__ = "annotators"
    __table_args__ = (UniqueConstraint("project_id", "name"), NO_REUSE)

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
        NO_REUSE,
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
    """The final label of a unit, with a note and the name of who decided."""

    __tablename__ = "decisions"
    __table_args__ = (UniqueConstraint("item_id", "unit"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    item_id: Mapped[int] = mapped_column(ForeignKey("items.id", ondelete="CASCADE"))
    unit: Mapped[str]
    value: Mapped[str]
    note: Mapped[str]
    decided_by: Mapped[str]
    decided_at: Mapped[datetime]


class RemarkRow(Base):
    """An annotator's comment on a unit, and whether the unit is flagged; the newest one only."""

    __tablename__ = "remarks"
    __table_args__ = (UniqueConstraint("item_id", "annotator_id", "unit"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    item_id: Mapped[int] = mapped_column(ForeignKey("items.id", ondelete="CASCADE"))
    annotator_id: Mapped[int] = mapped_column(
        ForeignKey("annotators.id", ondelete="CASCADE"), index=True
    )
    unit: Mapped[str]
    flagged: Mapped[bool]
    comment: Mapped[str]
    saved_at: Mapped[datetime]
