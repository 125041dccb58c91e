"""Kept results have a line that tells what they are, and are listed by their age."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward; what is there already has an empty line, in JSON."""
    title = sa.Column("title", sa.Text(), nullable=False, server_default=sa.text("'\"\"'"))
    op.add_column("kept", title)
    op.create_index("ix_kept_created_at", "kept", ["created_at"])
