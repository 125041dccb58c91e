"""The gate: no request reaches a page before its session, origin and token are checked.

It stands before all routes, so that a new page is the owner's alone until `access` says
otherwise, and no page can forget a check. It reads the path that routes are chosen by: that of
`request.url` is made from what the Host header says too.
"""

import hmac
from typing import Final
from urllib.parse import quote, urlsplit

from anyio.to_thread import run_sync
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from commonground.annotate.database import Database, Session, find_session, start_session
from commonground.web.respond import failure
from commonground.web.security.access import ENTRANCES, WORK, matches, may_see
from commonground.web.security.cookie import session_cookie
from commonground.web.settings import WebSettings

_SAFE: Final = ("GET", "HEAD", "OPTIONS")
_TOKEN: Final = "x-csrf-token"
# A closed link leaves no trace of its sessions, so this is said to those whose time is up, too.
_LABELLING_IS_OVER: Final = (
    "The owner has closed or renewed your link, or your session has ended. What was saved is "
    "kept: open your invitation link again, or ask the owner for a new one."
)

# Browsers keep our cookie back when a link on another site leads here. The same page asked for
# once more, by itself, brings it.
_ONCE_MORE: Final = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>commonground</title>'
    '<meta http-equiv="refresh" content="0"></head><body><p><a href="">Go on</a></p></body></html>'
)


class Gate:
    """Finds the session of a request (`request.state.session`) and refuses what it may not do."""

    def __init__(self, app: ASGIApp, settings: WebSettings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand it on."""
        if scope["type"] != "http" or scope["path"].startswith("/static/"):
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        database: Database = request.app.state.database
        secret = request.cookies.get(self._settings.cookie)
        session = await run_sync(find_session, database, secret) if secret else None
        if refusal := self._refusal(request, session):
            await refusal(scope, receive, send)
            return
        if session is None and self._lets_in(request):
            fresh, session = await run_sync(start_session, database, "owner")
            send = _with_cookie(send, session_cookie(self._settings.cookie, fresh, request))
        request.state.session = session
        if not may_see(session, request.scope["path"]):
            await self._turned_away(request, session)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _refusal(self, request: Request, session: Session | None) -> Response | None:
        """The answer to a request that may come from another site's page, if it may."""
        path = request.scope["path"]
        if request.method in _SAFE:
            from_elsewhere = request.headers.get("sec-fetch-site") == "cross-site"
            if session is None and from_elsewhere and not path.startswith("/api/"):
                return HTMLResponse(_ONCE_MORE)
            return None
        if not _own_origin(request):
            words = "This request came from another site, and was refused."
            return failure(request.scope, 403, words)
        if session is None or matches(path, ENTRANCES):
            return None
        given = request.headers.get(_TOKEN, "").encode()
        if not hmac.compare_digest(given, session.csrf.encode()):
            words = "This page is out of date: load it again and repeat what you did."
            return failure(request.scope, 403, words)
        return None

    def _lets_in(self, request: Request) -> bool:
        """Whether a stranger becomes the owner: on this machine, without a password, on a page."""
        path = request.scope["path"]
        return (
            self._settings.password is None
            and request.method in _SAFE
            and not path.startswith("/api/")
            and not matches(path, ENTRANCES + WORK)
        )

    def _turned_away(self, request: Request, session: Session | None) -> Response:
        if session is not None:
            words = "Your invitation does not lead here: only the owner of this server may see it."
            return failure(request.scope, 403, words)
        path = request.scope["path"]
        if matches(path, WORK):
            return failure(request.scope, 401, _LABELLING_IS_OVER)
        if request.method in _SAFE and not path.startswith("/api/") and self._settings.password:
            query = request.scope["query_string"].decode("latin-1")
            where = f"{path}?{query}" if query else path
            return RedirectResponse(f"/login?next={quote(where, safe='')}", 303)
        return failure(request.scope, 401, "Your session is over: load the page again.")


def _own_origin(request: Request) -> bool:
    """Whether a browser says that a page of ours sent this; all send it with unsafe requests."""
    origin = urlsplit(request.headers.get("origin", ""))
    return bool(origin.netloc) and (origin.scheme, origin.netloc) == (
        request.scope["scheme"],
        request.headers.get("host", ""),
    )


def _with_cookie(send: Send, cookie: str) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).append("Set-Cookie", cookie)
        await send(message)

    return sending
