"""The link of a saved result may be for chosen people only."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; links that were sent still open for anyone."""
    kind = sa.Boolean()
    op.add_column("kept", sa.Column("public", kind, nullable=False, server_default=sa.true()))
