"""Results kept under a link that cannot be guessed; whoever has it may look."""

from collections.abc import Callable
from typing import Annotated, Any, Final, NamedTuple

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ValidationError

from commonground.annotate.database import Kept, delete_kept, find_kept, keep, list_kept
from commonground.errors import InputError, unknown_name
from commonground.web.context import TheDatabase, page
from commonground.web.pages.compare import Comparison
from commonground.web.pages.compare import kept_page as kept_comparison
from commonground.web.pages.kept_titles import comparison_title, desk_title, scoring_title
from commonground.web.pages.pyramid import kept_page as kept_desk
from commonground.web.pages.pyramid_models import Desk, KeptDesk
from commonground.web.pages.score import Scoring
from commonground.web.pages.score import kept_page as kept_scoring

router = APIRouter()

_GONE = "There is nothing under this link."
_LISTED: Final = 100
"""Results on one page of the list."""


class Kind(NamedTuple):
    """A kind of result.

    Attributes:
        name: What the list calls it.
        model: What it must look like to be kept; what that computes is kept too.
        show: Makes the page of a kept one.
        shown: What `show` is given. Whoever has a link can ask for it as often as they like, so
            reading this must compute nothing.
        title: A line that tells its owner which one it is.
    """

    name: str
    model: type[BaseModel]
    show: Callable[[Request, Any, str], Response]
    shown: type[BaseModel]
    title: Callable[[Any], str]


KINDS: Final = {
    "compare": Kind("Comparison", Comparison, kept_comparison, Comparison, comparison_title),
    "pyramid": Kind("Pyramid", Desk, kept_desk, KeptDesk, desk_title),
    "score": Kind("Score", Scoring, kept_scoring, Scoring, scoring_title),
}


class Keep(BaseModel):
    """A result to be kept: `kind` is the page's name, `data` what that page made."""

    kind: str
    data: Any


class Link(BaseModel):
    """Where a kept result is shown."""

    link: str


@router.post("/api/kept", status_code=201, tags=["kept"])
def keep_result(wanted: Keep, database: TheDatabase) -> Link:
    """Keep a result; the answer says where."""
    if wanted.kind not in KINDS:
        raise unknown_name("kind", wanted.kind, KINDS)
    kind = KINDS[wanted.kind]
    try:
        data = kind.model.model_validate(wanted.data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"data.{where}: {first['msg']}") from None
    kept = keep(database, wanted.kind, data.model_dump(), kind.title(data))
    return Link(link=f"/kept/{kept.link}")


@router.get("/kept", include_in_schema=False)
def kept_list(
    request: Request,
    database: TheDatabase,
    number: Annotated[int, Query(alias="page", ge=1, le=1_000_000)] = 1,
) -> Response:
    """All that is kept, for the owner alone: who has one link must not learn of others."""
    found = list_kept(database, _LISTED + 1, _LISTED * (number - 1))
    names = {kind: known.name for kind, known in KINDS.items()}
    more = len(found) > _LISTED
    return page(
        request, "kept.html", results=found[:_LISTED], names=names, number=number, more=more
    )


@router.get("/kept/{link}", include_in_schema=False)
def kept_page(request: Request, link: str, database: TheDatabase) -> Response:
    """The page of a kept result."""
    kept = _found(database, link)
    kind = KINDS[kept.kind]
    return kind.show(request, kind.shown.model_validate(kept.data), link)


@router.get("/kept/{link}/data", tags=["kept"])
def kept_data(link: str, database: TheDatabase) -> JSONResponse:
    """A kept result as it was given, with what was computed from it then."""
    return JSONResponse(_found(database, link).data)


@router.delete("/api/kept/{link}", status_code=204, tags=["kept"])
def delete_result(link: str, database: TheDatabase) -> None:
    """Take a kept result away; its link leads nowhere from then on."""
    if not delete_kept(database, link):
        raise HTTPException(404, _GONE)


def _found(database: TheDatabase, link: str) -> Kept:
    kept = find_kept(database, link)
    if kept is None or kept.kind not in KINDS:
        raise HTTPException(404, _GONE)
    return kept
