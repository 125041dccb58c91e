"""The Score page: a summary against references, sentence by sentence."""

import json
from functools import cache
from pathlib import Path
from typing import Final, Literal, Self

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field, model_validator

from commonground.metrics.semf1 import PRESETS
from commonground.web.context import CurrentSession, TheJobs, page
from commonground.web.pages.jobs import Accepted
from commonground.web.pages.texts import Narrative

router = APIRouter(tags=["score"])

_MAX_REFERENCES: Final = 10

_EXAMPLE = Path(__file__).parents[1] / "data" / "score_example.json"

Percent = Field(ge=0, le=100)


class ScoreRequest(BaseModel):
    """A summary and its references."""

    summary: Narrative
    references: list[Narrative] = Field(min_length=1, max_length=_MAX_REFERENCES)


class Numbers(BaseModel):
    """Precision, recall and F1."""

    precision: float
    recall: float
    f1: float


class Match(BaseModel):
    """A sentence, its best match on the other side, and their similarity."""

    text: str
    match: str | None
    similarity: float
    label: Literal["P", "PP", "A"]


class SemF1Result(Numbers):
    """SEM-F1 with its sentences."""

    labelled: Numbers
    sentences: list[Match]
    references: list[list[Match]]
    signature: str


class RougeResult(BaseModel):
    """ROUGE by type."""

    rouge1: Numbers
    rouge2: Numbers
    rougeL: Numbers  # noqa: N815  # as the metric is written
    rougeLsum: Numbers  # noqa: N815
    signature: str


class Scoring(ScoreRequest):
    """A result as it is saved: texts, scores and thresholds."""

    sem_f1: SemF1Result
    rouge: RougeResult
    lower: int = Percent
    upper: int = Percent

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.lower > self.upper:
            raise ValueError("the lower threshold is above the upper one")
        if len(self.sem_f1.references) != len(self.references):
            raise ValueError("the number of references differs from that of the scores")
        return self


@router.get("/score", include_in_schema=False)
def score_page(request: Request) -> Response:
    """Show the page with a worked example."""
    return _page(request, example(), "/api/score/example", is_example=True)


@router.post("/api/score", status_code=202)
def score(wanted: ScoreRequest, session: CurrentSession, jobs: TheJobs) -> Accepted:
    """Score a summary; the result is `{"sem_f1", "rouge"}`."""
    return Accepted(job=jobs.submit("score", wanted.model_dump(), session.id).id)


@router.get("/api/score/example")
def score_example() -> Scoring:
    """Return the worked example."""
    return example()


def kept_page(request: Request, scoring: Scoring, link: str) -> Response:
    """Show a saved result."""
    return _page(request, scoring, f"/kept/{link}/data")


def _page(request: Request, scoring: Scoring, source: str, *, is_example: bool = False) -> Response:
    return page(
        request,
        "score.html",
        scoring=scoring,
        source=source,
        example=is_example,
        presets=list(PRESETS),
        most=_MAX_REFERENCES,
    )


@cache
def example() -> Scoring:
    """Return the worked example: a summary of how a town dims its street lamps."""
    return Scoring.model_validate(json.loads(_EXAMPLE.read_text("utf-8")))
