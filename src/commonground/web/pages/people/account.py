"""The Account page: change your password, see and end your sessions."""

from typing import Final

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from commonground.database import (
    end_session_by_id,
    end_sessions,
    find_account,
    find_login,
    list_sessions,
    record,
    set_password,
)
from commonground.web.context import CurrentSession, TheDatabase, page
from commonground.web.security.password import MIN_LENGTH, check_new_password

router = APIRouter(tags=["account"])

_NO_SESSION: Final = "This session has ended already."


class ChangePassword(BaseModel):
    """The current password, and the new one."""

    current: str = Field(max_length=1000)
    new: str = Field(max_length=1000)


@router.get("/account", include_in_schema=False)
def account_page(request: Request, session: CurrentSession, database: TheDatabase) -> Response:
    """Show who is logged in and where."""
    account = None if session.account is None else find_account(database, session.account)
    sessions = list_sessions(database, session.viewer, mark=request.app.state.owner_mark)
    return page(request, "account.html", account=account, sessions=sessions, shortest=MIN_LENGTH)


@router.post("/api/account/password", status_code=204)
def change_password(
    wanted: ChangePassword, request: Request, session: CurrentSession, database: TheDatabase
) -> None:
    """Change your password; your other sessions end."""
    state = request.app.state
    if session.account is None:
        raise HTTPException(403, "The server's owner changes the password where it is started.")
    address = request.client.host if request.client else ""
    if wait := state.throttle.attempt(address, session.name):
        headers = {"Retry-After": str(wait)}
        raise HTTPException(429, "Too many attempts. Try again later.", headers)
    found = find_login(database, session.name)
    if not state.hasher.matches(found[1] if found else None, wanted.current):
        raise HTTPException(403, "The current password is wrong.")
    state.throttle.forgive(address, session.name)
    check_new_password(wanted.new, session.name)
    set_password(database, session.account, state.hasher.hash(wanted.new), but=session.id)
    record(database, session.actor, "password changed", f"account {session.account}")


@router.delete("/api/account/sessions", status_code=204)
def end_others(session: CurrentSession, database: TheDatabase) -> None:
    """End all your sessions but this one."""
    end_sessions(database, session.viewer, but=session.id)


@router.delete("/api/account/sessions/{session_id}", status_code=204)
def end_one(
    session_id: str, request: Request, session: CurrentSession, database: TheDatabase
) -> None:
    """End one of your sessions."""
    mark = request.app.state.owner_mark
    if session_id not in {one.id for one in list_sessions(database, session.viewer, mark=mark)}:
        raise HTTPException(404, _NO_SESSION)
    end_session_by_id(database, session_id)
