"""Coming in with the owner's password, and leaving."""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response

from commonground.annotate.database import end_session, start_session
from commonground.web.context import TheDatabase, page
from commonground.web.security.cookie import session_cookie

router = APIRouter(include_in_schema=False)


@router.get("/login")
def login_page(request: Request, next: Annotated[str, Query()] = "/") -> Response:
    """The form; where there is no password, nobody needs it."""
    if request.app.state.password is None:
        return RedirectResponse("/", 303)
    return page(request, "login.html", next=own_path(next))


@router.post("/login")
def log_in(
    request: Request,
    database: TheDatabase,
    password: Annotated[str, Form(max_length=1000)],
    next: Annotated[str, Form()] = "/",
) -> Response:
    """Check the password and start a session of the owner."""
    state, address = request.app.state, request.client.host if request.client else ""
    if state.password is None:
        return RedirectResponse("/", 303)
    wait = state.throttle.attempt(address)
    if wait:
        words = f"Too many attempts: try again in {-(-wait // 60)} minutes."
        refused = page(request, "login.html", 429, next=own_path(next), error=words)
        refused.headers["Retry-After"] = str(wait)
        return refused
    if not state.password.matches(password):
        words = "That is not the password."
        return page(request, "login.html", 403, next=own_path(next), error=words)
    state.throttle.forgive(address)
    cookie = state.settings.cookie
    if before := request.cookies.get(cookie):
        end_session(database, before)
    secret, _ = start_session(database, "owner")
    answer = RedirectResponse(own_path(next), 303)
    answer.headers.append("Set-Cookie", session_cookie(cookie, secret, request))
    return answer


@router.post("/logout")
def log_out(request: Request, database: TheDatabase) -> Response:
    """End the session here and in the browser."""
    cookie = request.app.state.settings.cookie
    end_session(database, request.cookies.get(cookie, ""))
    answer = Response(status_code=204)
    answer.headers.append("Set-Cookie", session_cookie(cookie, "", request))
    return answer


def own_path(wanted: str) -> str:
    r"""Where to go after the login: a path of ours, never another site.

    Example:
        >>> own_path("/compare?a=1"), own_path("//evil.example"), own_path("/\\evil.example")
        ('/compare?a=1', '/', '/')
    """
    fine = wanted.startswith("/") and wanted.isprintable() and "\\" not in wanted
    return wanted if fine and not wanted.startswith("//") else "/"
