"""The Compare page: what narratives have in common.

A browser may send back a result, so the models check it: the renderer trusts its indices and
offsets.
"""

import json
from functools import cache
from pathlib import Path
from typing import Annotated, Final, Self

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import BaseModel, Field, model_validator

from commonground.report import overlap_body, overlap_page
from commonground.web.context import CurrentSession, TheJobs, page
from commonground.web.pages.jobs import Accepted
from commonground.web.pages.texts import Narrative

router = APIRouter(tags=["compare"])

_MIN_NARRATIVES: Final = 2
_MAX_NARRATIVES: Final = 6
_MAX_SENTENCES: Final = 20
_DEFAULT_SENTENCES: Final = 10

EXAMPLE = Path(__file__).parents[1] / "data" / "compare_example.json"

Sentences = Annotated[int, Field(ge=1, le=_MAX_SENTENCES)]
Index = Annotated[int, Field(ge=0)]
Probability = Annotated[float, Field(ge=0, le=1)]


class CompareRequest(BaseModel):
    """The texts to compare; `at_least` is how many must agree (default: all)."""

    narratives: list[Narrative] = Field(min_length=_MIN_NARRATIVES, max_length=_MAX_NARRATIVES)
    at_least: int | None = None
    max_sentences: Sentences = _DEFAULT_SENTENCES

    @model_validator(mode="after")
    def _check(self) -> Self:
        count = len(self.narratives)
        if self.at_least is not None and not _MIN_NARRATIVES <= self.at_least <= count:
            raise ValueError(f"Agreement must be from {_MIN_NARRATIVES} to {count} texts.")
        return self


class PassageModel(BaseModel):
    """A passage of one narrative."""

    narrative: Index
    text: str
    start: Index
    end: Index
    probability: Probability
    through: str | None = None


class StatementModel(BaseModel):
    """A shared statement."""

    text: str
    weight: Index
    probability: Probability
    evidence: list[PassageModel]


class SideModel(BaseModel):
    """One narrative's side of a conflict."""

    narrative: Index
    text: str
    start: Index
    end: Index
    value: str
    value_start: Index
    value_end: Index
    group: int | None = None


class ConflictModel(BaseModel):
    """A conflict between narratives."""

    kind: str
    sides: list[SideModel] = Field(min_length=2)


class NarrativeModel(BaseModel):
    """A narrative and its name."""

    source: str
    text: str


class OverlapResult(BaseModel):
    """The values of `Overlap.to_dict()`."""

    summary: str
    statements: list[StatementModel]
    unique: list[PassageModel]
    conflicts: list[ConflictModel]
    narratives: list[NarrativeModel] = Field(min_length=_MIN_NARRATIVES, max_length=_MAX_NARRATIVES)
    at_least: int = Field(ge=2)
    signature: str

    @model_validator(mode="after")
    def _check(self) -> Self:
        passages: list[PassageModel | SideModel] = [
            *self.unique,
            *(passage for statement in self.statements for passage in statement.evidence),
            *(side for conflict in self.conflicts for side in conflict.sides),
        ]
        for passage in passages:
            if passage.narrative >= len(self.narratives):
                raise ValueError(f"there is no narrative {passage.narrative}")
            length = len(self.narratives[passage.narrative].text)
            if not passage.start <= passage.end <= length:
                raise ValueError(f"{passage.start} to {passage.end} is outside the narrative")
        return self


class Comparison(BaseModel):
    """A result with its setting, as it is saved and exported."""

    result: OverlapResult
    max_sentences: Sentences = 3


@router.get("/", include_in_schema=False)
def first_page() -> Response:
    """Redirect to the Compare page."""
    return RedirectResponse("/compare", 303)


@router.get("/compare", include_in_schema=False)
def compare_page(request: Request) -> Response:
    """Show the page with a worked example."""
    return _page(request, example(), _example_body(), "/api/compare/example", is_example=True)


@router.post("/api/compare", status_code=202)
def compare(wanted: CompareRequest, session: CurrentSession, jobs: TheJobs) -> Accepted:
    """Compare narratives; the result is `{"result", "html"}`."""
    return Accepted(job=jobs.submit("compare", wanted.model_dump(), session.id).id)


@router.get("/api/compare/example")
def compare_example() -> Comparison:
    """Return the worked example."""
    return example()


@router.post("/api/compare/page", response_class=HTMLResponse)
def standalone_page(comparison: Comparison) -> Response:
    """Return a result as one self-contained HTML file."""
    headers = {"Content-Disposition": 'attachment; filename="common-ground.html"'}
    return HTMLResponse(overlap_page(comparison.result.model_dump()), headers=headers)


def kept_page(request: Request, comparison: Comparison, link: str) -> Response:
    """Show a saved comparison."""
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
        most_sentences=_MAX_SENTENCES,
        usual_sentences=_DEFAULT_SENTENCES,
    )


@cache
def example() -> Comparison:
    """Return the worked example: three accounts of a swimming pool that is to close."""
    return Comparison.model_validate(json.loads(EXAMPLE.read_text("utf-8")))


@cache
def _example_body() -> str:
    return overlap_body(example().result.model_dump())
