"""The Annotate pages for annotators: the invitation, then item by item.

The annotator always comes from the session, never from a request, so nobody can reach the items
or labels of others.
"""

from typing import Annotated, Final, NamedTuple

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, Field

from commonground.annotate import (
    COMMENT_LENGTH,
    Item,
    Progress,
    Protocol,
    Remark,
    Saved,
    Unit,
    accept,
    find_annotator,
    find_item,
    guideline_versions,
    progress_now,
    save,
    save_remark,
    undo,
)
from commonground.web.context import CurrentSession, TheDatabase, page
from commonground.web.markdown import rendered
from commonground.web.pages.people.login import enter

router = APIRouter(tags=["annotate"])

Number = Annotated[int, Field(ge=1, le=2**31 - 1)]
"""An id or position within the range of PostgreSQL's integers."""


def _annotator(session: CurrentSession) -> int:
    if session.annotator is None:
        raise HTTPException(403, "Only annotators can label. Open an invitation link.")
    return session.annotator


AnnotatorId = Annotated[int, Depends(_annotator)]
"""The annotator of the session."""


class Choice(NamedTuple):
    """An answer: its value, its description and its key."""

    value: str
    description: str
    key: str


class Question(NamedTuple):
    """A unit as a question; without choices the answer is a text."""

    unit: Unit
    text: str
    choices: tuple[Choice, ...]
    answer: str | None


class Section(NamedTuple):
    """Questions with the texts they refer to."""

    title: str
    lead: str  # the instruction
    questions: tuple[Question, ...]
    against: tuple[tuple[str, str], ...]  # titles and texts to compare with
    text: str = ""  # the text that all questions are about, if they have none of their own


_SOMEBODY_ELSE: Final = (
    "Somebody else labels in this browser now. Open your invitation link again to continue."
)
_LABELS: Final = (
    Choice("A", "absent", "1"),
    Choice("PP", "partly present", "2"),
    Choice("P", "present", "3"),
)
_SCORES: Final = tuple(
    Choice(str(number), {1: "worst", 10: "best"}.get(number, ""), str(number % 10))
    for number in range(1, 11)
)
_QUESTIONS: Final = {
    "score": "How well does the summary say what the texts share?",
    "precision": "Precision: how much of the summary do all texts share?",
    "recall": "Recall: how much of what the texts share is in the summary?",
    "text": "What do all texts say?",
}


class Change(BaseModel):
    """What an open page sends: `annotator` is whose page it is.

    The browser may have become somebody else's since the page was opened.
    """

    annotator: Number | None = None

    def check(self, annotator: int) -> None:
        """Refuse the change if it is another annotator's."""
        if self.annotator not in (None, annotator):
            raise HTTPException(401, _SOMEBODY_ELSE)


class OverLabel(BaseModel):
    """The label that a unit had when another was given; None: it had no label."""

    value: str | None = Field(max_length=25_000)


class SaveLabel(Change):
    """A label; `key` is unique for each save, so that a repeated request saves once.

    With `over`, it is refused if the unit has a newer label.
    """

    item: Number
    unit: str = Field(max_length=100)
    value: str = Field(max_length=25_000)
    key: str = Field(max_length=100)
    over: OverLabel | None = None


class OverRemark(BaseModel):
    """The flag and comment that a unit had before."""

    flagged: bool
    comment: str = Field(max_length=COMMENT_LENGTH + 500)


class SaveRemark(Change):
    """A flag and a comment on a unit, in place of earlier ones.

    With `over`, they are refused if the unit has newer ones.
    """

    item: Number
    unit: str = Field(max_length=100)
    flagged: bool
    comment: str = Field(max_length=COMMENT_LENGTH + 500)
    over: OverRemark | None = None


class UndoLabel(Change):
    """The label to undo: `undoable` of the last response, or its `label`."""

    label: Number


