"""The Score page: a summary against references, sentence by sentence."""

from typing import Final, Literal, Self

from fastapi import APIRouter
from pydantic import BaseModel, Field, model_validator

from commonground.metrics.semf1 import PRESETS
from commonground.web.pages.jobs import Accepted, Narrative, Submit
from commonground.web.pages.results.result_page import Result, ResultPage, one_line

router = APIRouter(tags=["score"])

_MAX_REFERENCES: Final = 10

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


class Scoring(ScoreRequest, Result):
    """A result as it is saved: texts, scores and thresholds."""

    sem_f1: SemF1Result
    rouge: RougeResult
    baseline: dict[str, float] | None = None  # F1 of unrelated texts; older results have none
    lower: int = Percent
    upper: int = Percent

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.lower > self.upper:
            raise ValueError("the lower threshold is above the upper one")
        if len(self.sem_f1.references) != len(self.references):
            raise ValueError("the number of references differs from that of the scores")
        return self

    @property
    def title(self) -> str:
        """The name and start of the summary."""
        return one_line(self.summary.name, self.summary.text)


PAGE = ResultPage(router, "score", "Score", Scoring, presets=list(PRESETS), most=_MAX_REFERENCES)


@router.post("/api/score", status_code=202)
def score(request: ScoreRequest, submit: Submit) -> Accepted:
    """Score a summary; the result is `{"sem_f1", "rouge", "baseline"}`."""
    return submit("score", request.model_dump())
