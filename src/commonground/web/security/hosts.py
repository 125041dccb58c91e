"""Checks of a request's Host, and of signs that a proxy has passed it on."""

import ipaddress
import re
import socket
from functools import cached_property
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from commonground.web.context import failure
from commonground.web.security.middleware import Middleware
from commonground.web.settings import WebSettings

_HOST: Final = re.compile(r"([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")
_FORWARDED: Final = re.compile(r"forwarded|x-forwarded(-.*)?|x-real-ip|via")


class Hosts(Middleware):
    """Refuses Host headers that are not `name[:port]` or do not name this server.

    A Host with a path in it could disguise the path. And a page elsewhere could let its name
    point to this machine and read our responses (DNS rebinding); the browser still sends its name.
    """

    def __init__(self, app: ASGIApp, settings: WebSettings) -> None:
        super().__init__(app)
        self._settings = settings

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        host = Headers(scope=scope).get("host", "")
        app = self._app
        if not _HOST.fullmatch(host):
            app = failure(scope, 400, "The Host header of this request is not valid.")
        elif not self._answers_to(_name(host)):
            where = "localhost" if self._settings.is_local else "its own address"
            hint = "" if self._settings.is_local else " Its owner can add a name with --name."
            message = f"This server only answers to {where}. Use that address.{hint}"
            app = failure(scope, 421, message)
        await app(scope, receive, send)

    def _answers_to(self, name: str) -> bool:
        settings = self._settings
        if name in settings.names or (settings.proxies and not settings.names):
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return name == "localhost" or (not settings.is_local and name in self._own_names)
        return address.is_loopback or not settings.is_local

    @cached_property
    def _own_names(self) -> frozenset[str]:
        """The names of this machine, looked up when a browser uses a name at all."""
        return frozenset(map(str.lower, (self._settings.host, socket.gethostname())))


class NoProxy(Middleware):
    """Refuses requests that a proxy has passed on, unless the server is told of a proxy.

    Without a password everyone behind the proxy would be the owner.
    """

    def __init__(self, app: ASGIApp, settings: WebSettings) -> None:
        super().__init__(app)
        self._local = settings.is_local
        # What common proxies speak by default, and no browser does.
        self._old_http = settings.password is None

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        passed_on = any(map(_FORWARDED.fullmatch, Headers(scope=scope)))
        old = self._old_http and scope.get("http_version") == "1.0"
        app = self._app
        if self._local and (passed_on or old):
            message = "This request came through a proxy. Start the server with --behind-proxy."
            app = failure(scope, 403, message)
        await app(scope, receive, send)


def _name(host: str) -> str:
    """Return the host without its port, in lower case."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
