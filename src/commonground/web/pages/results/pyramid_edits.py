"""A pyramid of the Pyramid page, and the changes that a teacher makes."""

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, Field

from commonground.errors import InputError
from commonground.pyramid import MOST_WEIGHT, Change, Corrected, Pyramid, replay

_MAX_EDITS: Final = 5000

Index = Annotated[int, Field(ge=0)]
Name = Annotated[str, Field(max_length=200)]
Label = Annotated[str, Field(min_length=1, max_length=500)]
Span = Annotated[list[Index], Field(min_length=2, max_length=2)]
UnitName = Index | Annotated[str, Field(min_length=1, max_length=600)]
"""A unit, by its index or by its words."""


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
    references: list[str]
    names: list[Name] = []
    units: list[UnitModel] = Field(min_length=1)

    def opened(self) -> Pyramid:
        """Return the checked `Pyramid`."""
        return Pyramid.from_dict(self.model_dump())


class _Signed(BaseModel):
    """A change, with who made it and when; those of old versions have neither."""

    by: Name = ""
    at: Name = ""


class _Decision(_Signed):
    """A change about a student; `text` is the hash of the summary."""

    student: Name
    text: Name = ""


class Merge(_Signed):
    """Merge several units into one."""

    do: Literal["merge"]
    units: list[UnitName] = Field(min_length=2)
    label: Label | None = None


class Split(_Signed):
    """Move some contributors of a unit to a new unit."""

    do: Literal["split"]
    unit: UnitName
    contributors: list[UnitName] = Field(min_length=1)
    label: Label | None = None


class Rename(_Signed):
    """Change the label of a unit."""

    do: Literal["rename"]
    unit: UnitName
    label: Label


class Reweigh(_Signed):
    """Set the weight of a unit; null restores the number of its references."""

    do: Literal["reweigh"]
    unit: UnitName
    weight: int | None = Field(ge=1, le=MOST_WEIGHT)


class Delete(_Signed):
    """Remove a unit."""

    do: Literal["delete"]
    unit: UnitName


class Add(_Signed):
    """Add a unit that no reference expresses."""

    do: Literal["add"]
    label: Label
    weight: int = Field(ge=1, le=MOST_WEIGHT, default=1)


class Decide(_Decision):
    """Accept or reject a match."""

    do: Literal["accept", "reject"]
    unit: UnitName


class Point(_Decision):
    """Mark a unit as stated by a sentence; sentences count from 1."""

    do: Literal["point"]
    unit: UnitName
    sentence: int = Field(ge=1)


class Comment(_Decision):
    """Write to a student; empty to remove a comment."""

    do: Literal["comment"]
    comment: str = Field(max_length=5000)


Edit = Annotated[
    Merge | Split | Rename | Reweigh | Delete | Add | Decide | Point | Comment,
    Field(discriminator="do"),
]


class EditRequest(BaseModel):
    """A pyramid as it was built, and all changes since, in order."""

    pyramid: PyramidModel
    edits: list[Edit] = Field(max_length=_MAX_EDITS)

    def changes(self) -> list[Change]:
        """Return the changes as in a corrections file."""
        return [Change.of(_values(edit), signed=False) for edit in self.edits]

    def replayed(self, students: dict[str, str] | None = None) -> Corrected:
        """Apply the changes; `students` are the texts by name, if they are to be checked."""
        return replay(self.pyramid.opened(), self.changes(), students)

    def applied(self) -> Pyramid:
        """Return the edited pyramid; a change that does not fit is an error."""
        corrected = self.replayed()
        if corrected.unapplied:
            raise InputError(corrected.unapplied[0].why)
        return corrected.pyramid


def _values(edit: BaseModel) -> dict[str, Any]:
    """Return the fields of a change that are set; no weight restores the counted one."""
    values = edit.model_dump()
    return {key: value for key, value in values.items() if value is not None or key == "weight"}
