"""Results saved under a link that cannot be guessed.

Anyone with the link can view one, unless it is for chosen people: the gate checks that.
An expired link answers like a deleted one.
"""

from datetime import UTC, datetime
from typing import Annotated, Any, Final
from urllib.parse import quote

from anyio.to_thread import run_sync
from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from pydantic import AfterValidator, AwareDatetime, BaseModel, Field, ValidationError

from commonground.database import (
    Saved,
    Session,
    Thing,
    access_to,
    change_saved,
    delete_saved,
    find_saved,
    list_saved,
    record,
)
from commonground.database import save_result as store_result
from commonground.errors import InputError, unknown_name
from commonground.web.context import CurrentSession, TheDatabase, page
from commonground.web.pages.results import compare, pyramid, score, systems
from commonground.web.pages.results.result_page import ResultPage
from commonground.web.pages.results.shared_files import shared_files
from commonground.web.security.audit import result_subject
from commonground.web.security.ownership import NO_RESULT

router = APIRouter()

_PAGE_SIZE: Final = 100


PAGES: Final[dict[str, ResultPage[Any]]] = {
    page.name: page for page in (compare.PAGE, pyramid.PAGE, score.PAGE, systems.PAGE)
}
"""The pages whose results can be saved, by name."""


def _future(moment: datetime) -> datetime:
    try:
        moment = moment.astimezone(UTC)
    except OverflowError:  # in the last hours of the year 9999
        raise ValueError("The date of expiry is too far away.") from None
    if moment <= datetime.now(UTC):
        raise ValueError("The date of expiry has passed.")
    return moment


Title = Annotated[str, Field(max_length=200)]
Expiry = Annotated[AwareDatetime, AfterValidator(_future)]


class Save(BaseModel):
    """A result to save: `kind` is the page's name, `data` what the page made.

    Without a title it gets one from its content; without a moment of expiry it stays. Unless it is
    public, its link opens only for those with whom it is shared.
    """

    kind: str
    data: Any
    title: Title = ""
    expires_at: Expiry | None = None
    public: bool = True


class Change(BaseModel):
    """What changes of a saved result; a field that is absent stays, `expires_at: null` is never."""

    title: Title = ""
    expires_at: Expiry | None = None
    public: bool = True


class Link(BaseModel):
    """The address of a saved result."""

    link: str
    title: str
    expires_at: datetime | None


@router.post("/api/saved", status_code=201, tags=["saved"])
def save_result(request: Save, session: CurrentSession, database: TheDatabase) -> Link:
    """Save a result and return its link."""
    if request.kind not in PAGES:
        raise unknown_name("kind", request.kind, PAGES)
    try:
        result = PAGES[request.kind].model.model_validate(request.data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"data.{where}: {first['msg']}") from None
    saved = store_result(
        database,
        request.kind,
        result.model_dump(),
        _one_line(request.title) or result.title,
        owner=session.viewer,
        expires_at=request.expires_at,
        public=request.public,
    )
    return Link(link=f"/saved/{saved.link}", title=saved.title, expires_at=saved.expires_at)


@router.patch("/api/saved/{link}", status_code=204, tags=["saved"])
def change_result(
    link: str, change: Change, session: CurrentSession, database: TheDatabase
) -> None:
    """Change the title, the moment of expiry or the audience of a saved result."""
    values = {name: getattr(change, name) for name in change.model_fields_set}
    if "title" in values:
        values["title"] = _one_line(change.title)
        if not values["title"]:
            raise InputError("The title is empty.")
    _find(database, link)
    if not change_saved(database, link, **values):
        raise HTTPException(404, NO_RESULT)
    if "public" in values:
        action = "link opened for anyone" if change.public else "link limited to people"
        record(database, session.actor, action, result_subject(link))


@router.delete("/api/saved/{link}", status_code=204, tags=["saved"])
def delete_result(link: str, database: TheDatabase) -> None:
    """Delete a saved result, which breaks its link."""
    _find(database, link)
    if not delete_saved(database, link):
        raise HTTPException(404, NO_RESULT)


@router.get("/saved", include_in_schema=False)
def saved_list(
    request: Request,
    session: CurrentSession,
    database: TheDatabase,
    number: Annotated[int, Query(alias="page", ge=1, le=1_000_000)] = 1,
    words: Annotated[str, Query(alias="q", max_length=200)] = "",
    kind: Annotated[str, Query(max_length=40)] = "",
) -> Response:
    """List the saved results that are yours or shared with you."""
    skip = _PAGE_SIZE * (number - 1)
    viewer = session.viewer
    results = list_saved(database, _PAGE_SIZE + 1, skip, viewer, words=words, kind=kind)
    return page(
        request,
        "saved.html",
        results=results[:_PAGE_SIZE],
        names={name: page.kind for name, page in PAGES.items()},
        number=number,
        more=len(results) > _PAGE_SIZE,
        words=words.strip(),
        kind=kind if kind in PAGES else "",
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
    session: Session | None = request.state.session
    if session is not None and session.is_user:
        request.state.access = access_to(database, session.viewer, Thing(saved=link))
    files = shared_files(saved.kind, saved.data)
    return PAGES[saved.kind].saved(
        request, saved, {name: file.label for name, file in files.items()}
    )


@router.get("/saved/{link}/data", tags=["saved"])
def saved_data(link: str, database: TheDatabase) -> JSONResponse:
    """Return the data of a saved result, with its computed fields."""
    return JSONResponse(_find(database, link).data)


@router.get("/saved/{link}/{name}", tags=["saved"], response_class=Response)
async def saved_file(request: Request, link: str, name: str, database: TheDatabase) -> Response:
    """Return a saved result as a file, such as `common-ground.html` or `systems.xlsx`."""
    saved = await run_sync(_find, database, link)
    file = shared_files(saved.kind, saved.data).get(name)
    if file is None:
        raise HTTPException(404, "This result has no such file.")
    state, address = request.app.state, request.client.host if request.client else ""
    if wait := state.shared_files.take(address):
        message = f"Too many files at once. Try again in {wait} seconds."
        raise HTTPException(429, message, {"Retry-After": str(wait)})
    # Visitors have no session and no job: they wait here, and not in the threads of all pages.
    async with state.shared_file:
        response = await run_sync(file.make, saved.data)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _find(database: TheDatabase, link: str) -> Saved:
    saved = find_saved(database, link)
    if saved is None or saved.kind not in PAGES:
        raise HTTPException(404, NO_RESULT)
    return saved


def _one_line(title: str) -> str:
    return " ".join(title.split())
