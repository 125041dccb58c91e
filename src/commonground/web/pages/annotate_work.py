"""The Annotate pages for annotators: the invitation, then item by item.

The annotator always comes from the session, never from a request, so nobody can reach the items
or labels of others.
"""

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Path, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, Field

from commonground.annotate import (
    Progress,
    Saved,
    accept,
    find_annotator,
    find_item,
    progress_now,
    save,
    undo,
)
from commonground.annotate.database import LIFETIMES, end_session, start_session
from commonground.web.context import CurrentSession, TheDatabase, page
from commonground.web.pages.annotate_view import sections
from commonground.web.security.gate import session_cookie

router = APIRouter(tags=["annotate"])

# The range of PostgreSQL's integers.
Number = Annotated[int, Field(ge=1, le=2**31 - 1)]
Position = Annotated[int, Path(ge=1, le=2**31 - 1)]


class SaveLabel(BaseModel):
    """A label; `key` is unique for each save, so that a repeated request saves once."""

    item: Number
    unit: str = Field(max_length=100)
    value: str = Field(max_length=25_000)
    key: str = Field(max_length=100)


class UndoLabel(BaseModel):
    """The label to undo: `undoable` of the last response."""

    label: Number


class SavedOut(BaseModel):
    """The current state, which is on disk."""

    item: int
    unit: str
    value: str | None
    undoable: int | None
    progress: Progress


@router.get("/invite/{token}", include_in_schema=False)
def invitation(request: Request, token: str, database: TheDatabase) -> Response:
    """Show an invitation; this changes nothing, since mail programs open links too."""
    annotator = accept(database, token)
    _, name, protocol = find_annotator(database, annotator.id)
    return page(
        request, "annotate_invite.html", annotator=annotator, project=name, protocol=protocol
    )


@router.post("/invite/{token}", include_in_schema=False)
def come_in(
    request: Request, token: str, database: TheDatabase, start: Annotated[str, Form()] = ""
) -> Response:
    """Start the annotator's session and redirect to the items."""
    annotator = accept(database, token)
    cookie = request.app.state.settings.cookie
    if old := request.cookies.get(cookie):
        end_session(database, old)
    secret, _ = start_session(database, "annotator", annotator.id)
    response = RedirectResponse("/annotate/work/", 303)
    days = LIFETIMES["annotator"].days
    response.headers.append("Set-Cookie", session_cookie(cookie, secret, request, days=days))
    return response


@router.get("/annotate/work/", include_in_schema=False)
def resume(request: Request, session: CurrentSession, database: TheDatabase) -> Response:
    """Redirect to the first unfinished item, or say thanks."""
    annotator = _annotator(session)
    progress = progress_now(database, annotator)
    if progress.resume is not None:
        return RedirectResponse(f"/annotate/work/{progress.resume}", 303)
    who, name, _ = find_annotator(database, annotator)
    return page(request, "annotate_done.html", annotator=who, project=name, progress=progress)


@router.get("/annotate/work/{position}", include_in_schema=False)
def work_page(
    request: Request, position: Position, session: CurrentSession, database: TheDatabase
) -> Response:
    """Show an item with its questions."""
    annotator = _annotator(session)
    who, name, protocol = find_annotator(database, annotator)
    item = find_item(database, annotator, position)
    return page(
        request,
        "annotate_work.html",
        annotator=who,
        project=name,
        protocol=protocol,
        item=item,
        progress=item.progress,
        sections=sections(item, protocol),
    )


@router.post("/api/annotate/work/labels")
def save_label(label: SaveLabel, session: CurrentSession, database: TheDatabase) -> SavedOut:
    """Save a label; it is on disk when the response is sent."""
    annotator = _annotator(session)
    return _saved(save(database, annotator, label.item, label.unit, label.value, label.key))


@router.post("/api/annotate/work/undo")
def undo_label(wanted: UndoLabel, session: CurrentSession, database: TheDatabase) -> SavedOut:
    """Undo the latest label."""
    return _saved(undo(database, _annotator(session), wanted.label))


def _annotator(session: CurrentSession) -> int:
    if session.annotator is None:
        raise HTTPException(403, "Only annotators can label. Open an invitation link.")
    return session.annotator


def _saved(saved: Saved) -> SavedOut:
    return SavedOut(
        item=saved.position,
        unit=saved.unit,
        value=saved.value,
        undoable=saved.undoable,
        progress=saved.progress,
    )
