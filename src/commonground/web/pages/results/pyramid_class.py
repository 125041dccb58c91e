"""A class on the Pyramid page: scores, the marks of people, grades, and what the sheets need."""

from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, Field, computed_field, model_validator

from commonground.pyramid import (
    NEGATION,
    Check,
    Corrected,
    GradeScale,
    PyramidScore,
    UnitMatch,
    presence_of,
    share_of,
)
from commonground.report import wording
from commonground.score import Signature
from commonground.web.pages.results.pyramid_edits import (
    EditRequest,
    Index,
    Name,
    PyramidModel,
    Span,
)

MAX_STUDENTS: Final = 300
_MAX_SCALE: Final = 2000

Share = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class CheckModel(BaseModel):
    """Why a person should check a match, as a kind and in words."""

    kind: Literal["negation", "number"]
    words: str = Field(max_length=500)


class MatchModel(BaseModel):
    """Whether a summary states a unit, and the sentence that shows it best.

    `checks` say why a person should check the match, `by` who decided; results of old versions have
    neither, or `check` with one kind.
    """

    probability: float = Field(ge=0, le=1)
    stated: bool
    sentence: Index | None
    checks: list[CheckModel] = []
    by: Name | None = None

    @model_validator(mode="before")
    @classmethod
    def _of_old_version(cls, values: Any) -> Any:
        if isinstance(values, dict) and values.get("check") == NEGATION.kind:
            return values | {"checks": [NEGATION.to_dict()]}
        return values

    @computed_field  # type: ignore[prop-decorator]
    @property
    def presence(self) -> Literal["yes", "partly", "no"]:
        """Whether the unit counts as stated."""
        return presence_of(self.probability)

    @property
    def share(self) -> float:
        """The part of the unit's weight that counts."""
        return share_of(self.probability)


class CommentModel(BaseModel):
    """What a person wrote to a student."""

    text: str = Field(max_length=5000)
    by: Name
    at: Name


class StudentModel(BaseModel):
    """The scores of one student; `matches` follow the order of the pyramid's units.

    `hash` is that of the text; results of old versions have neither it nor `segments`.
    """

    name: str = Field(max_length=200)
    text: str
    sentences: list[Span]
    raw: Share
    quality: Share
    coverage: Share
    comprehensive: Share
    unit_count: Index
    matches: list[MatchModel]
    segments: Index | None = None
    hash: Name = ""
    comment: CommentModel | None = None
    grade: Name = ""

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
        return self.count("yes")

    @property
    def by_people(self) -> int:
        """Number of matches that people decided."""
        return sum(match.by is not None for match in self.matches)

    def count(self, presence: str) -> int:
        """Return the number of units with this presence."""
        return sum(match.presence == presence for match in self.matches)

    @property
    def to_check(self) -> int:
        """Number of matches that a person should check."""
        return sum(bool(match.checks) for match in self.matches)


class ClassScores(BaseModel):
    """The scores of a class; `grades` count the marks, `notes` say which changes do not fit."""

    signature: str
    students: list[StudentModel] = Field(min_length=1, max_length=MAX_STUDENTS)
    grades: dict[str, int] = {}
    notes: list[str] = []


class Graded(BaseModel):
    """A class, the pyramid it was scored with, and the teacher's words for the sheets."""

    pyramid: PyramidModel
    scores: ClassScores
    words: dict[str, str] = {}

    @model_validator(mode="after")
    def _check(self) -> Self:
        for student in self.scores.students:
            if len(student.matches) != len(self.pyramid.units):
                raise ValueError(f"{student.name} was scored with another pyramid. Score again.")
        return self

    def students(self) -> list[dict[str, Any]]:
        """Return each student as `feedback_page` expects it."""
        units = [unit.model_dump() for unit in self.pyramid.units]
        shared = {
            "references": max(len(self.pyramid.references), 1),
            "signature": self.scores.signature,
        }
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

    def wording(self) -> dict[str, str]:
        """Return the words of the sheets."""
        return wording(self.words)


class MarksRequest(EditRequest):
    """The program's scores of a class by the edited pyramid, and all changes."""

    scores: ClassScores
    grades: str = Field(max_length=_MAX_SCALE, default="")

    def corrected(self) -> ClassScores:
        """Return the scores with the marks, comments and grades of people."""
        students = self.scores.students
        found = self.replayed({student.name: student.text for student in students})
        pyramid = PyramidModel.model_validate(found.pyramid.to_dict())
        Graded(pyramid=pyramid, scores=self.scores)
        scale = GradeScale.parse(self.grades) if self.grades.strip() else None
        signature = _signature(self.scores.signature)
        results = [_marked(student, found, scale, signature) for student in students]
        marks = [student.grade for student, _ in results]
        return ClassScores(
            signature=str(results[0][1]),
            students=[student for student, _ in results],
            grades=scale.histogram(marks) if scale else {},
            notes=[f"Change {one.index + 1} is not applied: {one.why}." for one in found.unapplied],
        )


def _signature(text: str) -> Signature:
    """Return the signature that a line spells."""
    measure, *fields = text.split("|")
    parts = [field.partition(":") for field in fields]
    return Signature(measure, tuple((key, value) for key, _, value in parts))


def _marked(
    student: StudentModel, found: Corrected, scale: GradeScale | None, signature: Signature
) -> tuple[StudentModel, Signature]:
    sentences = [student.text[start:end] for start, end in student.sentences]
    matches = [
        UnitMatch(
            unit.label,
            unit.weight,
            match.probability,
            match.sentence,
            None if match.sentence is None else sentences[match.sentence],
            checks=tuple(Check(check.kind, check.words) for check in match.checks),
        )
        for unit, match in zip(found.pyramid.units, student.matches, strict=True)
    ]
    segments = student.unit_count if student.segments is None else student.segments
    references = max(len(found.pyramid.references), 1)
    program = PyramidScore.of(matches, segments, references, signature)
    score = found.score(student.name, program, sentences)
    numbers = {name: getattr(score, name) for name in _NUMBERS}
    comment = found.comments.get(student.name)
    changed = student.model_dump() | numbers
    changed["matches"] = [match.to_dict() for match in score.matches]
    changed["comment"] = comment.to_dict() if comment and comment.text else None
    changed["grade"] = scale.mark(numbers) if scale else ""
    return StudentModel.model_validate(changed), score.signature


_NUMBERS: Final = ("raw", "quality", "coverage", "comprehensive", "unit_count")
