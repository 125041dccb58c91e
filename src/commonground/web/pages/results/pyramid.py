"""The Pyramid page: build a pyramid from references, edit it, and grade a class."""

import base64
import io
import zipfile
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache, cached_property
from typing import Any, Final, Literal, Self

from fastapi import APIRouter, UploadFile
from fastapi.responses import HTMLResponse, Response
from pydantic import BaseModel, Field, computed_field, model_validator

from commonground.cells import csv_line
from commonground.pyramid import MOST_WEIGHT, Corrections
from commonground.report import (
    FEEDBACK_INDEX,
    WORDING,
    class_page,
    counted,
    feedback_body,
    feedback_page,
    page_names,
    pyramid_page,
)
from commonground.web.pages.jobs import Accepted, Answer, Essay, Submit
from commonground.web.pages.results.pyramid_class import (
    MAX_STUDENTS,
    ClassScores,
    Graded,
    MarksRequest,
)
from commonground.web.pages.results.pyramid_edits import EditRequest, Name, PyramidModel
from commonground.web.pages.results.result_page import Result, ResultPage, one_line
from commonground.web.pages.sheets import attachment, csv_file, template_file

router = APIRouter(tags=["pyramid"])

_MIN_REFERENCES: Final = 2
_MAX_REFERENCES: Final = 10


class BuildRequest(BaseModel):
    """The references of a pyramid."""

    references: list[Essay] = Field(min_length=_MIN_REFERENCES, max_length=_MAX_REFERENCES)


class ScoresRequest(BaseModel):
    """A class and the pyramid to score it with."""

    pyramid: PyramidModel
    students: list[Answer] = Field(min_length=1, max_length=MAX_STUDENTS)


class Desk(EditRequest, Result):
    """The whole page, as it is saved.

    `names` are those of the references, `judged` the program's scores, `scores` those with the
    marks of people, `grades` a scale, `words` the teacher's words for the sheets, and `checked` the
    students whose sheets the teacher has finished, with the hash of the text.
    """

    names: list[Name] = Field(max_length=_MAX_REFERENCES)
    students: list[Answer] = Field(max_length=MAX_STUDENTS, default=[])
    scores: ClassScores | None = None
    judged: ClassScores | None = None
    grades: str = Field(max_length=2000, default="")
    words: dict[str, str] = Field(default={})
    checked: dict[Name, Name] = Field(max_length=MAX_STUDENTS, default={})

    @computed_field  # type: ignore[prop-decorator]
    @cached_property
    def now(self) -> PyramidModel:
        """The edited pyramid; visitors by a link cannot compute it."""
        return PyramidModel.model_validate(self.applied().to_dict())

    @property
    def title(self) -> str:
        """The size of the pyramid, the number of students and the heaviest unit."""
        units, references = self.now.units, self.now.references
        size = f"{counted(len(units), 'idea')} from {counted(len(references), 'reference')}"
        students = f", {counted(len(self.students), 'student')}" if self.students else ""
        return one_line(f"{size}{students}", units[0].label)

    @model_validator(mode="after")
    def _check_scores(self) -> Self:
        for scores in (self.scores, self.judged):
            if scores:
                Graded(pyramid=self.now, scores=scores)
        return self


class SavedDesk(BaseModel):
    """The part of a saved desk that the page shows; it was checked when it was saved."""

    pyramid: PyramidModel
    names: list[str]


class Sheets(BaseModel):
    """The feedback sheet of each student, as HTML to insert into a page."""

    sheets: list[str]


PAGE = ResultPage(
    router,
    "pyramid",
    "Pyramid",
    Desk,
    shown=SavedDesk,
    fewest=_MIN_REFERENCES,
    most=_MAX_REFERENCES,
    most_students=MAX_STUDENTS,
    most_weight=MOST_WEIGHT,
    wording=WORDING,
)


@router.post("/api/pyramid", status_code=202)
def build(request: BuildRequest, submit: Submit) -> Accepted:
    """Build a pyramid; the result is `{"pyramid", "notices"}`."""
    return submit("pyramid", request.model_dump())


