"""Links that invite a person, or let them set a new password: they work once and expire."""

from typing import Annotated, Final

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import Response

from commonground.database import (
    OWNER,
    Account,
    accept_link,
    account_of_link,
    hand_over,
    has_administrator,
    is_made_up,
    record,
)
from commonground.errors import InputError
from commonground.web.context import TheDatabase, page, sentence
from commonground.web.pages.people.login import logged_in
from commonground.web.security.password import MIN_LENGTH, check_new_password

router = APIRouter(include_in_schema=False)

_NO_LINK: Final = (
    "This link was used, has expired or is not valid. Ask an administrator for a new one."
)


@router.get("/join/{token}")
def join_page(request: Request, token: str, database: TheDatabase) -> Response:
    """Show the form; this uses nothing up, since mail programs open links too."""
    return _form(request, _known(request, token), 200)


@router.post("/join/{token}")
def join(
    request: Request,
    token: str,
    database: TheDatabase,
    password: Annotated[str, Form(max_length=1000)],
    name: Annotated[str | None, Form(max_length=200)] = None,
) -> Response:
    """Set the password, and the first administrator's name; use the link up, and log in."""
    account = _known(request, token)
    first = is_first(request, account)
    chosen = name if first else None
    try:
        check_new_password(password, chosen or account.name)
        hashed = request.app.state.hasher.hash(password)
        joined = accept_link(database, token, password_hash=hashed, name=chosen)
    except InputError as error:
        return _form(request, account, 400, error=sentence(str(error)), name=chosen)
    if joined is None:  # somebody was faster
        raise HTTPException(404, _NO_LINK)
    welcome(request, joined, is_first=first)
    return logged_in(request, joined)


def welcome(request: Request, account: Account, *, is_first: bool) -> None:
    """Note that a link was used; the first administrator gets what the owner had."""
    state = request.app.state
    record(state.database, account.name, "link used", f"account {account.id}")
    if is_first and account.role == "administrator" and state.password is None:
        hand_over(state.database, OWNER, account.viewer)


def is_first(request: Request, account: Account) -> bool:
    """Return whether this is the first administrator, who chooses their own name."""
    state = request.app.state
    invited = account.role == "administrator" and account.state == "invited"
    return invited and state.password is None and not has_administrator(state.database)


def takes_address(request: Request, account: Account) -> bool:
    """Return whether the address at the provider becomes the name, which nobody has chosen yet."""
    return is_first(request, account) and is_made_up(account.name)


def _known(request: Request, token: str) -> Account:
    state = request.app.state
    account = account_of_link(state.database, token) if state.settings.has_login else None
    if account is not None:
        return account
    address = request.client.host if request.client else ""
    if wait := state.link_throttle.attempt(address):
        headers = {"Retry-After": str(wait)}
        raise HTTPException(429, "Too many attempts. Try again later.", headers)
    raise HTTPException(404, _NO_LINK)


def _form(
    request: Request, account: Account, status: int, error: str = "", name: str | None = None
) -> Response:
    values = {
        "account": account,
        "error": error,
        "shortest": MIN_LENGTH,
        "name": account.name if name is None else name,
        "is_first": is_first(request, account),
        "takes_address": takes_address(request, account),
    }
    return page(request, "join.html", status, **values)
