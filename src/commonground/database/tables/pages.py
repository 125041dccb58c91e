"""Tables of the pages: browser sessions and saved results."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from commonground.database.tables.base import Base, JsonText


class SessionRow(Base):
    """A browser session; only the hash of the cookie's secret is stored.

    `mark` says by which token or password the server's owner came in, `agent` is the browser.
    """

    __tablename__ = "sessions"

    secret_hash: Mapped[str] = mapped_column(primary_key=True)
    role: Mapped[str]
    annotator_id: Mapped[int | None] = mapped_column(
        ForeignKey("annotators.id", ondelete="CASCADE"), index=True
    )
    csrf: Mapped[str]
    expires_at: Mapped[datetime] = mapped_column(index=True)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    mark: Mapped[str] = mapped_column(default="")
    agent: Mapped[str] = mapped_column(default="")
    started_at: Mapped[datetime | None]


class SavedRow(Base):
    """A result saved under a link; the title is JSON too, since it quotes users' texts.

    Without an owner it belongs to the server's owner. Unless it is public, its link opens only for
    its owner and those with whom it is shared.
    """

    __tablename__ = "kept"  # its first name, which databases in use have

    link: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    data: Mapped[Any] = mapped_column(JsonText)
    created_at: Mapped[datetime] = mapped_column(index=True)
    title: Mapped[Any] = mapped_column(JsonText)
    owner_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    expires_at: Mapped[datetime | None] = mapped_column(index=True)
    public: Mapped[bool] = mapped_column(default=True)
