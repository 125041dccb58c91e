"""Checked settings of the server."""

import ipaddress
import os
import re
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import platformdirs

from commonground.errors import InputError

PORT = 8765
_FILE = "commonground.db"
_OWN = ("commonground", "lost+found")  # what does not keep us from closing the folder
_MIN_PASSWORD = 8
_MAX_WORKERS = 4  # each loads the models, several hundred megabytes


class Addresses(NamedTuple):
    """Where a server is reached once it listens."""

    page: str  # to show to the user; it may hold the token
    opened: str  # to open in a browser; it works once if it holds a ticket
    setup: str | None = None  # makes the first administrator


def default_workers() -> int:
    """Return the number of CPUs, at most four."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return min(_MAX_WORKERS, cores)


def new_token() -> str:
    """Return a random token for the link of a server on this machine."""
    return secrets.token_urlsafe(32)


def default_data() -> Path:
    """Return the user's data folder."""
    return platformdirs.user_data_path("commonground")


@dataclass(frozen=True, slots=True)
class OidcSettings:
    """An OpenID provider where people log in.

    Attributes:
        issuer: Its address, as it names itself.
        client_id: The name of this server at the provider.
        client_secret: The secret that goes with it.
        domains: Domains of e-mail addresses whose people need no invitation.

    Raises:
        InputError: The issuer is not an https address (http is for this machine only).
    """

    issuer: str
    client_id: str
    client_secret: str = field(repr=False)
    domains: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        parts = urlsplit(self.issuer)
        local = parts.scheme == "http" and parts.hostname in ("localhost", "127.0.0.1", "::1")
        if not (parts.hostname and (parts.scheme == "https" or local)):
            raise InputError(f"the issuer {self.issuer!r} is not an address like https://id.org")
        if not self.client_id or not self.client_secret:
            raise InputError("an OpenID provider needs a client id and a secret")

    @property
    def host(self) -> str:
        """The provider's name for people."""
        return urlsplit(self.issuer).hostname or ""


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Settings of a server.

    Attributes:
        host: The address to listen on.
        port: The port; 0 chooses a free one.
        data: The folder of the SQLite database, unless `database` is set.
        database: The URL of another database.
        password: The owner's password or its argon2 hash.
        token: What admits the owner of a server on this machine that has neither password nor
            accounts (default: random); None admits anyone on this machine.
        accounts: People log in with accounts of their own; an administrator invites them.
        oidc: An OpenID provider where people with accounts can log in; requires `accounts`.
        workers: Number of worker processes.
        queue: Number of jobs that may wait; more are answered with 503.
        behind_proxy: Trust the client address and scheme that a proxy on this machine reports.
        trusted_proxies: Addresses or networks of other proxies to trust.
        names: Host names by which browsers may reach the server, besides its own.
        root_path: The path below which a proxy serves the pages, such as `/study`.

    Raises:
        InputError: Other machines could reach the server and nobody would have to log in, or a
            setting is invalid.
    """

    host: str = "127.0.0.1"
    port: int = PORT
    data: Path = field(default_factory=default_data)
    database: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)
    token: str | None = field(default_factory=new_token, repr=False)
    accounts: bool = False
    oidc: OidcSettings | None = None
    workers: int = field(default_factory=default_workers)
    queue: int = 32
    behind_proxy: bool = False
    trusted_proxies: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    root_path: str = ""

    def __post_init__(self) -> None:
        if self.oidc and not self.accounts:
            raise InputError("an OpenID provider needs --accounts")
        if not re.fullmatch(r"(/[\w~-][\w.~-]*)*", self.root_path, re.ASCII):
            raise InputError(f"the root path {self.root_path!r} is not like /study")
        for network in self.trusted_proxies:
            _check_network(network)
        if self.password is not None and not self.password:
            raise InputError("the password is empty")
        if not self.has_login and (self.proxies or not self.is_local):
            where = "behind a proxy" if self.proxies else f"on {self.host}"
            raise InputError(
                f"{where} others can reach the pages: set a password "
                "(--password-file FILE or COMMONGROUND_PASSWORD) or use --accounts"
            )
        is_public = self.proxies or not self.is_local
        if self.password and is_public and len(self.password) < _MIN_PASSWORD:
            raise InputError(
                f"the password has {len(self.password)} characters; where others can reach the "
                f"pages, use at least {_MIN_PASSWORD}"
            )

    @property
    def has_login(self) -> bool:
        """Whether people log in, by a password or with accounts of their own."""
        return self.password is not None or self.accounts

    @property
    def is_open(self) -> bool:
        """Whether anyone on this machine is the owner."""
        return not self.has_login and self.token is None

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def proxies(self) -> tuple[str, ...]:
        """The addresses and networks whose `X-Forwarded-For` and `-Proto` are believed."""
        return (*(("127.0.0.1", "::1") if self.behind_proxy else ()), *self.trusted_proxies)

    @property
    def cookie(self) -> str:
        """The session cookie's name, with the port because browsers share cookies between ports."""
        return f"commonground_{self.port}"

    def database_url(self, *, create: bool = True) -> str:
        """Return the database's URL, and create the folder of a SQLite file."""
        if self.database:
            return self.database
        from commonground.database import sqlite_url

        if not create:
            return sqlite_url(self.data / _FILE)
        try:
            self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
            _make_private(self.data)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise InputError(f"cannot use {self.data} as data folder ({reason})") from None
        return sqlite_url(self.data / _FILE)


def _check_network(network: str) -> None:
    try:
        whole = ipaddress.ip_network(network).prefixlen == 0
    except ValueError as error:
        raise InputError(f"{network!r} is not an address or network of a proxy ({error})") from None
    if whole:
        raise InputError(f"{network} trusts every address: name the network of the proxy")


def _make_private(folder: Path) -> None:
    """Make a folder private (0700) if it is ours, whoever else could open it before.

    Raises:
        InputError: It also holds files of others, who may need them.
    """
    status = folder.stat()
    if os.name == "nt" or not status.st_mode & 0o077 or status.st_uid != os.geteuid():
        return
    others = (path.name for path in folder.iterdir() if not path.name.startswith(_OWN))
    if other := next(others, None):
        raise InputError(
            f"other users can open {folder}, which also holds {other}: give --data a folder of its "
            f"own, or make this one private (chmod 700)"
        )
    folder.chmod(0o700)
