"""Compare: what narratives have in common."""

import json
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import BaseModel, Field, model_validator

from commonground.report import overlap_body, overlap_page
from commonground.web.context import CurrentSession, TheJobs, page
from commonground.web.pages.jobs import Accepted
from commonground.web.pages.named_text import Narrative
from commonground.web.pages.overlap_model import OverlapResult

router = APIRouter(tags=["compare"])

FEWEST: Final = 2
MOST: Final = 6
MOST_SENTENCES: Final = 20
USUAL_SENTENCES: Final = 10
"""Enough for all that is shared by most; a shorter summary hides what else there is."""

EXAMPLE = Path(__file__).parents[1] / "data" / "compare_example.json"

Sentences = Annotated[int, Field(ge=1, le=MOST_SENTENCES)]


class CompareRequest(BaseModel):
    """What to compare; `at_least` is how many must agree, all where nothing is said."""

    narratives: list[Narrative] = Field(min_length=FEWEST, max_length=MOST)
    at_least: int | None = None
    max_sentences: Sentences = USUAL_SENTENCES

    @model_validator(mode="after")
    def _sound(self) -> "CompareRequest":
        if self.at_least is not None and not FEWEST <= self.at_least <= len(self.narratives):
            raise ValueError(
                f"from {FEWEST} to {len(self.narratives)} can agree, not {self.at_least}"
            )
        return self


class Comparison(BaseModel):
    """A comparison and the setting it was made with, as it is kept and exported."""

    result: OverlapResult
    max_sentences: Sentences = 3


@router.get("/", include_in_schema=False)
def first_page() -> Response:
    """Comparing is what most come for."""
    return RedirectResponse("/compare", 303)


@router.get("/compare", include_in_schema=False)
def compare_page(request: Request) -> Response:
    """The page with a worked example, so that nobody starts at an empty form."""
    return _page(request, example(), example_body(), "/api/compare/example", is_example=True)


@router.post("/api/compare", status_code=202)
def compare(wanted: CompareRequest, session: CurrentSession, jobs: TheJobs) -> Accepted:
    """Compare narratives; the result is `{"result", "html"}`."""
    return Accepted(job=jobs.submit("compare", wanted.model_dump(), session.id).id)


@router.get("/api/compare/example")
def compare_example() -> Comparison:
    """The worked example."""
    return example()


@router.post("/api/compare/page", response_class=HTMLResponse)
def standalone_page(comparison: Comparison) -> Response:
    """A result as one file that needs nothing else, to be saved."""
    headers = {"Content-Disposition": 'attachment; filename="common-ground.html"'}
    return HTMLResponse(overlap_page(comparison.result.model_dump()), headers=headers)


def kept_page(request: Request, comparison: Comparison, link: str) -> Response:
    """A kept comparison; the owner can go on from it, others can look."""
    body = overlap_body(comparison.result.model_dump())
    return _page(request, comparison, body, f"/kept/{link}/data")


def _page(
    request: Request, comparison: Comparison, body: str, source: str, is_example: bool = False
) -> Response:
    return page(
        request,
        "compare.html",
        comparison=comparison,
        body=body,
        source=source,
        example=is_example,
        most_sentences=MOST_SENTENCES,
        usual_sentences=USUAL_SENTENCES,
    )


@cache
def example() -> Comparison:
    """Three accounts of a closed swimming pool, compared before."""
    found: Any = json.loads(EXAMPLE.read_text("utf-8"))
    return Comparison.model_validate(found)


@cache
def example_body() -> str:
    """The example as HTML."""
    return overlap_body(example().result.model_dump())
