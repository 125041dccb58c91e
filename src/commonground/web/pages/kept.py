"""Results saved under a link that cannot be guessed; anyone with the link can view them."""

from collections.abc import Callable
from typing import Annotated, Any, Final, NamedTuple

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ValidationError

from commonground.annotate.database import Kept, delete_kept, find_kept, keep, list_kept
from commonground.errors import InputError, unknown_name
from commonground.report import counted
from commonground.web.context import TheDatabase, page
from commonground.web.pages import compare, pyramid, score
from commonground.web.pages.compare import Comparison
from commonground.web.pages.pyramid_models import Desk, KeptDesk
from commonground.web.pages.score import Scoring

router = APIRouter()

_NOT_FOUND: Final = "This link does not exist or was deleted."
_PAGE_SIZE: Final = 100
_TITLE_LENGTH: Final = 160


def comparison_title(kept: Comparison) -> str:
    """Return the names of the narratives and the start of what they share."""
    names = [row.source for row in kept.result.narratives if row.source.strip()]
    return _title(", ".join(names), kept.result.summary or kept.result.narratives[0].text)


def scoring_title(kept: Scoring) -> str:
    """Return the name and start of the summary."""
    return _title(kept.summary.name, kept.summary.text)


def desk_title(kept: Desk) -> str:
    """Return the size of the pyramid, the number of students and the heaviest unit."""
    units, references = kept.now.units, kept.now.references
    size = f"{counted(len(units), 'unit')} from {counted(len(references), 'reference')}"
    students = f", {counted(len(kept.students), 'student')}" if kept.students else ""
    return _title(f"{size}{students}", units[0].label)


def _title(name: str, text: str) -> str:
    """Return one line, cut between words if it is long."""
    parts = (" ".join(part.split()) for part in (name, text))
    line = ": ".join(part for part in parts if part)
    return line if len(line) <= _TITLE_LENGTH else f"{line[:_TITLE_LENGTH].rsplit(' ', 1)[0]} …"


class Kind(NamedTuple):
    """A kind of result.

    Attributes:
        name: Its name in the list.
        model: Checks a result before it is saved; its computed fields are saved too.
        show: Renders the page of a saved result.
        shown: The model that `show` gets. Anyone with a link can request it often, so validating
            it must compute nothing.
        title: Returns its line in the owner's list.
    """

    name: str
    model: type[BaseModel]
    show: Callable[[Request, Any, str], Response]
    shown: type[BaseModel]
    title: Callable[[Any], str]


_KINDS: Final = {
    "compare": Kind("Comparison", Comparison, compare.kept_page, Comparison, comparison_title),
    "pyramid": Kind("Pyramid", Desk, pyramid.kept_page, KeptDesk, desk_title),
    "score": Kind("Score", Scoring, score.kept_page, Scoring, scoring_title),
}


class Keep(BaseModel):
    """A result to save: `kind` is the page's name, `data` what the page made."""

    kind: str
    data: Any


class Link(BaseModel):
    """The address of a saved result."""

    link: str


@router.post("/api/kept", status_code=201, tags=["kept"])
def keep_result(wanted: Keep, database: TheDatabase) -> Link:
    """Save a result and return its link."""
    if wanted.kind not in _KINDS:
        raise unknown_name("kind", wanted.kind, _KINDS)
    kind = _KINDS[wanted.kind]
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
    """List all saved results, for the owner only."""
    results = list_kept(database, _PAGE_SIZE + 1, _PAGE_SIZE * (number - 1))
    return page(
        request,
        "kept.html",
        results=results[:_PAGE_SIZE],
        names={key: kind.name for key, kind in _KINDS.items()},
        number=number,
        more=len(results) > _PAGE_SIZE,
    )


@router.get("/kept/{link}", include_in_schema=False)
def kept_page(request: Request, link: str, database: TheDatabase) -> Response:
    """Show a saved result."""
    kept = _find(database, link)
    kind = _KINDS[kept.kind]
    return kind.show(request, kind.shown.model_validate(kept.data), link)


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
    if kept is None or kept.kind not in _KINDS:
        raise HTTPException(404, _NOT_FOUND)
    return kept
