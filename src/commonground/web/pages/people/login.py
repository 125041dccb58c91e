"""Log in with an account, the owner's password or the server's token, and log out."""

from datetime import timedelta
from typing import Annotated, Any, Final, cast

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response

from commonground.database import (
    LIFETIMES,
    Account,
    Role,
    account_number,
    end_session,
    find_login,
    has_accounts,
    login_name,
    record,
    start_session,
)
from commonground.web.context import TheDatabase, page
from commonground.web.security.middleware import session_cookie
from commonground.web.security.password import Password

router = APIRouter(include_in_schema=False)

_TOKEN_DAYS: Final = 30
_WRONG_TOKEN: Final = "This token is not valid. Copy the whole link that the server printed."
_USED_TICKET: Final = "This link was used before. Open the link that the server printed."


@router.get("/login")
def login_page(
    request: Request,
    next: Annotated[str, Query()] = "/",
    token: Annotated[str, Query(max_length=1000)] = "",
    ticket: Annotated[str, Query(max_length=1000)] = "",
) -> Response:
    """Show the form, or log in a browser that opens the printed link."""
    if request.app.state.settings.is_open:
        return RedirectResponse("/", 303)
    if token:
        return _by_token(request, token, next)
    if ticket and (local := request.app.state.token):
        secret = local.redeem(request.app.state.database, ticket, lambda: start(request, "owner"))
        if secret is None:
            return page(request, "login.html", 403, next="/", error=_USED_TICKET)
        return admitted(request, own_path(next), secret, days=_TOKEN_DAYS)
    return _form(request, next)


@router.post("/login")
def log_in(
    request: Request,
    password: Annotated[str, Form(max_length=1000)],
    name: Annotated[str, Form(max_length=200)] = "",
    next: Annotated[str, Form()] = "/",
) -> Response:
    """Check the password or token and start a session; without a name, for the owner."""
    state, address = request.app.state, request.client.host if request.client else ""
    if state.settings.is_open:
        return RedirectResponse("/", 303)
    if state.token:
        return _by_token(request, password.strip().rpartition("token=")[2], next)
    wait = state.throttle.attempt(address, login_name(name))
    if wait:
        error = f"Too many attempts. Try again in {-(-wait // 60)} minutes."
        refused = _form(request, next, 429, error=error, name=name)
        refused.headers["Retry-After"] = str(wait)
        return refused
    account = _account(request, name, password)
    if account is None and (name.strip() or not _is_owner(request, password)):
        record(state.database, "nobody", "login refused", _refused(request, name))
        error = "Wrong name or password." if name.strip() else "Wrong password."
        return _form(request, next, 403, error=error, name=name)
    state.throttle.forgive(address, login_name(name))
    return logged_in(request, account, next)


@router.get("/logged-in")
def logged_in_page(request: Request) -> Response:
    """Say that the tab whose session had ended can continue."""
    return page(request, "logged_in.html")


@router.post("/logout")
def log_out(request: Request, database: TheDatabase) -> Response:
    """End the session and delete the cookie."""
    cookie = request.app.state.settings.cookie
    end_session(database, request.cookies.get(cookie, ""))
    response = Response(status_code=204)
    response.headers.append("Set-Cookie", session_cookie(cookie, "", request))
    return response


def logged_in(request: Request, account: Account | None, next: str = "/") -> Response:
    """Start a session of an account, or (None) of the owner, and note it in the audit log."""
    who, role, number = "owner", "owner", None
    if account is not None:
        who, role, number = account.name, account.role, account.id
    record(request.app.state.database, who, "login", f"account {number}" if number else "")
    return enter(request, own_path(next), cast(Role, role), account=number)


def enter(
    request: Request,
    path: str,
    role: Role,
    annotator: int | None = None,
    account: int | None = None,
) -> Response:
    """Replace the browser's session by a new one, and redirect."""
    secret = start(request, role, annotator, account)
    days = LIFETIMES[role].days or None  # a user's cookie ends with the browser
    return admitted(request, path, secret, days=days)


def start(
    request: Request, role: Role, annotator: int | None = None, account: int | None = None
) -> str:
    """End the browser's session and start a new one; return its secret."""
    state = request.app.state
    if old := request.cookies.get(state.settings.cookie):
        end_session(state.database, old)
    agent = request.headers.get("user-agent", "")
    lifetime = timedelta(days=_TOKEN_DAYS) if role == "owner" and state.token else LIFETIMES[role]
    secret, _ = start_session(
        state.database,
        role,
        annotator,
        account=account,
        mark=state.owner_mark,
        agent=agent,
        lifetime=lifetime,
    )
    return secret


def admitted(request: Request, path: str, secret: str, *, days: int | None = None) -> Response:
    """Redirect with the cookie of a new session."""
    response = RedirectResponse(path, 303)
    cookie = request.app.state.settings.cookie
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


def _form(request: Request, next: str, status: int = 200, **values: Any) -> Response:
    state = request.app.state
    people = state.settings.accounts or has_accounts(state.database)
    return page(
        request,
        "login.html",
        status,
        next=own_path(next),
        people=people,
        owner=state.password,
        **values,
    )


def _account(request: Request, name: str, password: str) -> Account | None:
    if not name.strip():
        return None
    state = request.app.state
    found = find_login(state.database, name)
    account, known = found or (None, None)
    return account if state.hasher.matches(known, password) else None


def _refused(request: Request, name: str) -> str:
    """Return whose login was refused, never the typed name: it could be a password."""
    if not name.strip():
        return "owner"
    number = account_number(request.app.state.database, name)
    return "account" if number is None else f"account {number}"


def _is_owner(request: Request, password: str) -> bool:
    owner: Password | None = request.app.state.password
    return owner is not None and owner.matches(password)


def _by_token(request: Request, token: str, next: str) -> Response:
    local = request.app.state.token
    if local is None or not local.matches(token):
        return page(request, "login.html", 403, next=own_path(next), error=_WRONG_TOKEN)
    return admitted(request, own_path(next), start(request, "owner"), days=_TOKEN_DAYS)
