"""The Score page: a summary against references, sentence by sentence."""

from typing import Any, Final, Literal, Self

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import BaseModel, Field, model_validator

from commonground.metrics.semf1 import PRESETS
from commonground.report import to_csv
from commonground.web.pages.jobs import Accepted, Narrative, Submit
from commonground.web.pages.results.result_page import Notice, Result, ResultPage, one_line
from commonground.web.pages.sheets import attachment, csv_file, xlsx_file

router = APIRouter(tags=["score"])

_MAX_REFERENCES: Final = 10

_ROUGE: Final = {
    "rouge1": "ROUGE-1",
    "rouge2": "ROUGE-2",
    "rougeL": "ROUGE-L",
    "rougeLsum": "ROUGE-Lsum",
}

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
    notices: list[Notice] = Field(default=[], max_length=100)
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

    def table(self) -> dict[str, Any]:
        """Return a row for each metric, with unrounded numbers."""
        labelled = f"SEM-F1 from labels ({self.lower}-{self.upper})"
        rows: list[tuple[str, Numbers, str]] = [
            ("SEM-F1", self.sem_f1, "sem_f1"),
            (labelled, self.sem_f1.labelled, ""),
            *((name, getattr(self.rouge, key), key) for key, name in _ROUGE.items()),
        ]
        unrelated = self.baseline or {}
        return {
            "columns": ["metric", "precision", "recall", "f1", "unrelated f1"],
            "rows": [
                [name, one.precision, one.recall, one.f1, unrelated.get(key)]
                for name, one, key in rows
            ],
        }

    def sentences(self) -> list[list[Any]]:
        """Return a row for each sentence of both sides, below the names of the columns."""
        sides = [
            (self.summary.name or "Summary", self.sem_f1.sentences),
            *(
                (reference.name or f"Reference {number}", matches)
                for number, (reference, matches) in enumerate(
                    zip(self.references, self.sem_f1.references, strict=True), start=1
                )
            ),
        ]
        return [
            ["text", "sentence", "label", "similarity", "best match"],
            *(
                [name, one.text, one.label, one.similarity, one.match]
                for name, matches in sides
                for one in matches
            ),
        ]


PAGE = ResultPage(router, "score", "Score", Scoring, presets=list(PRESETS), most=_MAX_REFERENCES)


@router.post("/api/score", status_code=202)
def score(request: ScoreRequest, submit: Submit) -> Accepted:
    """Score a summary; the result is `{"sem_f1", "rouge", "baseline", "notices"}`."""
    return submit("score", request.model_dump())


@router.post("/api/score/scores.{form}", response_class=Response)
def scores_file(form: Literal["csv", "xlsx"], scoring: Scoring) -> Response:
    """Return the scores as a table; XLSX has a second sheet with each sentence."""
    table = scoring.table()
    name = f"scores.{form}"
    if form == "csv":
        return attachment(name, csv_file(to_csv(table)))
    rows = [table["columns"], *table["rows"]]
    return attachment(name, xlsx_file(scores=rows, sentences=scoring.sentences()))
