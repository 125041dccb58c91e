"""The Pyramid page: build a pyramid from references, edit it, and grade a class."""

import csv
import io
import zipfile
from functools import cached_property
from typing import Annotated, Any, Final, Literal, Self

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response
from pydantic import BaseModel, Field, computed_field, model_validator

from commonground.agreement import guarded
from commonground.pyramid import MOST_WEIGHT, Pyramid, edited, presence_of
from commonground.report import (
    FEEDBACK_INDEX,
    class_page,
    counted,
    feedback_body,
    feedback_page,
    page_names,
    pyramid_page,
)
from commonground.web.pages.jobs import Accepted, Answer, Essay, Submit
from commonground.web.pages.results.result_page import Result, ResultPage, one_line

router = APIRouter(tags=["pyramid"])

_MIN_REFERENCES: Final = 2
_MAX_REFERENCES: Final = 10
_MAX_STUDENTS: Final = 300
_MAX_EDITS: Final = 500

Index = Annotated[int, Field(ge=0)]
Label = Annotated[str, Field(min_length=1, max_length=500)]
Name = Annotated[str, Field(max_length=200)]
Share = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Span = Annotated[list[Index], Field(min_length=2, max_length=2)]


class BuildRequest(BaseModel):
    """The references of a pyramid."""

    references: list[Essay] = Field(min_length=_MIN_REFERENCES, max_length=_MAX_REFERENCES)


class ContributorModel(BaseModel):
    """A passage of one reference that expresses a unit."""

    reference: Index
    text: str
    id: str = ""
    spans: list[Span] = []


class UnitModel(BaseModel):
    """A content unit and the passages that express it."""

    label: str
    clause: str = ""
    weight: int = Field(ge=1)
    attraction: float
    contributors: list[ContributorModel]


class PyramidModel(BaseModel):
    """A pyramid, as in the files of `commonground pyramid`."""

    format: Literal["commonground-pyramid"]
    version: Literal[1]
    signature: dict[str, str]
    references: list[str] = Field(min_length=1)
    units: list[UnitModel] = Field(min_length=1)

    def opened(self) -> Pyramid:
        """Return the checked `Pyramid`."""
        return Pyramid.from_dict(self.model_dump())


class Merge(BaseModel):
    """Merge several units into one."""

    do: Literal["merge"]
    units: list[Index] = Field(min_length=2)
    label: Label | None = None


class Split(BaseModel):
    """Move some contributors of a unit to a new unit."""

    do: Literal["split"]
    unit: Index
    contributors: list[Index] = Field(min_length=1)
    label: Label | None = None


class Rename(BaseModel):
    """Change the label of a unit."""

    do: Literal["rename"]
    unit: Index
    label: Label


class Reweigh(BaseModel):
    """Set the weight of a unit; null restores the number of its references."""

    do: Literal["reweigh"]
    unit: Index
    weight: int | None = Field(ge=1, le=MOST_WEIGHT)


Edit = Annotated[Merge | Split | Rename | Reweigh, Field(discriminator="do")]


class EditRequest(BaseModel):
    """A pyramid as it was built, and all edits since, in order."""

    pyramid: PyramidModel
    edits: list[Edit] = Field(max_length=_MAX_EDITS)

    def applied(self) -> Pyramid:
        """Return the edited pyramid."""
        return edited(self.pyramid.opened(), [edit.model_dump() for edit in self.edits])


class ScoresRequest(BaseModel):
    """A class and the pyramid to score it with."""

    pyramid: PyramidModel
    students: list[Answer] = Field(min_length=1, max_length=_MAX_STUDENTS)


class MatchModel(BaseModel):
    """Whether a summary states a unit, and the sentence that shows it best.

    `check` says why a person should check the match, `by` who decided; results of old versions
    have neither.
    """

    probability: float = Field(ge=0, le=1)
    stated: bool
    sentence: Index | None
    check: Literal["negation"] | None = None
    by: Name | None = None

    @computed_field  # type: ignore[prop-decorator]
    @property
    def presence(self) -> Literal["yes", "partly", "no"]:
        """Whether the unit counts as stated."""
        return presence_of(self.probability)

    @property
    def share(self) -> float:
        """The part of the unit's weight that counts."""
        return 0.0 if self.presence == "no" else self.probability


