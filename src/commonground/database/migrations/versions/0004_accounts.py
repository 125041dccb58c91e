"""Accounts, shares, the audit log; owners of projects and results; more about sessions."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Add tables and columns; what exists has no owner, and so belongs to the server's owner."""
    op.create_table(
        "accounts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text()),
        sa.Column("subject", sa.Text()),
        sa.Column("link_hash", sa.Text()),
        sa.Column("link_expires_at", MOMENT),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("disabled_at", MOMENT),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
        *(
            sa.UniqueConstraint(column, name=f"uq_accounts_{column}")
            for column in ("name", "subject", "link_hash")
        ),
        sqlite_autoincrement=True,
    )
    for table, column in (
        ("projects", "owner_id"),
        ("kept", "owner_id"),
        ("sessions", "account_id"),
    ):
        # In one statement, since SQLite cannot add a constraint afterwards.
        op.execute(
            f"ALTER TABLE {table} ADD COLUMN {column} INTEGER CONSTRAINT fk_{table}_{column} "
            "REFERENCES accounts (id)"
        )
        op.create_index(f"ix_{table}_{column}", table, [column])
    for name in ("mark", "agent"):
        empty = sa.Column(name, sa.Text(), nullable=False, server_default=sa.text("''"))
        op.add_column("sessions", empty)
    op.add_column("sessions", sa.Column("started_at", MOMENT))
    op.create_table(
        "shares",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer()),
        sa.Column("project_id", sa.Integer()),
        sa.Column("kept_link", sa.Text()),
        sa.PrimaryKeyConstraint("id", name="pk_shares"),
        _owned_by("account_id", "accounts.id"),
        _owned_by("project_id", "projects.id"),
        _owned_by("kept_link", "kept.link"),
    )
    for column in ("account_id", "project_id", "kept_link"):
        op.create_index(f"ix_shares_{column}", "shares", [column])
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("actor", "action", "subject")),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_audit_at", "audit", ["at"])
    op.create_table(
        "settings",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_settings"),
    )


def _owned_by(column: str, other: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [other], name=f"fk_shares_{column}", ondelete="CASCADE"
    )
