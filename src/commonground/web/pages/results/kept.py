"""Results saved under a link that cannot be guessed; anyone with the link can view them."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ValidationError

from commonground.database import Kept, delete_kept, find_kept, keep, list_kept
from commonground.errors import InputError, unknown_name
from commonground.web.context import CurrentSession, TheDatabase, page
from commonground.web.pages.results import compare, pyramid, score
from commonground.web.pages.results.result_page import ResultPage

router = APIRouter()

_NOT_FOUND: Final = "This link does not exist or was deleted."
_PAGE_SIZE: Final = 100


_PAGES: Final[dict[str, ResultPage[Any]]] = {
    page.name: page for page in (compare.PAGE, pyramid.PAGE, score.PAGE)
}


class Keep(BaseModel):
    """A result to save: `kind` is the page's name, `data` what the page made."""

    kind: str
    data: Any


class Link(BaseModel):
    """The address of a saved result."""

    link: str


@router.post("/api/kept", status_code=201, tags=["kept"])
def keep_result(request: Keep, session: CurrentSession, database: TheDatabase) -> Link:
    """Save a result and return its link."""
    if request.kind not in _PAGES:
        raise unknown_name("kind", request.kind, _PAGES)
    try:
        result = _PAGES[request.kind].model.model_validate(request.data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"data.{where}: {first['msg']}") from None
    kept = keep(database, request.kind, result.model_dump(), result.title, owner=session.viewer)
    return Link(link=f"/kept/{kept.link}")


@router.get("/kept", include_in_schema=False)
def kept_list(
    request: Request,
    session: CurrentSession,
    database: TheDatabase,
    number: Annotated[int, Query(alias="page", ge=1, le=1_000_000)] = 1,
) -> Response:
    """List the saved results that are yours or shared with you."""
    results = list_kept(database, _PAGE_SIZE + 1, _PAGE_SIZE * (number - 1), session.viewer)
    return page(
        request,
        "kept.html",
        results=results[:_PAGE_SIZE],
        names={name: page.kind for name, page in _PAGES.items()},
        number=number,
        more=len(results) > _PAGE_SIZE,
    )


@router.get("/kept/{link}", include_in_schema=False)
def kept_page(request: Request, link: str, database: TheDatabase) -> Response:
    """Show a saved result."""
    kept = _find(database, link)
    return _PAGES[kept.kind].saved(request, kept.data, link)


@router.get("/kept/{link}/data", tags=["kept"])
def kept_data(link: str, database: TheDatabase) -> JSONResponse:
    """Return the data of a saved result, with its computed fields."""
    return JSONResponse(_find(database, link).data)


@router.delete("/api/kept/{link}", status_code=204, tags=["kept"])
def delete_result(link: str, database: TheDatabase) -> None:
    """Delete a saved result, which breaks its link."""
    if not delete_kept(database, link):
        raise HTTPException(404, _NOT_FOUND)


def _find(database: TheDatabase, link: str) -> Kept:
    kept = find_kept(database, link)
    if kept is None or kept.kind not in _PAGES:
        raise HTTPException(404, _NOT_FOUND)
    return kept
