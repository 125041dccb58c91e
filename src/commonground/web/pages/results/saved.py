"""Results saved under a link that cannot be guessed; anyone with the link can view them."""

from typing import Annotated, Any, Final
from urllib.parse import quote

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from pydantic import BaseModel, ValidationError

from commonground.database import Saved, delete_saved, find_saved, list_saved
from commonground.database import save_result as store_result
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


class Save(BaseModel):
    """A result to save: `kind` is the page's name, `data` what the page made."""

    kind: str
    data: Any


class Link(BaseModel):
    """The address of a saved result."""

    link: str


@router.post("/api/saved", status_code=201, tags=["saved"])
def save_result(request: Save, session: CurrentSession, database: TheDatabase) -> Link:
    """Save a result and return its link."""
    if request.kind not in _PAGES:
        raise unknown_name("kind", request.kind, _PAGES)
    try:
        result = _PAGES[request.kind].model.model_validate(request.data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"data.{where}: {first['msg']}") from None
    values = result.model_dump()
    saved = store_result(database, request.kind, values, result.title, owner=session.viewer)
    return Link(link=f"/saved/{saved.link}")


@router.get("/saved", include_in_schema=False)
def saved_list(
    request: Request,
    session: CurrentSession,
    database: TheDatabase,
    number: Annotated[int, Query(alias="page", ge=1, le=1_000_000)] = 1,
) -> Response:
    """List the saved results that are yours or shared with you."""
    results = list_saved(database, _PAGE_SIZE + 1, _PAGE_SIZE * (number - 1), session.viewer)
    return page(
        request,
        "saved.html",
        results=results[:_PAGE_SIZE],
        names={name: page.kind for name, page in _PAGES.items()},
        number=number,
        more=len(results) > _PAGE_SIZE,
    )


@router.get("/kept", include_in_schema=False)
@router.get("/kept/{rest:path}", include_in_schema=False)
def old_address(request: Request, rest: str = "") -> Response:
    """Redirect from the address of earlier versions."""
    query = f"?{request.url.query}" if request.url.query else ""
    root = request.scope.get("root_path", "")
    return RedirectResponse(f"{root}/saved{rest and f'/{quote(rest)}'}{query}", 308)


@router.get("/saved/{link}", include_in_schema=False)
def saved_page(request: Request, link: str, database: TheDatabase) -> Response:
    """Show a saved result."""
    saved = _find(database, link)
    return _PAGES[saved.kind].saved(request, saved.data, link)


@router.get("/saved/{link}/data", tags=["saved"])
def saved_data(link: str, database: TheDatabase) -> JSONResponse:
    """Return the data of a saved result, with its computed fields."""
    return JSONResponse(_find(database, link).data)


@router.delete("/api/saved/{link}", status_code=204, tags=["saved"])
def delete_result(link: str, database: TheDatabase) -> None:
    """Delete a saved result, which breaks its link."""
    if not delete_saved(database, link):
        raise HTTPException(404, _NOT_FOUND)


def _find(database: TheDatabase, link: str) -> Saved:
    saved = find_saved(database, link)
    if saved is None or saved.kind not in _PAGES:
        raise HTTPException(404, _NOT_FOUND)
    return saved
