"""Below a path of a proxy, and HEAD requests: both done once, so that no page knows of them."""

from urllib.parse import urlsplit, urlunsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from commonground.web.context import failure
from commonground.web.health import HEALTH
from commonground.web.security.middleware import Middleware


class Head(Middleware):
    """Answers HEAD as GET, without the body."""

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        async def without_body(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        # A copy: the server needs to know that the request was HEAD.
        await self._app({**scope, "method": "GET"}, receive, without_body)


class RootPath(Middleware):
    """Removes the root path from requests and adds it to redirects.

    The proxy passes paths on unchanged. What is not below the root path does not exist, except
    the start page, which redirects there, and the answers to probes.
    """

    def __init__(self, app: ASGIApp, root: str) -> None:
        super().__init__(app)
        self._root = root

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        root, path = self._root, scope["path"]
        if path.startswith(f"{root}/"):
            # In place: the middleware around this one reads the path, too.
            scope["path"] = path.removeprefix(root)
            scope["raw_path"] = scope.get("raw_path", b"").removeprefix(root.encode())
            await self._app(scope, receive, self._redirecting(scope, send))
        elif path in HEALTH:
            await self._app(scope, receive, send)
        elif path in ("/", root):
            await RedirectResponse(f"{root}/", 303)(scope, receive, send)
        else:
            message = f"This page does not exist. The pages are below {root}/."
            await failure(scope, 404, message)(scope, receive, send)

    def _redirecting(self, scope: Scope, send: Send) -> Send:
        host = Headers(scope=scope).get("host", "")

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                target = urlsplit(headers.get("location", ""))
                if target.path.startswith("/") and target.netloc in ("", host):
                    moved = target._replace(path=f"{self._root}{target.path}")
                    headers["location"] = urlunsplit(moved)
            await send(message)

        return sending
