"""Guidelines, decisions of the owner, quotas of annotators, projects stored in parts."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Add the tables and columns; what exists is ready, and its labels are counted."""
    state = sa.Column("state", sa.Text(), nullable=False, server_default=sa.text("'ready'"))
    op.add_column("projects", state)
    for name in ("saves", "characters"):
        count = sa.Column(name, sa.Integer(), nullable=False, server_default=sa.text("0"))
        op.add_column("annotators", count)
    op.execute(
        "UPDATE annotators SET "
        "saves = (SELECT count(*) FROM labels WHERE annotator_id = annotators.id), "
        "characters = (SELECT coalesce(sum(length(value)), 0) FROM labels "
        "WHERE annotator_id = annotators.id)"
    )
    op.create_table(
        "guidelines",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("saved_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_guidelines"),
        _owned_by("guidelines", "project_id", "projects"),
        sa.UniqueConstraint("project_id", "version", name="uq_guidelines_project_id_version"),
    )
    op.create_table(
        "decisions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("decided_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_decisions"),
        _owned_by("decisions", "item_id", "items"),
        sa.UniqueConstraint("item_id", "unit", name="uq_decisions_item_id_unit"),
    )


def _owned_by(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{other}.id"], name=f"fk_{table}_{column}", ondelete="CASCADE"
    )
