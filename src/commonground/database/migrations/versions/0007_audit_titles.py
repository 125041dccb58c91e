"""The audit log has the titles of projects."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the title; lines that exist have ids only."""
    title = sa.Column("project", sa.Text(), nullable=False, server_default=sa.text("''"))
    op.add_column("audit", title)
