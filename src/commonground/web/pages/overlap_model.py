"""What `Overlap.to_dict()` looks like, checked where it comes back from a browser.

The renderer trusts numbers of narratives and places in texts, so these are checked too.
"""

from collections.abc import Iterator

from pydantic import BaseModel, Field, model_validator

_Place = Field(ge=0)


class PassageModel(BaseModel):
    """A stretch of one narrative."""

    narrative: int = _Place
    text: str
    start: int = _Place
    end: int = _Place
    probability: float = Field(ge=0, le=1)
    through: str | None = None


class StatementModel(BaseModel):
    """Something that narratives agree on."""

    text: str
    weight: int = _Place
    probability: float = Field(ge=0, le=1)
    evidence: list[PassageModel]


class SideModel(BaseModel):
    """One narrative's side of a conflict."""

    narrative: int = _Place
    text: str
    start: int = _Place
    end: int = _Place
    value: str
    value_start: int = _Place
    value_end: int = _Place
    group: int | None = None


class ConflictModel(BaseModel):
    """The same matter, told differently."""

    kind: str
    sides: list[SideModel] = Field(min_length=2)


class NarrativeModel(BaseModel):
    """A narrative and what it is called."""

    source: str
    text: str


class OverlapResult(BaseModel):
    """What narratives have in common."""

    summary: str
    statements: list[StatementModel]
    unique: list[PassageModel]
    conflicts: list[ConflictModel]
    narratives: list[NarrativeModel] = Field(min_length=2, max_length=6)
    at_least: int = Field(ge=2)
    signature: str

    @model_validator(mode="after")
    def _within(self) -> "OverlapResult":
        for one in self._passages():
            if one.narrative >= len(self.narratives):
                raise ValueError(f"there is no narrative {one.narrative}")
            if not one.start <= one.end <= len(self.narratives[one.narrative].text):
                raise ValueError(f"{one.start} to {one.end} is no place in the narrative")
        return self

    def _passages(self) -> Iterator[PassageModel | SideModel]:
        yield from self.unique
        for statement in self.statements:
            yield from statement.evidence
        for conflict in self.conflicts:
            yield from conflict.sides
