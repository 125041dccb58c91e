"""The first tables: projects, events, items, annotators, labels, sessions, saved results."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

# Types are spelled out: a migration must not change when the program's types do.
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create all tables."""
    op.create_table(
        "projects",
        *_columns(sa.Integer(), "id"),
        *_columns(sa.Text(), "name", "protocol"),
        *_columns(MOMENT, "created_at"),
        sa.PrimaryKeyConstraint("id", name="pk_projects"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "events",
        *_columns(sa.Integer(), "id", "project_id"),
        *_columns(sa.Text(), "name", "content"),
        sa.PrimaryKeyConstraint("id", name="pk_events"),
        _reference("events", "project_id", "projects"),
        _unique("events", "project_id", "name"),
    )
    op.create_table(
        "items",
        *_columns(sa.Integer(), "id", "project_id", "event_id", "position"),
        *_columns(sa.Text(), "system", "summary"),
        *_columns(sa.Integer(), "units"),
        sa.PrimaryKeyConstraint("id", name="pk_items"),
        _reference("items", "project_id", "projects"),
        _reference("items", "event_id", "events"),
        _unique("items", "project_id", "position"),
    )
    op.create_index("ix_items_event_id", "items", ["event_id"])
    op.create_table(
        "annotators",
        *_columns(sa.Integer(), "id", "project_id"),
        *_columns(sa.Text(), "name"),
        *_columns(sa.Text(), "token_hash", nullable=True),
        *_columns(MOMENT, "created_at"),
        sa.PrimaryKeyConstraint("id", name="pk_annotators"),
        _reference("annotators", "project_id", "projects"),
        _unique("annotators", "project_id", "name"),
        _unique("annotators", "token_hash"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "labels",
        *_columns(sa.Integer(), "id", "item_id", "annotator_id"),
        *_columns(sa.Text(), "unit"),
        *_columns(sa.Text(), "value", nullable=True),
        *_columns(sa.Text(), "client_key"),
        *_columns(sa.Integer(), "undoes", nullable=True),
        *_columns(MOMENT, "saved_at"),
        *_columns(MOMENT, "superseded_at", nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_labels"),
        _reference("labels", "item_id", "items"),
        _reference("labels", "annotator_id", "annotators"),
        _reference("labels", "undoes", "labels"),
        _unique("labels", "annotator_id", "client_key"),
        _unique("labels", "undoes"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_labels_item_id", "labels", ["item_id"])
    op.create_index("ix_labels_annotator_id_id", "labels", ["annotator_id", "id"])
    op.create_index(
        "uq_labels_current",
        "labels",
        ["annotator_id", "item_id", "unit"],
        unique=True,
        sqlite_where=sa.text("superseded_at IS NULL"),
        postgresql_where=sa.text("superseded_at IS NULL"),
    )
    op.create_table(
        "sessions",
        *_columns(sa.Text(), "secret_hash", "role"),
        *_columns(sa.Integer(), "annotator_id", nullable=True),
        *_columns(sa.Text(), "csrf"),
        *_columns(MOMENT, "expires_at"),
        sa.PrimaryKeyConstraint("secret_hash", name="pk_sessions"),
        _reference("sessions", "annotator_id", "annotators"),
    )
    op.create_index("ix_sessions_annotator_id", "sessions", ["annotator_id"])
    op.create_index("ix_sessions_expires_at", "sessions", ["expires_at"])
    op.create_table(
        "kept",
        *_columns(sa.Text(), "link", "kind", "data"),
        *_columns(MOMENT, "created_at"),
        sa.PrimaryKeyConstraint("link", name="pk_kept"),
    )


def _columns(kind: Any, *names: str, nullable: bool = False) -> list[sa.Column[Any]]:
    return [sa.Column(name, kind, nullable=nullable) for name in names]


def _unique(table: str, *columns: str) -> sa.UniqueConstraint:
    return sa.UniqueConstraint(*columns, name=f"uq_{table}_{'_'.join(columns)}")


def _reference(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{other}.id"], name=f"fk_{table}_{column}", ondelete="CASCADE"
    )
