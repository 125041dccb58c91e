"""Annotate, for annotators: in by an invitation, then item by item.

Everything is found by the session's annotator, never by a number in a request, so that nobody
reaches the items or the labels of others.
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
from commonground.web.security.cookie import session_cookie

router = APIRouter(tags=["annotate"])

# The largest number that PostgreSQL takes for an integer.
Number = Annotated[int, Field(ge=1, le=2**31 - 1)]
Position = Annotated[int, Path(ge=1, le=2**31 - 1)]


class ProgressOut(BaseModel):
    """How far the annotator has come; `resume` is the first item that is not finished."""

    labels: int
    units: int
    items: int
    resume: int | None


class SaveLabel(BaseModel):
    """A label. `key` is made up for each save, so that a repeated request saves once."""

    item: Number
    unit: str = Field(max_length=100)
    value: str = Field(max_length=25_000)
    key: str = Field(max_length=100)


class UndoLabel(BaseModel):
    """The label to take back: `undoable` of the last answer."""

    label: Number


class SavedOut(BaseModel):
    """What holds now, and is on disk."""

    item: int
    unit: str
    value: str | None
    undoable: int | None
    progress: ProgressOut


@router.get("/invite/{token}", include_in_schema=False)
def invitation(request: Request, token: str, database: TheDatabase) -> Response:
    """Who is invited to what. Looking changes nothing: mail programs look at links, too."""
    annotator = accept(database, token)
    _, name, protocol = find_annotator(database, annotator.id)
    return page(
        request, "annotate_invite.html", annotator=annotator, project=name, protocol=protocol
    )


@router.post("/invite/{token}", include_in_schema=False)
def come_in(
    request: Request, token: str, database: TheDatabase, start: Annotated[str, Form()] = ""
) -> Response:
    """Start the annotator's session in this browser, and go to work."""
    annotator = accept(database, token)
    cookie = request.app.state.settings.cookie
    if before := request.cookies.get(cookie):
        end_session(database, before)
    secret, _ = start_session(database, "annotator", annotator.id)
    answer = RedirectResponse("/annotate/work/", 303)
    days = LIFETIMES["annotator"].days
    answer.headers.append("Set-Cookie", session_cookie(cookie, secret, request, days=days))
    return answer


@router.get("/annotate/work/", include_in_schema=False)
def resume(request: Request, session: CurrentSession, database: TheDatabase) -> Response:
    """Where the annotator left off, or thanks."""
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
    """One item with its questions."""
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
    """Save a label; the answer goes out when it is on disk."""
    annotator = _annotator(session)
    return _saved(save(database, annotator, label.item, label.unit, label.value, label.key))


@router.post("/api/annotate/work/undo")
def undo_label(wanted: UndoLabel, session: CurrentSession, database: TheDatabase) -> SavedOut:
    """Take the last label back."""
    return _saved(undo(database, _annotator(session), wanted.label))


def _annotator(session: CurrentSession) -> int:
    if session.annotator is None:
        raise HTTPException(403, "Labelling is for annotators: open an invitation's link.")
    return session.annotator


def _saved(saved: Saved) -> SavedOut:
    return SavedOut(
        item=saved.position,
        unit=saved.unit,
        value=saved.value,
        undoable=saved.undoable,
        progress=_progress(saved.progress),
    )


def _progress(progress: Progress) -> ProgressOut:
    return ProgressOut(
        labels=progress.labels,
        units=progress.units,
        items=progress.items,
        resume=progress.resume,
    )
