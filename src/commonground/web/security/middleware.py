"""Middleware around every request: headers, limits, and the gate.

The gate checks session, origin and token before a page sees a request. Paths that are not listed
here are for users alone, and projects and results for those who may use them, so no page can
forget a check. The gate reads the path that also selects the route; the path of `request.url`
depends on the Host header.
"""

import hmac
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from anyio import current_time, fail_after
from anyio.to_thread import run_sync
from fastapi import HTTPException
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from commonground.database import (
    Database,
    Session,
    UnavailableError,
    find_session,
    start_session,
)
from commonground.web.context import SESSION_ENDED, failure
from commonground.web.security.audit import recording
from commonground.web.security.failures import log_failure
from commonground.web.security.ownership import link_refusal, login_first, ownership_refusal
from commonground.web.settings import WebSettings

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'"
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

_PART_BYTES: Final = 65_536  # of a response
_MAX_BYTES: Final = 4_000_000
_MAX_BYTES_BY_PATH: Final = {
    "/api/text": 25_000_000,
    "/api/annotate/projects": 50_000_000,
    "/api/annotate/preview": 50_000_000,
}
QUIET_SECONDS: Final = 30.0
"""Longest pause within a request."""

WHOLE_SECONDS: Final = 600.0
"""Longest time for a whole request."""

# Paths; one that ends in "/" includes everything below it.
# Forms that are sent before there is a session.
_ENTRANCES: Final = ("/login", "/login/", "/invite/", "/join/")
# Shared links cannot be guessed, and `link_refusal` checks those that are for chosen people; the
# Help page has nothing of anyone's.
_PUBLIC: Final = ("/static/", *_ENTRANCES, "/saved/", "/kept/", "/help")
_WORK: Final = ("/annotate/work/", "/api/annotate/work/")  # for annotators, not the owner
_ANNOTATORS: Final = (*_WORK, "/logout")
_ADMINISTRATORS: Final = ("/people", "/people/", "/api/people", "/api/people/")

_SAFE: Final = ("GET", "HEAD", "OPTIONS")
# A closed link leaves no trace of its sessions, so expired sessions get the same message.
_LABELLING_ENDED: Final = (
    "The owner has closed or renewed your link, or your session has ended. Your labels are saved. "
    "Open your invitation link again, or ask the owner for a new one."
)

# Browsers withhold our cookie when a link on another site leads here. Reloading sends it.
_RELOAD: Final = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>commonground</title>'
    '<meta http-equiv="refresh" content="0"></head><body><p><a href="">Continue</a></p></body>'
    "</html>"
)


class Middleware(ABC):
    """ASGI middleware that handles HTTP requests and passes everything else on."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or pass on anything else."""
        handle = self._handle if scope["type"] == "http" else self._app
        await handle(scope, receive, send)

    @abstractmethod
    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None: ...


class SafeHeaders(Middleware):
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
            for part in _parts(message):
                await send(part)

        try:
            await self._app(scope, receive, with_headers)
        except Exception as error:
            log_failure(scope, error)
            if started:  # ends the connection, and the browser sees an incomplete response
                return
            status, message = 500, "Something went wrong on the server. Try again."
            if isinstance(error, UnavailableError):  # from the gate
                status, message = error.status, str(error)
            await failure(scope, status, message)(scope, receive, with_headers)


def _parts(message: Message) -> Iterator[Message]:
    """Cut a long body, so that the server holds little of it for a browser that reads slowly."""
    body, whole = message.get("body", b""), message["type"] != "http.response.body"
    if whole or len(body) <= _PART_BYTES:
        yield message
        return
    for start in range(0, len(body), _PART_BYTES):
        end = start + _PART_BYTES
        more = end < len(body) or message.get("more_body", False)
        yield {**message, "body": body[start:end], "more_body": more}


class BodyLimit(Middleware):
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


