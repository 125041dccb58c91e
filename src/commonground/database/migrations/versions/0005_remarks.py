"""Comments and flags of annotators; who decided a unit."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table and the column; no version without it could store a decision."""
    by = sa.Column("decided_by", sa.Text(), nullable=False, server_default=sa.text("''"))
    op.add_column("decisions", by)
    op.create_table(
        "remarks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("annotator_id", sa.Integer(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("flagged", sa.Boolean(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_remarks"),
        _owned_by("item_id", "items"),
        _owned_by("annotator_id", "annotators"),
        sa.UniqueConstraint(
            "item_id", "annotator_id", "unit", name="uq_remarks_item_id_annotator_id_unit"
        ),
    )
    op.create_index("ix_remarks_annotator_id", "remarks", ["annotator_id"])


def _owned_by(column: str, other: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{other}.id"], name=f"fk_remarks_{column}", ondelete="CASCADE"
    )
