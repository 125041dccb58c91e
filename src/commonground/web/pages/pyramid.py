"""The Pyramid page: build a pyramid from references, edit it, and grade a class."""

import csv
import io
import json
import zipfile
from functools import cache
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from pydantic import BaseModel

from commonground.agreement import guarded
from commonground.pyramid import MOST_WEIGHT
from commonground.report import (
    FEEDBACK_INDEX,
    class_page,
    feedback_body,
    feedback_page,
    page_names,
    pyramid_page,
)
from commonground.web.context import CurrentSession, TheJobs, page
from commonground.web.pages.jobs import Accepted
from commonground.web.pages.pyramid_models import (
    MAX_REFERENCES,
    MAX_STUDENTS,
    MIN_REFERENCES,
    BuildRequest,
    Desk,
    EditRequest,
    Graded,
    KeptDesk,
    PyramidModel,
    ScoresRequest,
)

router = APIRouter(tags=["pyramid"])

_EXAMPLE = Path(__file__).parents[1] / "data" / "pyramid_example.json"


class Sheets(BaseModel):
    """The feedback sheet of each student, as HTML to insert into a page."""

    sheets: list[str]


@router.get("/pyramid", include_in_schema=False)
def pyramid_start(request: Request) -> Response:
    """Show the page with a worked example."""
    return _page(request, example(), "/api/pyramid/example", is_example=True)


@router.get("/api/pyramid/example")
def pyramid_example() -> Desk:
    """Return the worked example."""
    return example()


@router.post("/api/pyramid", status_code=202)
def build(wanted: BuildRequest, session: CurrentSession, jobs: TheJobs) -> Accepted:
    """Build a pyramid; the result is its JSON."""
    return Accepted(job=jobs.submit("pyramid", wanted.model_dump(), session.id).id)


@router.post("/api/pyramid/edit")
def edit(wanted: EditRequest) -> PyramidModel:
    """Merge, split, rename and reweigh units; to undo, omit the last edit."""
    return PyramidModel.model_validate(wanted.applied().to_dict())


@router.post("/api/pyramid/scores", status_code=202)
def scores(wanted: ScoresRequest, session: CurrentSession, jobs: TheJobs) -> Accepted:
    """Score a class; the result is `{"signature", "students"}`."""
    wanted.pyramid.opened()
    return Accepted(job=jobs.submit("pyramid-scores", wanted.model_dump(), session.id).id)


@router.post("/api/pyramid/page", response_class=HTMLResponse)
def standalone_page(pyramid: PyramidModel) -> Response:
    """Return the pyramid as one self-contained HTML file."""
    return HTMLResponse(pyramid_page(pyramid.opened().to_dict()))


@router.post("/api/pyramid/sheets")
def sheets(graded: Graded) -> Sheets:
    """Return the feedback sheet of each student."""
    return Sheets(sheets=[feedback_body(student) for student in graded.students()])


@router.post("/api/pyramid/sheets.zip", response_class=Response)
def sheets_file(graded: Graded) -> Response:
    """Return a ZIP file with a page for each student and an overview of the class."""
    students = graded.students()
    pages = page_names([student["name"] for student in students])
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(FEEDBACK_INDEX, class_page(students, pages, "The class"))
        for name, student in zip(pages, students, strict=True):
            archive.writestr(name, feedback_page(student))
    return Response(stream.getvalue(), media_type="application/zip")


@router.post("/api/pyramid/scores.csv", response_class=Response)
def scores_file(graded: Graded) -> Response:
    """Return a CSV row for each student, with the columns of `commonground pyramid score --csv`."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    numbers = ("raw", "quality", "coverage", "comprehensive", "unit_count")
    writer.writerow(["file", *numbers, "units_stated", "units_to_check"])
    for student in graded.scores.students:
        values = [getattr(student, name) for name in numbers]
        writer.writerow([guarded(student.name), *values, student.stated, student.to_check])
    return Response(stream.getvalue(), media_type="text/csv")


def kept_page(request: Request, desk: KeptDesk, link: str) -> Response:
    """Show a saved pyramid."""
    return _page(request, desk, f"/kept/{link}/data")


def _page(
    request: Request, desk: Desk | KeptDesk, source: str, *, is_example: bool = False
) -> Response:
    return page(
        request,
        "pyramid.html",
        desk=desk,
        source=source,
        example=is_example,
        fewest=MIN_REFERENCES,
        most=MAX_REFERENCES,
        most_students=MAX_STUDENTS,
        most_weight=MOST_WEIGHT,
    )


@cache
def example() -> Desk:
    """Return the worked example: four model summaries and three students."""
    return Desk.model_validate(json.loads(_EXAMPLE.read_text("utf-8")))
