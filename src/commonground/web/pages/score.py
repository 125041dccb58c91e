"""Score: a summary against references, sentence by sentence."""

import json
from functools import cache
from pathlib import Path
from typing import Final, Literal

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field, model_validator

from commonground.metrics.semf1 import PRESETS
from commonground.web.context import CurrentSession, TheJobs, page
from commonground.web.pages.jobs import Accepted
from commonground.web.pages.named_text import Narrative

router = APIRouter(tags=["score"])

MOST: Final = 10

_EXAMPLE = Path(__file__).parents[1] / "data" / "score_example.json"

Percent = Field(ge=0, le=100)


class ScoreRequest(BaseModel):
    """A summary and what it is measured by."""

    summary: Narrative
    references: list[Narrative] = Field(min_length=1, max_length=MOST)


class Numbers(BaseModel):
    """Precision, recall and F1."""

    precision: float
    recall: float
    f1: float


class Match(BaseModel):
    """A sentence, the nearest one of the other side, and how near it is."""

    text: str
    match: str | None
    similarity: float
    label: Literal["P", "PP", "A"]


class SemF1Result(Numbers):
    """SEM-F1, and the sentences that it comes from."""

    labelled: Numbers
    sentences: list[Match]
    references: list[list[Match]]
    signature: str


class RougeResult(BaseModel):
    """ROUGE by type."""

    rouge1: Numbers
    rouge2: Numbers
    rougeL: Numbers  # noqa: N815  # as the measure is written
    rougeLsum: Numbers  # noqa: N815
    signature: str


class Scoring(ScoreRequest):
    """A result as it is kept: what was scored, the scores, and where the thresholds stand."""

    sem_f1: SemF1Result
    rouge: RougeResult
    lower: int = Percent
    upper: int = Percent

    @model_validator(mode="after")
    def _fitting(self) -> "Scoring":
        if self.lower > self.upper:
            raise ValueError("the lower threshold is above the upper one")
        if len(self.sem_f1.references) != len(self.references):
            raise ValueError("there are not as many references as were scored")
        return self


@router.get("/score", include_in_schema=False)
def score_page(request: Request) -> Response:
    """The page with a worked example."""
    return _shown(request, example(), "/api/score/example", is_example=True)


@router.post("/api/score", status_code=202)
def score(wanted: ScoreRequest, session: CurrentSession, jobs: TheJobs) -> Accepted:
    """Score a summary; the result is `{"sem_f1", "rouge"}`."""
    return Accepted(job=jobs.submit("score", wanted.model_dump(), session.id).id)


@router.get("/api/score/example")
def score_example() -> Scoring:
    """The worked example."""
    return example()


def kept_page(request: Request, scoring: Scoring, link: str) -> Response:
    """A kept result; the owner can go on from it, others can look."""
    return _shown(request, scoring, f"/kept/{link}/data", is_example=False)


def _shown(request: Request, scoring: Scoring, source: str, *, is_example: bool) -> Response:
    return page(
        request,
        "score.html",
        scoring=scoring,
        source=source,
        example=is_example,
        presets=list(PRESETS),
        most=MOST,
    )


@cache
def example() -> Scoring:
    """A summary of how a town dims its lamps, scored before."""
    return Scoring.model_validate(json.loads(_EXAMPLE.read_text("utf-8")))
