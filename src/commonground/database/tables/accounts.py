"""Tables of accounts: people, what is shared with them, the audit log, settings of the server."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from commonground.database.tables.base import NO_REUSE, Base


class AccountRow(Base):
    """A person. Accounts are disabled, never deleted, so that their ids stay in the log.

    `link_hash` is the hash of a link that sets a password, once and for a limited time: an
    invitation or a reset. `subject` is the person's id at an OpenID provider.
    """

    __tablename__ = "accounts"
    __table_args__ = NO_REUSE

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    role: Mapped[str]
    password_hash: Mapped[str | None]
    subject: Mapped[str | None] = mapped_column(unique=True)
    link_hash: Mapped[str | None] = mapped_column(unique=True)
    link_expires_at: Mapped[datetime | None]
    created_at: Mapped[datetime]
    disabled_at: Mapped[datetime | None]


class ShareRow(Base):
    """A project or a saved result that its owner shares; a null account means everyone."""

    __tablename__ = "shares"
    __table_args__ = (
        Index("ix_shares_account_id", "account_id"),
        Index("ix_shares_project_id", "project_id"),
        Index("ix_shares_kept_link", "kept_link"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    project_id: Mapped[int | None] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    kept_link: Mapped[str | None] = mapped_column(ForeignKey("kept.link", ondelete="CASCADE"))


class AuditRow(Base):
    """Who did what to which id; never a text or the title of a result. Rows are only added.

    `project` is the title of the project in `subject`, which may be deleted later.
    """

    __tablename__ = "audit"
    __table_args__ = NO_REUSE

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(index=True)
    actor: Mapped[str]
    action: Mapped[str]
    subject: Mapped[str]
    project: Mapped[str] = mapped_column(default="")


class SettingRow(Base):
    """A setting that all servers on one database share."""

    __tablename__ = "settings"

    name: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str]
