"""What narratives have in common, as a result: statements, what is unique, and conflicts."""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from commonground.io import Narrative, whole_file
from commonground.plain import Plain
from commonground.report import NOTHING_IN_COMMON, overlap_page
from commonground.score import Signature


@dataclass(frozen=True, slots=True)
class Passage(Plain):
    """A stretch of one narrative: `narratives[narrative].text[start:end]`.

    `probability` is how likely the narrative states what the passage stands for, judged on the
    whole narrative; `through` is the background statement that bridged the wordings, if one did.
    """

    narrative: int
    text: str
    start: int
    end: int
    probability: float
    through: str | None = None


@dataclass(frozen=True, slots=True)
class Statement(Plain):
    """Something that the narratives agree on.

    Attributes:
        text: A sentence of the summary, in the words of one of the narratives.
        weight: How many narratives state it.
        probability: That the least sure of these narratives states it.
        evidence: The sentence that shows it, for each narrative that states it, in their order.
    """

    text: str
    weight: int
    probability: float
    evidence: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Side(Plain):
    """One narrative's side of a conflict: its sentence, and the words in it that differ.

    Sides with the same `group` give the same value: "twelve" in one narrative, "12" in another.
    """

    narrative: int
    text: str
    start: int
    end: int
    value: str
    value_start: int
    value_end: int
    group: int = 0


@dataclass(frozen=True, slots=True)
class Conflict(Plain):
    """One matter, told differently: a number, name, place, date, quality or negation.

    Attributes:
        kind: What differs.
        sides: What each narrative says of it, by group of the value, then by narrative.
    """

    kind: str
    sides: tuple[Side, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Overlap:
    """What narratives have in common.

    Attributes:
        narratives: As they were given.
        statements: What they agree on, in the order of the summary.
        unique: What one narrative alone says, by narrative and place.
        conflicts: Where narratives tell the same matter differently, each matter once.
        at_least: How many narratives had to agree.
        signature: All that the result depends on.
    """

    narratives: tuple[Narrative, ...]
    statements: tuple[Statement, ...]
    unique: tuple[Passage, ...]
    conflicts: tuple[Conflict, ...]
    at_least: int
    signature: Signature

    @property
    def summary(self) -> str:
        """The statements as one text; empty where nothing is shared."""
        return " ".join(statement.text for statement in self.statements)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, unrounded."""
        return {
            "summary": self.summary,
            "statements": [statement.to_dict() for statement in self.statements],
            "unique": [passage.to_dict() for passage in self.unique],
            "conflicts": [conflict.to_dict() for conflict in self.conflicts],
            "narratives": [{"source": n.source, "text": n.text} for n in self.narratives],
            "at_least": self.at_least,
            "signature": str(self.signature),
        }

    def to_html(self, path: str | Path, title: str = "Common ground") -> None:
        """Write a page that shows it; the page needs no other file and no network."""
        with whole_file(Path(path)) as stream:
            stream.write(overlap_page(self.to_dict(), title))

    def _repr_html_(self) -> str:
        return _framed(self.to_dict())

    def __repr__(self) -> str:
        return (
            f"Overlap(statements={len(self.statements)}, unique={len(self.unique)}, "
            f"conflicts={len(self.conflicts)}, signature='{self.signature}')"
        )

    def __str__(self) -> str:
        return self.summary or NOTHING_IN_COMMON


def _framed(result: Mapping[str, Any]) -> str:
    """The page in a frame, since a notebook's own styles would mix with it."""
    page = escape(overlap_page(result, "Common ground"), quote=True)
    return f'<iframe srcdoc="{page}" style="width: 100%; height: 36rem; border: 0"></iframe>'