class SavedOut(BaseModel):
    """The current state, which is on disk; `label` is the id of what was saved."""

    label: int
    item: int = Field(validation_alias="position")
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
def come_in(request: Request, token: str, database: TheDatabase) -> Response:
    """Start the annotator's session and redirect to the items."""
    annotator = accept(database, token)
    return enter(request, "/annotate/work/", "annotator", annotator.id)


@router.get("/annotate/work/", include_in_schema=False)
def resume(request: Request, annotator_id: AnnotatorId, database: TheDatabase) -> Response:
    """Redirect to the first unfinished item, or say thanks."""
    progress = progress_now(database, annotator_id)
    if progress.resume is not None:
        return RedirectResponse(f"/annotate/work/{progress.resume}", 303)
    annotator, name, _ = find_annotator(database, annotator_id)
    return page(request, "annotate_done.html", annotator=annotator, project=name, progress=progress)


@router.get("/annotate/work/{position}", include_in_schema=False)
def work_page(
    request: Request, position: Number, annotator_id: AnnotatorId, database: TheDatabase
) -> Response:
    """Show an item with its questions."""
    annotator, name, protocol = find_annotator(database, annotator_id)
    item = find_item(database, annotator_id, position)
    versions = guideline_versions(database, annotator.project)
    current = versions[0] if versions and versions[0].text else None
    return page(
        request,
        "annotate_work.html",
        annotator=annotator,
        project=name,
        protocol=protocol,
        item=item,
        progress=item.progress,
        sections=sections(item, protocol),
        remarks=item.remarks,
        comment_length=COMMENT_LENGTH,
        guidelines=current,
        guidelines_html=rendered(current.text) if current else "",
    )


@router.post("/api/annotate/work/labels", response_model=SavedOut)
def save_label(label: SaveLabel, annotator: AnnotatorId, database: TheDatabase) -> Saved:
    """Save a label; it is on disk when the response is sent."""
    label.check(annotator)
    over = None if label.over is None else (label.over.value,)
    return save(database, annotator, label.item, label.unit, label.value, label.key, over=over)


@router.post("/api/annotate/work/remarks")
def remark_on(remark: SaveRemark, annotator: AnnotatorId, database: TheDatabase) -> Remark:
    """Save a flag and a comment on a unit; they are on disk when the response is sent."""
    remark.check(annotator)
    over = None if remark.over is None else (remark.over.flagged, remark.over.comment)
    where = (database, annotator, remark.item, remark.unit)
    return save_remark(*where, flagged=remark.flagged, comment=remark.comment, over=over)


@router.post("/api/annotate/work/undo", response_model=SavedOut)
def undo_label(request: UndoLabel, annotator: AnnotatorId, database: TheDatabase) -> Saved:
    """Undo the latest label."""
    request.check(annotator)
    return undo(database, annotator, request.label)


def sections(item: Item, protocol: Protocol) -> tuple[Section, ...]:
    """Return the sections of an item in the order of labelling."""
    summary = " ".join(item.summary)
    if protocol.name != "sentences":
        title = "Summary" if protocol.outputs else "Shared content"
        choices = _SCORES if protocol.outputs else ()
        questions = tuple(
            Question(unit, _QUESTIONS[unit.key], choices, item.labels.get(unit.key))
            for unit in item.units
        )
        return (Section(title, protocol.asks, questions, item.narratives, summary),)
    references = tuple(
        (f"Reference {number}", " ".join(sentences))
        for number, sentences in enumerate(item.references, start=1)
    )
    lead = "Do the references together say this?"
    parts = [Section("Sentences of the summary", lead, _questions(item, 0), references)]
    for number in range(1, len(references) + 1):
        title, questions = f"Sentences of reference {number}", _questions(item, number)
        against = (("Summary", summary),)
        parts.append(Section(title, "Does the summary say this?", questions, against))
    return tuple(section for section in parts if section.questions)


def _questions(item: Item, reference: int) -> tuple[Question, ...]:
    return tuple(
        Question(unit, unit.text, _LABELS, item.labels.get(unit.key))
        for unit in item.units
        if unit.reference == reference
    )
