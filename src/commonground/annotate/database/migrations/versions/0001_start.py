"""The first tables: projects, events, items, annotators, labels, sessions, saved results."""

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
    _projects()
    _labels()
    _sessions()


def _projects() -> None:
    op.create_table(
        "projects",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("protocol", sa.Text(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_projects"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_events"),
        _reference("events", "project_id", "projects"),
        sa.UniqueConstraint("project_id", "name", name="uq_events_project_id_name"),
    )
    op.create_table(
        "items",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("system", sa.Text(), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("units", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_items"),
        _reference("items", "project_id", "projects"),
        _reference("items", "event_id", "events"),
        sa.UniqueConstraint("project_id", "position", name="uq_items_project_id_position"),
    )
    op.create_index("ix_items_event_id", "items", ["event_id"])
    op.create_table(
        "annotators",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_annotators"),
        _reference("annotators", "project_id", "projects"),
        sa.UniqueConstraint("project_id", "name", name="uq_annotators_project_id_name"),
        sa.UniqueConstraint("token_hash", name="uq_annotators_token_hash"),
        sqlite_autoincrement=True,
    )


def _labels() -> None:
    op.create_table(
        "labels",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("annotator_id", sa.Integer(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=True),
        sa.Column("client_key", sa.Text(), nullable=False),
        sa.Column("undoes", sa.Integer(), nullable=True),
        sa.Column("saved_at", MOMENT, nullable=False),
        sa.Column("superseded_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_labels"),
        _reference("labels", "item_id", "items"),
        _reference("labels", "annotator_id", "annotators"),
        _reference("labels", "undoes", "labels"),
        sa.UniqueConstraint("annotator_id", "client_key", name="uq_labels_annotator_id_client_key"),
        sa.UniqueConstraint("undoes", name="uq_labels_undoes"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_labels_item_id", "labels", ["item_id"])
    op.create_index("ix_labels_annotator_id_id", "labels", ["annotator_id", "id"])
    holds = sa.text("superseded_at IS NULL")
    op.create_index(
        "uq_labels_current",
        "labels",
        ["annotator_id", "item_id", "unit"],
        unique=True,
        sqlite_where=holds,
        postgresql_where=holds,
    )


def _sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("secret_hash", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("annotator_id", sa.Integer(), nullable=True),
        sa.Column("csrf", sa.Text(), nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("secret_hash", name="pk_sessions"),
        _reference("sessions", "annotator_id", "annotators"),
    )
    op.create_index("ix_sessions_annotator_id", "sessions", ["annotator_id"])
    op.create_index("ix_sessions_expires_at", "sessions", ["expires_at"])
    op.create_table(
        "kept",
        sa.Column("link", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("link", name="pk_kept"),
    )


def _reference(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{other}.id"], name=f"fk_{table}_{column}", ondelete="CASCADE"
    )
