"""The review of a project: where annotators differ, and the owner's decisions."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from commonground.annotate import (
    Item,
    Progress,
    ReviewItem,
    Show,
    Sort,
    change_mark,
    decide,
    each_progress,
    find_project,
    review_counts,
    review_item,
    review_positions,
    review_rows,
    withdraw,
)
from commonground.web.context import CurrentSession, TheDatabase, page
from commonground.web.pages.annotate.figures import matrix, noun
from commonground.web.pages.annotate.labelling import Number, sections

router = APIRouter(tags=["annotate"])

_ROWS: Final = 50
_SHOWN: Final = {
    "all": "All items",
    "disagreeing": "With disagreement",
    "undecided": "To decide",
    "flagged": "Flagged",
}


class ListChoice(BaseModel):
    """What the list shows; the way to the next item follows the same list."""

    show: Show = "all"
    sort: Sort = "position"
    pair: str = Field("", max_length=30)
    start: int = Field(0, ge=0, le=2**31 - 1)

    @property
    def query(self) -> str:
        """The choice as part of an address."""
        return f"show={self.show}&sort={self.sort}"


class Decide(BaseModel):
    """The final label of a unit, with a note."""

    item: Number
    unit: str = Field(max_length=100)
    value: str = Field(max_length=25_000)
    note: str = Field("", max_length=2_500)


class Withdraw(BaseModel):
    """The unit whose decision is taken back."""

    item: Number
    unit: str = Field(max_length=100)


class Decided(BaseModel):
    """The state of a unit, and how many units with disagreement are still to decide."""

    item: int
    unit: str
    value: str | None
    by: str
    undecided: int


@router.get("/annotate/projects/{project}/review", include_in_schema=False)
def review_page(
    request: Request,
    project: Number,
    database: TheDatabase,
    choice: Annotated[ListChoice, Query()],
) -> Response:
    """List the items with their disagreement, and show the confusion matrix."""
    return page(request, "annotate_review.html", **_overview(database, project, choice))


@router.get("/annotate/projects/{project}/review/list", include_in_schema=False)
def review_list(
    request: Request,
    project: Number,
    database: TheDatabase,
    choice: Annotated[ListChoice, Query()],
    seen: str = "",
) -> Response:
    """Return the live part of the page, or 204 if nothing changed since `seen`."""
    if change_mark(database, project) == seen:
        return Response(status_code=204)
    values = _overview(database, project, choice)
    response = page(request, "annotate_review_list.html", **values)
    response.headers["X-Change-Mark"] = values["mark"]
    return response


@router.get("/annotate/projects/{project}/review/{position}", include_in_schema=False)
def review_item_page(
    request: Request,
    project: Number,
    position: Number,
    database: TheDatabase,
    choice: Annotated[ListChoice, Query()],
) -> Response:
    """Show an item with everybody's labels, to be decided."""
    known, item = find_project(database, project), review_item(database, project, position)
    before, after = _neighbours(
        review_positions(database, project, choice.show, choice.sort), position, choice
    )
    return page(
        request,
        "annotate_review_item.html",
        project=known,
        item=item,
        choice=choice,
        shown=_SHOWN[choice.show],
        counts=review_counts(database, project),
        things=noun(known.protocol.name),
        before=before,
        after=after,
        review={unit.unit.key: unit for unit in item.units},
        sections=sections(_as_item(item), known.protocol),
    )


@router.post("/api/annotate/projects/{project}/decisions")
def decide_unit(
    project: Number, decision: Decide, session: CurrentSession, database: TheDatabase
) -> Decided:
    """Decide a unit; this replaces an earlier decision."""
    where = (database, project, decision.item, decision.unit)
    made = decide(*where, decision.value, note=decision.note, by=session.actor)
    left = review_counts(database, project).undecided
    return Decided(
        item=decision.item, unit=decision.unit, value=made.value, by=made.by, undecided=left
    )


@router.post("/api/annotate/projects/{project}/decisions/withdraw")
def withdraw_decision(project: Number, unit: Withdraw, database: TheDatabase) -> Decided:
    """Take back a decision."""
    withdraw(database, project, unit.item, unit.unit)
    left = review_counts(database, project).undecided
    return Decided(item=unit.item, unit=unit.unit, value=None, by="", undecided=left)


def _overview(database: TheDatabase, project: int, choice: ListChoice) -> dict[str, Any]:
    # The mark comes first, as on the project's page.
    mark, known = change_mark(database, project), find_project(database, project)
    more = review_rows(
        database, project, choice.show, choice.sort, most=_ROWS + 1, skip=choice.start
    )
    people = [annotator for annotator, progress in each_progress(database, project)]
    return {
        "mark": mark,
        "project": known,
        "choice": choice,
        "choices": _SHOWN,
        "rows": more[:_ROWS],
        "earlier": max(0, choice.start - _ROWS) if choice.start else None,
        "later": choice.start + _ROWS if len(more) > _ROWS else None,
        "counts": review_counts(database, project),
        "things": noun(known.protocol.name),
        "matrix": matrix(database, known, people, choice.pair),
    }


def _neighbours(
    positions: list[int], position: int, choice: ListChoice
) -> tuple[int | None, int | None]:
    """Return the items before and after one in the list.

    A decided item leaves the list "To decide", so an item that is not in it stands at its place
    in the project's order.
    """
    if position in positions:
        index = positions.index(position)
        before, after = positions[:index], positions[index + 1 :]
    elif choice.sort == "position":
        before = [other for other in positions if other < position]
        after = [other for other in positions if other > position]
    else:
        before, after = [], positions
    return before[-1] if before else None, after[0] if after else None


def _as_item(item: ReviewItem) -> Item:
    decided = {unit.unit.key: unit.decision.value for unit in item.units if unit.decision}
    return Item(
        item.position,
        item.narratives,
        item.summary,
        item.references,
        tuple(unit.unit for unit in item.units),
        decided,
        None,
        Progress(len(decided), len(item.units), 1, None),
        {},
    )
