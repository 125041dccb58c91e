"""What a server needs to know, checked."""

import ipaddress
import os
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from commonground.errors import InputError

PORT = 8765
_MOST_WORKERS = 4  # each holds the models, some hundred megabytes


def default_workers() -> int:
    """A process for each core, up to four."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return min(_MOST_WORKERS, cores)


def default_data() -> Path:
    """The folder for data that the system gives each user."""
    return platformdirs.user_data_path("commonground")


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Where a server listens, where it keeps what is kept, and who may come in.

    Attributes:
        host: The address to listen on.
        port: Its port; 0 takes any that is free.
        data: The folder of the SQLite database, where no `database` is named.
        database: The URL of another database.
        password: The owner's password, or its argon2 hash; None lets anyone on this machine in.
        workers: How many processes do the work.
        queue: How many jobs may wait; more are answered with 503.
        behind_proxy: A proxy on this machine stands before it and says who asks, and how.

    Raises:
        InputError: The server could be reached from other machines and has no password.
    """

    host: str = "127.0.0.1"
    port: int = PORT
    data: Path = field(default_factory=default_data)
    database: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)
    workers: int = field(default_factory=default_workers)
    queue: int = 32
    behind_proxy: bool = False

    def __post_init__(self) -> None:
        if self.password is not None and not self.password:
            raise InputError("the password is empty")
        if self.password is None and (self.behind_proxy or not self.is_local):
            where = "behind a proxy" if self.behind_proxy else f"on {self.host}"
            raise InputError(
                f"{where} others can reach the pages: give a password "
                "(--password-file FILE or COMMONGROUND_PASSWORD)"
            )

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def cookie(self) -> str:
        """The session cookie's name: browsers share cookies between the ports of a machine."""
        return f"commonground_{self.port}"

    def database_url(self) -> str:
        """The database's URL; the folder of a SQLite file is made."""
        if self.database:
            return self.database
        from commonground.annotate.database import sqlite_url

        try:
            self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise InputError(f"{self.data}: cannot be made ({reason})") from None
        return sqlite_url(self.data / "commonground.db")
