"""Results kept under a link that cannot be guessed; whoever has it may look."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response
from pydantic import BaseModel, ValidationError

from commonground.annotate.database.kept import find_kept, keep
from commonground.errors import InputError, unknown_name
from commonground.web._context import TheDatabase
from commonground.web.pages.compare import Comparison
from commonground.web.pages.compare import kept_page as kept_comparison
from commonground.web.pages.pyramid import kept_page as kept_desk
from commonground.web.pages.pyramid_models import Desk
from commonground.web.pages.score import Scoring
from commonground.web.pages.score import kept_page as kept_scoring

router = APIRouter()

_GONE = "There is nothing under this link."


class Kind(NamedTuple):
    """A kind of result: what it must look like, and what shows it again."""

    model: type[BaseModel]
    show: Callable[[Request, Any, str], Response]


KINDS: Final = {
    "compare": Kind(Comparison, kept_comparison),
    "pyramid": Kind(Desk, kept_desk),
    "score": Kind(Scoring, kept_scoring),
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
    try:
        data = KINDS[wanted.kind].model.model_validate(wanted.data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"data.{where}: {first['msg']}") from None
    return Link(link=f"/kept/{keep(database, wanted.kind, data.model_dump()).link}")


@router.get("/kept/{link}", include_in_schema=False)
def kept_page(request: Request, link: str, database: TheDatabase) -> Response:
    """The page of a kept result."""
    kind, data = _found(database, link)
    return kind.show(request, data, link)


@router.get("/kept/{link}/data", tags=["kept"])
def kept_data(link: str, database: TheDatabase) -> Any:
    """A kept result as it was given."""
    return _found(database, link)[1]


def _found(database: TheDatabase, link: str) -> tuple[Kind, Any]:
    kept = find_kept(database, link)
    if kept is None or kept.kind not in KINDS:
        raise HTTPException(404, _GONE)
    kind = KINDS[kept.kind]
    return kind, kind.model.model_validate(kept.data)