@router.post("/api/pyramid/edit")
def edit(request: EditRequest) -> PyramidModel:
    """Change units; to undo, omit the last edit. Decisions about students change nothing here."""
    return PyramidModel.model_validate(request.applied().to_dict())


@router.post("/api/pyramid/marks")
def marks(request: MarksRequest) -> ClassScores:
    """Apply people's marks, comments and a grade scale to the program's scores."""
    return request.corrected()


@router.post("/api/pyramid/corrections")
def corrections(request: EditRequest) -> dict[str, Any]:
    """Return the changes as a corrections file of `commonground pyramid score`."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    changes = [replace(change, at=change.at or now) for change in request.changes()]
    return Corrections(tuple(changes)).to_dict()


@router.post("/api/pyramid/scores", status_code=202)
def scores(request: ScoresRequest, submit: Submit) -> Accepted:
    """Score a class; the result is `{"signature", "students"}`."""
    request.pyramid.opened()
    return submit("pyramid-scores", request.model_dump())


@router.post("/api/pyramid/class", status_code=202)
async def class_file(file: UploadFile, submit: Submit) -> Accepted:
    """Read a class from a CSV, TSV or XLSX file; the result is `{"name", "students", "blank"}`.

    Columns: `name` (or `student` or `id`) and `summary` (or `text`). `blank` names the students
    without a summary.
    """
    content = base64.b64encode(await file.read()).decode()
    most = {"most": MAX_STUDENTS}
    return submit("class", {"name": file.filename or "", "content": content, **most})


@router.get("/pyramid/template.{form}", include_in_schema=False)
def template(form: Literal["csv", "xlsx"]) -> Response:
    """Return a file to fill in, with the students of the example."""
    return attachment(f"class-template.{form}", _template(form))


@cache
def _template(form: str) -> bytes:
    students = PAGE.example().students
    return template_file([("name", "summary"), *((one.name, one.text) for one in students)], form)


@router.post("/api/pyramid/page", response_class=HTMLResponse)
def standalone_page(pyramid: PyramidModel) -> Response:
    """Return the pyramid as one self-contained HTML file."""
    return HTMLResponse(pyramid_page(pyramid.opened().to_dict()))


@router.post("/api/pyramid/sheets")
def sheets(graded: Graded) -> Sheets:
    """Return the feedback sheet of each student."""
    words, students = graded.wording(), graded.students()
    return Sheets(sheets=[feedback_body(one, words, for_teacher=True) for one in students])


@router.post("/api/pyramid/sheets.zip", response_class=Response)
def sheets_file(graded: Graded) -> Response:
    """Return a ZIP file with a page for each student and an overview of the class."""
    students = graded.students()
    pages = page_names([student["name"] for student in students])
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        grades = graded.scores.grades or None
        archive.writestr(FEEDBACK_INDEX, class_page(students, pages, "The class", grades))
        for name, student in zip(pages, students, strict=True):
            archive.writestr(name, feedback_page(student, graded.wording()))
    return Response(stream.getvalue(), media_type="application/zip")


@router.post("/api/pyramid/scores.csv", response_class=Response)
def scores_file(graded: Graded) -> Response:
    """Return a CSV row for each student, with the columns of `commonground pyramid score --csv`.

    It starts with a byte order mark: without it, Excel takes UTF-8 for another encoding.
    """
    numbers = ("raw", "quality", "coverage", "comprehensive", "unit_count")
    counts = ("units_stated", "units_to_check", "units_partly", "marks_by_people")
    lines = [csv_line(["name", *numbers, *counts, "grade", "comment"])]
    for student in graded.scores.students:
        values = [round(getattr(student, name), 4) for name in numbers]
        values += [student.stated, student.to_check, student.count("partly"), student.by_people]
        comment = student.comment.text if student.comment else ""
        lines.append(csv_line([student.name, *values, student.grade, comment]))
    return Response(csv_file("".join(lines)), media_type="text/csv")
