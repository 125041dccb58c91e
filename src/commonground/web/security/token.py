"""The token of a server on this machine: it is in the printed link, as Jupyter has it.

Every user of the machine can reach the server; only who sees its output knows the token.
"""

import hmac
import secrets
import threading
from collections.abc import Callable
from typing import Final

from commonground.database import Database, end_session, hashed, shared_setting
from commonground.web.settings import WebSettings

TOKEN_MARK: Final = "token"


class LocalToken:
    """The token, and tickets that stand for it once.

    The command line of a browser is seen by every user of the machine, so the page that the
    server itself opens has a ticket in its address instead of the token. If somebody else used
    the ticket before the browser did, the browser's request ends that session.
    """

    def __init__(self, token: str) -> None:
        self._token = token
        self._lock = threading.Lock()
        self._tickets: dict[str, str | None] = {}

    def matches(self, attempt: str) -> bool:
        """Return whether this is the token, in constant time."""
        return hmac.compare_digest(attempt.encode("utf-8", "replace"), self._token.encode())

    def ticket(self) -> str:
        """Return a new ticket."""
        ticket = secrets.token_urlsafe(32)
        self._tickets[hashed(ticket)] = None
        return ticket

    def redeem(self, database: Database, ticket: str, start: Callable[[], str]) -> str | None:
        """Start a session for a ticket and return its secret, or None.

        The second use of a ticket admits nobody, and ends the session of the first.
        """
        key = hashed(ticket)
        with self._lock:
            if key not in self._tickets:
                return None
            if used_by := self._tickets[key]:
                end_session(database, used_by)
                return None
            secret = self._tickets[key] = start()
            return secret


def owner_mark(settings: WebSettings, database: Database) -> str:
    """Return the mark of owners' sessions: it changes when the token or password does.

    A password's mark is a slow hash of it, with a salt that all servers on the database share, so
    that a restart keeps the sessions and a changed password ends them.
    """
    if settings.password is None:
        if settings.accounts:
            return "no owner"  # and no session has this mark
        return TOKEN_MARK if settings.token else ""
    if settings.password.startswith("$argon2"):
        return hashed(settings.password)
    from argon2.low_level import Type, hash_secret_raw

    salt = bytes.fromhex(shared_setting(database, "salt", lambda: secrets.token_hex(16)))
    password = settings.password.encode("utf-8", "surrogatepass")
    return hash_secret_raw(password, salt, 3, 65536, 4, 32, Type.ID).hex()
