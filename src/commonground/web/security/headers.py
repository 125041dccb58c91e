"""Headers that every answer carries, and the hosts it may be asked by."""

import ipaddress
import logging
import re
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from commonground.web.respond import failure

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_ALWAYS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not "no-referrer", with which browsers send `Origin: null` and forms could not be checked.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}

_HOST: Final = re.compile(r"([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")

_log = logging.getLogger(__name__)


class SafeHeaders:
    """Adds the headers to every answer, whoever made it, also to that of an unexpected error."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        started = False

        async def with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                headers.update(_ALWAYS)
                # Pages carry a session's token and people's texts; static files are checked anew.
                static = scope["path"].startswith("/static/")
                headers["Cache-Control"] = "no-cache" if static else "no-store"
            await send(message)

        try:
            await self._app(scope, receive, with_headers)
        except Exception:
            _log.exception("%s %s failed", scope["method"], scope["path"])
            if started:
                raise
            words = "Something went wrong on the server; try again."
            await failure(scope, 500, words)(scope, receive, with_headers)


class Hosts:
    """Refuses a Host that is no `name[:port]`, and names that are not for this server.

    A Host with a path in it could pass for another path, where one is taken from the whole
    address. And a page elsewhere could have its name point to this machine and then read our
    answers as its own (DNS rebinding); the browser still sends the name.

    Args:
        app: What comes after.
        local: Whether only this machine's own names are for this server.
    """

    def __init__(self, app: ASGIApp, *, local: bool) -> None:
        self._app = app
        self._local = local

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        host = Headers(scope=scope).get("host", "")
        if not _HOST.fullmatch(host):
            words = "This request does not say in a form that is understood which server it wants."
            await failure(scope, 400, words)(scope, receive, send)
        elif self._local and not _is_local(host):
            words = "This server answers to localhost only; open it by that name."
            await failure(scope, 421, words)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def _is_local(host: str) -> bool:
    try:
        name = urlsplit(f"//{host}").hostname or ""
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
