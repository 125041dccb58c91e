"""The People pages, for administrators: invitations, roles, sessions and the audit log."""

import json
from collections.abc import Iterator
from typing import Annotated, Final, Literal

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, Field

from commonground.cells import csv_line
from commonground.database import (
    AccountRole,
    Database,
    Viewer,
    add_account,
    all_audit_entries,
    audit_entries,
    end_session_by_id,
    find_account,
    hand_over,
    list_accounts,
    list_sessions,
    new_link,
    record,
    set_disabled,
    set_role,
)
from commonground.web.context import CurrentSession, TheDatabase, page
from commonground.web.pages.annotate.labelling import Number

router = APIRouter(tags=["people"])

_COLUMNS: Final = ("id", "at", "actor", "action", "subject", "account", "project")
_LINES: Final = 100
_NOT_YOURSELF: Final = "Another administrator has to do this to your account."


class Invite(BaseModel):
    """A person to invite, by login name or e-mail address."""

    name: str = Field(max_length=200)
    role: AccountRole = "member"


class Invited(BaseModel):
    """The link for a person, shown only once: just its hash is stored."""

    account: int
    name: str
    link: str


class Change(BaseModel):
    """A new role, or whether the account is disabled."""

    role: AccountRole | None = None
    disabled: bool | None = None


class HandedOver(BaseModel):
    """How many projects and results now belong to you."""

    projects: int
    results: int


@router.get("/people", include_in_schema=False)
def people_page(request: Request, database: TheDatabase) -> Response:
    """List the accounts and sessions."""
    sessions = list_sessions(database, mark=request.app.state.owner_mark)
    return page(request, "people.html", accounts=list_accounts(database), sessions=sessions)


@router.post("/api/people", status_code=201)
def invite_person(
    wanted: Invite, request: Request, session: CurrentSession, database: TheDatabase
) -> Invited:
    """Add a person and return the link that invites them."""
    _limit(request, session.id)
    token, account = add_account(database, wanted.name, wanted.role)
    record(database, session.actor, f"{wanted.role} invited", f"account {account.id}")
    return Invited(account=account.id, name=account.name, link=f"/join/{token}")


@router.post("/api/people/{account}/link")
def renew_link(
    account: Number, request: Request, session: CurrentSession, database: TheDatabase
) -> Invited:
    """Return a link by which a person sets a new password; an earlier link ends."""
    _limit(request, session.id)
    token = new_link(database, account)
    record(database, session.actor, "password link made", f"account {account}")
    name = find_account(database, account).name
    return Invited(account=account, name=name, link=f"/join/{token}")


@router.patch("/api/people/{account}", status_code=204)
def change_person(
    account: Number, wanted: Change, session: CurrentSession, database: TheDatabase
) -> None:
    """Change a role, disable an account or enable it again."""
    if account == session.account:
        raise HTTPException(403, _NOT_YOURSELF)
    find_account(database, account)
    if wanted.role is not None:
        set_role(database, account, wanted.role)
        record(database, session.actor, f"role changed to {wanted.role}", f"account {account}")
    if wanted.disabled is not None:
        set_disabled(database, account, disabled=wanted.disabled)
        action = "account disabled" if wanted.disabled else "account enabled"
        record(database, session.actor, action, f"account {account}")


@router.post("/api/people/{account}/hand-over")
def take_over(account: Number, session: CurrentSession, database: TheDatabase) -> HandedOver:
    """Make the projects and results of a disabled account yours."""
    if find_account(database, account).state != "disabled":
        raise HTTPException(409, "Disable the account first.")
    projects, results = hand_over(database, Viewer(account), session.viewer)
    record(database, session.actor, "projects and results taken over", f"account {account}")
    return HandedOver(projects=projects, results=results)


@router.delete("/api/people/sessions/{session_id}", status_code=204)
def end_any_session(
    session_id: str, request: Request, session: CurrentSession, database: TheDatabase
) -> None:
    """End any session."""
    sessions = list_sessions(database, mark=request.app.state.owner_mark)
    found = {one.id: one for one in sessions}.get(session_id)
    if found is None:
        raise HTTPException(404, "This session has ended already.")
    end_session_by_id(database, session_id)
    whose = "owner" if found.account is None else f"account {found.account}"
    record(database, session.actor, "session ended", whose)


@router.get("/people/log", include_in_schema=False)
def log_page(
    request: Request,
    database: TheDatabase,
    before: Annotated[int | None, Query(ge=1, le=2**31 - 1)] = None,
) -> Response:
    """Show the audit log, newest first."""
    entries = audit_entries(database, _LINES + 1, before)
    more = entries[_LINES - 1].id if len(entries) > _LINES else None
    return page(request, "people_log.html", entries=entries[:_LINES], more=more, before=before)


@router.get("/people/log.{form}", response_class=StreamingResponse)
def export_log(form: Literal["csv", "jsonl"], database: TheDatabase) -> Response:
    """Return the whole audit log as a file."""
    lines = _csv(database) if form == "csv" else _jsonl(database)
    kind = "text/csv; charset=utf-8" if form == "csv" else "application/jsonl"
    headers = {"Content-Disposition": f'attachment; filename="audit-log.{form}"'}
    return StreamingResponse(lines, media_type=kind, headers=headers)


def _limit(request: Request, key: str) -> None:
    if wait := request.app.state.invitations.take(key):
        minutes = -(-wait // 60)
        message = f"Too many links at once. Try again in {minutes} minutes."
        raise HTTPException(429, message, {"Retry-After": str(wait)})


def _csv(database: Database) -> Iterator[str]:
    yield csv_line(_COLUMNS)
    for entry in all_audit_entries(database):
        yield csv_line(entry.to_dict().values())


def _jsonl(database: Database) -> Iterator[str]:
    return (json.dumps(entry.to_dict()) + "\n" for entry in all_audit_entries(database))
