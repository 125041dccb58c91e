"""Saved results get a title, and an index by age for the list."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the title; existing results get an empty one, as JSON."""
    title = sa.Column("title", sa.Text(), nullable=False, server_default=sa.text("'\"\"'"))
    op.add_column("kept", title)
    op.create_index("ix_kept_created_at", "kept", ["created_at"])
