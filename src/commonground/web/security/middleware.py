"""Middleware around every request: security headers, allowed hosts, size and time limits."""

import ipaddress
import logging
import re
from abc import ABC, abstractmethod
from typing import Final
from urllib.parse import urlsplit

from anyio import current_time, fail_after
from fastapi import HTTPException
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from commonground.web.context import failure

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # With "no-referrer" browsers send `Origin: null`, and forms could not be checked.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}

_HOST: Final = re.compile(r"([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")

_MAX_BYTES: Final = 4_000_000
_MAX_BYTES_BY_PATH: Final = {"/api/text": 25_000_000, "/api/annotate/projects": 50_000_000}
QUIET_SECONDS: Final = 30.0
"""Longest pause within a request."""

WHOLE_SECONDS: Final = 600.0
"""Longest time for a whole request."""

_log = logging.getLogger(__name__)


class _Middleware(ABC):
    """ASGI middleware that handles HTTP requests and passes everything else on."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or pass on anything else."""
        handle = self._handle if scope["type"] == "http" else self._app
        await handle(scope, receive, send)

    @abstractmethod
    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None: ...


class SafeHeaders(_Middleware):
    """Adds security headers to every response, also to that of an unexpected error."""

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                # Pages carry a session's token and users' texts; static files are revalidated.
                static = scope["path"].startswith("/static/")
                headers["Cache-Control"] = "no-cache" if static else "no-store"
            await send(message)

        try:
            await self._app(scope, receive, with_headers)
        except Exception:
            _log.exception("%s %s failed", scope["method"], scope["path"])
            if started:
                raise
            message = "Something went wrong on the server. Try again."
            await failure(scope, 500, message)(scope, receive, with_headers)


class Hosts(_Middleware):
    """Refuses Host headers that are not `name[:port]` or do not name this server.

    A Host with a path in it could disguise the path. And a page elsewhere could let its name
    point to this machine and read our responses (DNS rebinding); the browser still sends its name.

    Args:
        app: The next application.
        local: Whether to accept only local names.
    """

    def __init__(self, app: ASGIApp, *, local: bool) -> None:
        super().__init__(app)
        self._local = local

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        host = Headers(scope=scope).get("host", "")
        app = self._app
        if not _HOST.fullmatch(host):
            app = failure(scope, 400, "The Host header of this request is not valid.")
        elif self._local and not _is_local(host):
            app = failure(scope, 421, "This server only answers to localhost. Use that address.")
        await app(scope, receive, send)


class BodyLimit(_Middleware):
    """Answers 413 to requests that are too large and 408 to those that are too slow."""

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        limit = _MAX_BYTES_BY_PATH.get(scope["path"], _MAX_BYTES)
        too_large = f"Too large (limit {limit / 1e6:.0f} MB)."
        announced = Headers(scope=scope).get("content-length", "0")
        if not announced.isdecimal() or int(announced) > limit:
            await failure(scope, 413, too_large)(scope, receive, send)
            return
        size, complete = 0, False
        deadline = current_time() + WHOLE_SECONDS

        async def limited() -> Message:
            nonlocal size, complete
            if complete:  # from here on, callers wait for the browser to disconnect
                return await receive()
            try:
                with fail_after(min(QUIET_SECONDS, deadline - current_time())):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, "The upload was too slow. Try again.") from None
            complete = not message.get("more_body", False)
            size += len(message.get("body", b""))
            if size > limit:
                raise HTTPException(413, too_large)
            return message

        await self._app(scope, limited, send)


def _is_local(host: str) -> bool:
    try:
        name = urlsplit(f"//{host}").hostname or ""
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
