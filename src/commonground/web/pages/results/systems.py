"""Many systems from one file: their scores, as files and under a link."""

import base64
import csv
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, Final, Literal, Self

from fastapi import APIRouter, UploadFile
from fastapi.responses import Response
from pydantic import BaseModel, Field, model_validator

from commonground.report import to_csv
from commonground.web.context import DATA
from commonground.web.pages.jobs import Accepted, Submit
from commonground.web.pages.results.result_page import Notice, Result, ResultPage, one_line
from commonground.web.pages.sheets import attachment, csv_file, template_file, xlsx_file

router = APIRouter(tags=["score"])

_MAX_SYSTEMS: Final = 2_000
_MAX_SUMMARIES: Final = 2_000  # in all: a file has no more rows
_MAX_METRICS: Final = 20
_MAIN: Final = "SEM-F1"

Count = Annotated[int, Field(ge=0, le=1_000_000)]


class Mean(BaseModel):
    """A mean and its 95% interval."""

    mean: float
    low: float
    high: float


class Behind(BaseModel):
    """How far a system is behind the best one, on the ids that both have.

    `smallest_p` is the lowest p-value that so many ids can give, `ids_needed` how many could give
    one below 0.05; results of earlier versions have neither.
    """

    difference: float
    low: float | None
    high: float | None
    p: float
    items: Count
    smallest_p: float | None = None
    ids_needed: Count | None = None


class SummaryScore(BaseModel):
    """The F1 of one summary, by metric."""

    id: str
    scores: dict[str, float] = Field(max_length=_MAX_METRICS)


class SystemScore(BaseModel):
    """The scores of one system; results of earlier versions have no `summaries`."""

    system: str
    items: Count
    scores: dict[str, Mean] = Field(max_length=_MAX_METRICS)
    baseline: float | None
    signatures: list[str]
    summaries: list[SummaryScore] = Field(default=[], max_length=_MAX_SUMMARIES)
    behind: Behind | None = None


class SystemScores(Result):
    """The scores of systems, best first, as they are saved; `name` is the file's name."""

    name: str = Field(default="", max_length=200)
    notices: list[Notice] = Field(default=[], max_length=100)
    systems: list[SystemScore] = Field(min_length=1, max_length=_MAX_SYSTEMS)

    @model_validator(mode="after")
    def _check(self) -> Self:
        metrics = list(self.systems[0].scores)
        if _MAIN not in metrics or any(list(row.scores) != metrics for row in self.systems):
            raise ValueError(f"every system needs the same metrics, with {_MAIN}")
        summaries = [one for row in self.systems for one in row.summaries]
        if len(summaries) > _MAX_SUMMARIES:
            raise ValueError(f"there are more than {_MAX_SUMMARIES:,} summaries")
        if any(list(one.scores) != metrics for one in summaries):
            raise ValueError("every summary needs the metrics of its system")
        return self

    @property
    def title(self) -> str:
        """The name of the file and the systems."""
        return one_line(self.name, ", ".join(row.system for row in self.systems))

    def table(self) -> dict[str, Any]:
        """Return the scores as a table with unrounded numbers."""
        metrics = list(self.systems[0].scores)
        heads = [f"{name}{end}" for name in metrics for end in ("", " low", " high")]
        behind = ["behind the best", "behind low", "behind high", "p", "common ids", "smallest p"]
        return {
            "columns": ["system", "summaries", *heads, "random baseline", *behind],
            "rows": [_row(one) for one in self.systems],
        }

    def summaries(self) -> dict[str, Any]:
        """Return the scores of each summary as a table, in the order of the systems."""
        return {
            "columns": ["id", "system", *self.systems[0].scores],
            "rows": [
                [one.id, row.system, *one.scores.values()]
                for row in self.systems
                for one in row.summaries
            ],
        }


def _row(one: SystemScore) -> list[Any]:
    numbers = [value for mean in one.scores.values() for value in (mean.mean, mean.low, mean.high)]
    lag = one.behind
    behind: list[Any] = [None] * 6
    if lag:
        behind = [lag.difference, lag.low, lag.high, lag.p, lag.items, lag.smallest_p]
    return [one.system, one.items, *numbers, one.baseline, *behind]


PAGE = ResultPage(None, "systems", "Many systems", SystemScores)


@router.post("/api/score/systems", status_code=202)
async def score_systems(file: UploadFile, submit: Submit) -> Accepted:
    """Score the systems of an XLSX, CSV or JSONL file.

    The result is `{"systems", "notices", "texts"}`. Rows have `summary`, `references` (XLSX and
    CSV: columns that start with "reference"), and optionally `system` and `id`.
    """
    content = base64.b64encode(await file.read()).decode()
    return submit("systems", {"content": content})


@router.post("/api/score/systems.{form}", response_class=Response)
def systems_file(form: Literal["csv", "xlsx"], scores: SystemScores) -> Response:
    """Return the scores of systems as a table; XLSX has a second sheet with each summary."""
    return table_file(f"systems.{form}", scores)


@router.post("/api/score/summaries.csv", response_class=Response)
def summaries_file(scores: SystemScores) -> Response:
    """Return the scores of each summary as a table."""
    return table_file("summaries.csv", scores)


@router.get("/score/template.{form}", include_in_schema=False)
def template(form: Literal["csv", "xlsx"]) -> Response:
    """Return a file to fill in, with the rows of the example."""
    return attachment(f"systems-template.{form}", _template(form))


@cache
def _template(form: str) -> bytes:
    """Return the bytes of the template."""
    text = (DATA / "systems_example.csv").read_text("utf-8")
    return template_file(list(csv.reader(text.splitlines())), form)


def _xlsx(scores: SystemScores) -> bytes:
    systems, summaries = (
        [table["columns"], *table["rows"]] for table in (scores.table(), scores.summaries())
    )
    return xlsx_file(systems=systems, summaries=summaries)


FILES: Final[dict[str, Callable[[SystemScores], bytes]]] = {
    "systems.csv": lambda scores: csv_file(to_csv(scores.table())),
    "systems.xlsx": _xlsx,
    "summaries.csv": lambda scores: csv_file(to_csv(scores.summaries())),
}


def table_file(name: str, scores: SystemScores) -> Response:
    """Return one of `FILES`."""
    return attachment(name, FILES[name](scores))