class StudentModel(BaseModel):
    """The scores of one student; `matches` follow the order of the pyramid's units."""

    name: str = Field(max_length=200)
    text: str
    sentences: list[Span]
    raw: Share
    quality: Share
    coverage: Share
    comprehensive: Share
    unit_count: Index
    matches: list[MatchModel]

    @model_validator(mode="after")
    def _check(self) -> Self:
        if any(not start <= end <= len(self.text) for start, end in self.sentences):
            raise ValueError(f"{self.name}: a sentence is outside the text")
        indices = [match.sentence for match in self.matches if match.sentence is not None]
        if indices and max(indices) >= len(self.sentences):
            raise ValueError(f"{self.name}: a match refers to a missing sentence")
        return self

    @property
    def stated(self) -> int:
        """Number of stated units."""
        return sum(match.stated for match in self.matches)

    @property
    def to_check(self) -> int:
        """Number of matches that a person should check."""
        return sum(match.check is not None for match in self.matches)


class ClassScores(BaseModel):
    """The scores of a class."""

    signature: str
    students: list[StudentModel] = Field(min_length=1, max_length=_MAX_STUDENTS)


class Graded(BaseModel):
    """A class and the pyramid it was scored with."""

    pyramid: PyramidModel
    scores: ClassScores

    @model_validator(mode="after")
    def _check(self) -> Self:
        for student in self.scores.students:
            if len(student.matches) != len(self.pyramid.units):
                raise ValueError(f"{student.name} was scored with another pyramid. Score again.")
        return self

    def students(self) -> list[dict[str, Any]]:
        """Return each student as `feedback_page` expects it."""
        units = [unit.model_dump() for unit in self.pyramid.units]
        shared = {"references": len(self.pyramid.references), "signature": self.scores.signature}
        return [
            {
                **student.model_dump(exclude={"matches"}),
                **shared,
                "units": [
                    unit | match.model_dump() | {"points": unit["weight"] * match.share}
                    for unit, match in zip(units, student.matches, strict=True)
                ],
            }
            for student in self.scores.students
        ]


class Desk(EditRequest, Result):
    """The whole page, as it is saved; `names` are those of the references."""

    names: list[str] = Field(max_length=_MAX_REFERENCES)
    students: list[Answer] = Field(max_length=_MAX_STUDENTS, default=[])
    scores: ClassScores | None = None

    @computed_field  # type: ignore[prop-decorator]
    @cached_property
    def now(self) -> PyramidModel:
        """The edited pyramid; visitors by a link cannot compute it."""
        return PyramidModel.model_validate(self.applied().to_dict())

    @property
    def title(self) -> str:
        """The size of the pyramid, the number of students and the heaviest unit."""
        units, references = self.now.units, self.now.references
        size = f"{counted(len(units), 'unit')} from {counted(len(references), 'reference')}"
        students = f", {counted(len(self.students), 'student')}" if self.students else ""
        return one_line(f"{size}{students}", units[0].label)

    @model_validator(mode="after")
    def _check_scores(self) -> Self:
        if self.scores:
            Graded(pyramid=self.now, scores=self.scores)
        return self


class KeptDesk(BaseModel):
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
    shown=KeptDesk,
    fewest=_MIN_REFERENCES,
    most=_MAX_REFERENCES,
    most_students=_MAX_STUDENTS,
    most_weight=MOST_WEIGHT,
)


@router.post("/api/pyramid", status_code=202)
def build(request: BuildRequest, submit: Submit) -> Accepted:
    """Build a pyramid; the result is its JSON."""
    return submit("pyramid", request.model_dump())


@router.post("/api/pyramid/edit")
def edit(request: EditRequest) -> PyramidModel:
    """Merge, split, rename and reweigh units; to undo, omit the last edit."""
    return PyramidModel.model_validate(request.applied().to_dict())


@router.post("/api/pyramid/scores", status_code=202)
def scores(request: ScoresRequest, submit: Submit) -> Accepted:
    """Score a class; the result is `{"signature", "students"}`."""
    request.pyramid.opened()
    return submit("pyramid-scores", request.model_dump())


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
