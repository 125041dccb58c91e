"""Log in with the owner's password, and log out."""

from typing import Annotated, Literal

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response

from commonground.database import LIFETIMES, end_session, start_session
from commonground.web.context import TheDatabase, page
from commonground.web.security.middleware import session_cookie

router = APIRouter(include_in_schema=False)


@router.get("/login")
def login_page(request: Request, next: Annotated[str, Query()] = "/") -> Response:
    """Show the form, if the server has a password."""
    if request.app.state.password is None:
        return RedirectResponse("/", 303)
    return page(request, "login.html", next=own_path(next))


@router.post("/login")
def log_in(
    request: Request,
    password: Annotated[str, Form(max_length=1000)],
    next: Annotated[str, Form()] = "/",
) -> Response:
    """Check the password and start a session for the owner."""
    state, address = request.app.state, request.client.host if request.client else ""
    if state.password is None:
        return RedirectResponse("/", 303)
    wait = state.throttle.attempt(address)
    if wait:
        error = f"Too many attempts. Try again in {-(-wait // 60)} minutes."
        refused = page(request, "login.html", 429, next=own_path(next), error=error)
        refused.headers["Retry-After"] = str(wait)
        return refused
    if not state.password.matches(password):
        return page(request, "login.html", 403, next=own_path(next), error="Wrong password.")
    state.throttle.forgive(address)
    return enter(request, own_path(next), "owner")


@router.post("/logout")
def log_out(request: Request, database: TheDatabase) -> Response:
    """End the session and delete the cookie."""
    cookie = request.app.state.settings.cookie
    end_session(database, request.cookies.get(cookie, ""))
    response = Response(status_code=204)
    response.headers.append("Set-Cookie", session_cookie(cookie, "", request))
    return response


def enter(
    request: Request, path: str, role: Literal["owner", "annotator"], annotator: int | None = None
) -> Response:
    """Replace the browser's session by a new one, and redirect."""
    database, cookie = request.app.state.database, request.app.state.settings.cookie
    if old := request.cookies.get(cookie):
        end_session(database, old)
    secret, _ = start_session(database, role, annotator)
    days = LIFETIMES[role].days or None  # an owner's cookie ends with the browser
    response = RedirectResponse(path, 303)
    response.headers.append("Set-Cookie", session_cookie(cookie, secret, request, days=days))
    return response


def own_path(path: str) -> str:
    r"""Return the path to open after the login; `/` if it could lead to another site.

    Example:
        >>> own_path("/compare?a=1"), own_path("//evil.example"), own_path("/\\evil.example")
        ('/compare?a=1', '/', '/')
    """
    safe = path.startswith("/") and path.isprintable() and "\\" not in path
    return path if safe and not path.startswith("//") else "/"