class Gate(Middleware):
    """Sets `request.state.session` and refuses what the session does not allow."""

    def __init__(self, app: ASGIApp, settings: WebSettings) -> None:
        super().__init__(app)
        self._settings = settings

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        # A route also matches its path with a line break at the end; the checks here would not.
        if not scope["path"].isprintable():
            await failure(scope, 404, "This page does not exist.")(scope, receive, send)
            return
        if scope["path"].startswith("/static/"):
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        database: Database = request.app.state.database
        secret = request.cookies.get(self._settings.cookie)
        session = await run_sync(self._session, request, secret) if secret else None
        if refusal := _cross_site_refusal(request, session):
            await refusal(scope, receive, send)
            return
        if session is None and self._admits(request):
            fresh, session = await run_sync(start_session, database, "owner")
            send = _with_cookie(send, session_cookie(self._settings.cookie, fresh, request))
        request.state.session = session
        app: ASGIApp | None = None
        if not _may_see(session, scope["path"]):
            app = self._denial(request, session)
        elif session is not None and session.is_user:
            app = await run_sync(ownership_refusal, request, session)
        if app is None and scope["path"].startswith("/saved/"):
            app = await run_sync(link_refusal, request, session)
        if app is None:
            app, send = self._app, recording(request, session, send)
        await app(scope, receive, send)

    @staticmethod
    def _session(request: Request, secret: str) -> Session | None:
        state = request.app.state
        return find_session(state.database, secret, mark=state.owner_mark)

    def _admits(self, request: Request) -> bool:
        """Return whether a visitor becomes the owner: on any page, if nothing is asked for."""
        path = request.scope["path"]
        return (
            self._settings.is_open
            and request.method in _SAFE
            and not path.startswith("/api/")
            and not _matches(path, _ENTRANCES + _WORK)
        )

    def _denial(self, request: Request, session: Session | None) -> Response:
        if session is not None:
            message = "Only administrators may see this page."
            if session.is_annotator:
                message = "Your invitation does not cover this page: only the owner may see it."
            return failure(request.scope, 403, message)
        path = request.scope["path"]
        if _matches(path, _WORK):
            return failure(request.scope, 401, _LABELLING_ENDED)
        if request.method in _SAFE and not path.startswith("/api/") and not self._settings.is_open:
            return login_first(request)
        return failure(request.scope, 401, SESSION_ENDED)


def session_cookie(name: str, secret: str, request: Request, *, days: int | None = None) -> str:
    """Return a `Set-Cookie` header for a cookie that no script reads and no other site sends.

    It lasts some days (default: until the browser closes); an empty secret deletes it.
    """
    response = Response()
    response.set_cookie(
        name,
        secret,
        max_age=0 if not secret else None if days is None else days * 86400,
        path=f"{request.app.state.settings.root_path}/",
        httponly=True,
        samesite="strict",
        secure=request.scope["scheme"] == "https",
    )
    return response.headers["set-cookie"]


def _matches(path: str, paths: tuple[str, ...]) -> bool:
    return any(path == known or (known.endswith("/") and path.startswith(known)) for known in paths)


def _may_see(session: Session | None, path: str) -> bool:
    if _matches(path, _PUBLIC):
        return True
    if session is None or session.is_annotator:
        return session is not None and _matches(path, _ANNOTATORS)
    return session.is_administrator or not _matches(path, _ADMINISTRATORS)


def _cross_site_refusal(request: Request, session: Session | None) -> Response | None:
    """Return the response to a request that another site may have caused, or None."""
    path = request.scope["path"]
    if request.method in _SAFE:
        cross_site = request.headers.get("sec-fetch-site") == "cross-site"
        if session is None and cross_site and not path.startswith("/api/"):
            return HTMLResponse(_RELOAD)
        return None
    if not _is_same_origin(request):
        return failure(request.scope, 403, _origin_problem(request))
    if session is None or _matches(path, _ENTRANCES):
        return None
    token = request.headers.get("x-csrf-token", "").encode()
    if not hmac.compare_digest(token, session.csrf.encode()):
        return failure(request.scope, 403, "This page is out of date. Reload it and try again.")
    return None


def _is_same_origin(request: Request) -> bool:
    """Compare the Origin header, which browsers send with unsafe requests, with our address."""
    origin = urlsplit(request.headers.get("origin", ""))
    return bool(origin.netloc) and (origin.scheme, origin.netloc) == (
        request.scope["scheme"],
        request.headers.get("host", ""),
    )


def _origin_problem(request: Request) -> str:
    """Say why the Origin is refused; with a proxy that is not trusted, only its scheme differs."""
    expected = f"https://{request.headers.get('host', '')}"
    if request.scope["scheme"] == "http" and request.headers.get("origin") == expected:
        return (
            "This server does not trust the proxy that adds https. Its owner can name the proxy "
            "with --trusted-proxy."
        )
    return "Refused: this request came from another site."


def _with_cookie(send: Send, cookie: str) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).append("Set-Cookie", cookie)
        await send(message)

    return sending
