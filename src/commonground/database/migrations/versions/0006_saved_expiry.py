"""Saved results can expire."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the moment; existing results never expire."""
    op.add_column("kept", sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index("ix_kept_expires_at", "kept", ["expires_at"])
