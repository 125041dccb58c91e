"""What the Pyramid page sends and gets: pyramids, changes to them, and scores by them."""

from functools import cached_property
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, Field, computed_field, model_validator

from commonground.pyramid import MOST_WEIGHT, Pyramid, edited
from commonground.web.pages.named_text import Answer, Essay

FEWEST: Final = 2
MOST: Final = 10
MOST_STUDENTS: Final = 300
_MOST_EDITS: Final = 500

Place = Annotated[int, Field(ge=0)]
Label = Annotated[str, Field(min_length=1, max_length=500)]
Share = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Span = Annotated[list[Place], Field(min_length=2, max_length=2)]


class BuildRequest(BaseModel):
    """The references of a pyramid."""

    references: list[Essay] = Field(min_length=FEWEST, max_length=MOST)


class ContributorModel(BaseModel):
    """Words of one reference that express a unit."""

    reference: Place
    text: str
    id: str = ""
    spans: list[Span] = []


class UnitModel(BaseModel):
    """A piece of information, and who expresses it."""

    label: str
    weight: int = Field(ge=1)
    attraction: float
    contributors: list[ContributorModel]


class PyramidModel(BaseModel):
    """A pyramid, as in the file that `commonground pyramid` reads and writes."""

    format: Literal["commonground-pyramid"]
    version: Literal[1]
    signature: dict[str, str]
    references: list[str] = Field(min_length=1)
    units: list[UnitModel] = Field(min_length=1)

    def opened(self) -> Pyramid:
        """The pyramid itself, checked by its own reader too."""
        return Pyramid.from_dict(self.model_dump())


class Merge(BaseModel):
    """Make one unit of several."""

    do: Literal["merge"]
    units: list[Place] = Field(min_length=2)
    label: Label | None = None


class Split(BaseModel):
    """Make a unit of some of a unit's contributors."""

    do: Literal["split"]
    unit: Place
    contributors: list[Place] = Field(min_length=1)
    label: Label | None = None


class Rename(BaseModel):
    """Put a unit in other words."""

    do: Literal["rename"]
    unit: Place
    label: Label


class Reweigh(BaseModel):
    """Set a unit's weight; null counts its references again."""

    do: Literal["reweigh"]
    unit: Place
    weight: int | None = Field(ge=1, le=MOST_WEIGHT)


Edit = Annotated[Merge | Split | Rename | Reweigh, Field(discriminator="do")]


class EditRequest(BaseModel):
    """A pyramid as it was built, and all changes since, in their order."""

    pyramid: PyramidModel
    edits: list[Edit] = Field(max_length=_MOST_EDITS)

    def applied(self) -> Pyramid:
        """The pyramid as it is after them."""
        return edited(self.pyramid.opened(), [edit.model_dump() for edit in self.edits])


class ScoresRequest(BaseModel):
    """A class, and the pyramid to score it by."""

    pyramid: PyramidModel
    students: list[Answer] = Field(min_length=1, max_length=MOST_STUDENTS)


class MatchModel(BaseModel):
    """Whether a summary states a unit, and which of its sentences shows it best.

    `check` says why a person should look; what was kept before there was one has none.
    """

    probability: float = Field(ge=0, le=1)
    stated: bool
    sentence: Place | None
    check: Literal["negation"] | None = None


class StudentModel(BaseModel):
    """The scores of one summary; `matches` are in the order of the pyramid's units."""

    name: str = Field(max_length=200)
    text: str
    sentences: list[Span]
    raw: Share
    quality: Share
    coverage: Share
    comprehensive: Share
    unit_count: Place
    matches: list[MatchModel]

    @model_validator(mode="after")
    def _within(self) -> "StudentModel":
        if any(not start <= end <= len(self.text) for start, end in self.sentences):
            raise ValueError(f"{self.name}: a sentence is outside of the text")
        places = [one.sentence for one in self.matches if one.sentence is not None]
        if any(place >= len(self.sentences) for place in places):
            raise ValueError(f"{self.name}: there are not so many sentences")
        return self

    @property
    def stated(self) -> int:
        """How many units it states."""
        return sum(one.stated for one in self.matches)

    @property
    def to_check(self) -> int:
        """How many of these by words that may deny them."""
        return sum(one.check is not None for one in self.matches)


class ClassScores(BaseModel):
    """The scores of a class."""

    signature: str
    students: list[StudentModel] = Field(min_length=1, max_length=MOST_STUDENTS)


class Graded(BaseModel):
    """A class and the pyramid that it was scored by."""

    pyramid: PyramidModel
    scores: ClassScores

    @model_validator(mode="after")
    def _fitting(self) -> "Graded":
        count = len(self.pyramid.units)
        for one in self.scores.students:
            if len(one.matches) != count:
                raise ValueError(f"{one.name} was scored by another pyramid; score again")
        return self

    def students(self) -> list[dict[str, Any]]:
        """Each student as `feedback_page` takes it."""
        units = [unit.model_dump() for unit in self.pyramid.units]
        shared = {"references": len(self.pyramid.references), "signature": self.scores.signature}
        return [
            {
                **one.model_dump(exclude={"matches"}),
                **shared,
                "units": [
                    unit | match.model_dump()
                    for unit, match in zip(units, one.matches, strict=True)
                ],
            }
            for one in self.scores.students
        ]


class Desk(EditRequest):
    """All that stands on the page, as it is kept: the names are those of the references."""

    names: list[str] = Field(max_length=MOST)
    students: list[Answer] = Field(max_length=MOST_STUDENTS, default=[])
    scores: ClassScores | None = None

    @computed_field  # type: ignore[prop-decorator]
    @cached_property
    def now(self) -> PyramidModel:
        """The pyramid with the changes: who comes by a link cannot have them made."""
        return PyramidModel.model_validate(self.applied().to_dict())

    @model_validator(mode="after")
    def _sound(self) -> "Desk":
        if self.scores:
            Graded(pyramid=self.now, scores=self.scores)
        return self


class KeptDesk(BaseModel):
    """What the page itself shows of a kept desk, which was checked when it was kept."""

    pyramid: PyramidModel
    names: list[str]
