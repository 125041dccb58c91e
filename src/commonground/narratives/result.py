"""The overlap of narratives as a result: statements, unique passages and conflicts."""

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from commonground.frames import HasRows
from commonground.io import Narrative, whole_file
from commonground.plain import Plain, to_plain
from commonground.report import NOTHING_IN_COMMON, overlap_page
from commonground.score import Citable, Signature


@dataclass(frozen=True, slots=True)
class Passage(Plain):
    """A passage of a narrative: `narratives[narrative].text[start:end]`.

    `probability` is the probability that the narrative as a whole states the statement;
    `through` is the background statement that bridged the wordings, if any.
    """

    narrative: int
    text: str
    start: int
    end: int
    probability: float
    through: str | None = None


@dataclass(frozen=True, slots=True)
class Statement(Plain):
    """A statement that narratives agree on.

    Attributes:
        text: A sentence of the summary, in the words of one narrative.
        weight: The number of narratives that state it.
        probability: The lowest probability among these narratives.
        evidence: The best sentence of each narrative that states it, in their order.
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
    """One matter that narratives tell differently.

    Attributes:
        kind: What differs: "number", "name", "place", "date", "quality" or "negation"; "claim" if
            two sentences contradict each other as wholes.
        sides: What each narrative says, by group of the value, then by narrative.
        probability: The probability that the sentences plainly contradict each other.
    """

    kind: str
    sides: tuple[Side, ...]
    probability: float = 1.0


@dataclass(frozen=True, slots=True)
class Against(Plain):
    """What one other narrative says of a sentence.

    Attributes:
        narrative: The index of the other narrative.
        probabilities: It states the sentence, states a part, contradicts it, or none of these.
        support: For each word of the sentence the probability that it states the word.
        evidence: Start and end of its sentence that is nearest in content; None without one.
    """

    narrative: int
    probabilities: tuple[float, float, float, float]
    support: tuple[float, ...]
    evidence: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class SentenceReading(Plain):
    """How the other narratives treat one sentence, word by word; probabilities have 3 decimals.

    Attributes:
        start: Offset of the sentence in its narrative.
        end: Offset of its end.
        offsets: Start and end of each word in the narrative, in one row: word n is from
            `offsets[2 * n]` to `offsets[2 * n + 1]`.
        against: What each other narrative says.
    """

    start: int
    end: int
    offsets: tuple[int, ...]
    against: tuple[Against, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Overlap(HasRows, Citable):
    """What narratives have in common.

    Attributes:
        narratives: The narratives in the caller's order.
        statements: What they agree on, in the order of the summary.
        unique: Passages that only one narrative states, by narrative and offset.
        conflicts: Where narratives tell the same matter differently, each matter once.
        at_least: The number of narratives that had to agree.
        signature: Everything the result depends on.
        strictness: The minimum probability of a statement.
        less_likely: Statements below it, down to `LEAST_LIKELY`, that repeat no other statement.
        readings: For each narrative its sentences that were read word by word, in their order.
    """

    narratives: tuple[Narrative, ...]
    statements: tuple[Statement, ...]
    unique: tuple[Passage, ...]
    conflicts: tuple[Conflict, ...]
    at_least: int
    signature: Signature
    strictness: float = 0.5
    less_likely: tuple[Statement, ...] = ()
    readings: tuple[tuple[SentenceReading, ...], ...] = ()
    frame_columns = ("kind", "text", "narrative", "weight", "p", "matter", "value")

    @property
    def summary(self) -> str:
        """The statements as one text; empty if nothing is shared."""
        return " ".join(statement.text for statement in self.statements)

    def to_dict(self, *, readings: bool = False) -> dict[str, Any]:
        """Return plain values for JSON, unrounded.

        Args:
            readings: Also the reader's answer for each word, which are longer than the texts.
        """
        names = ["summary", "statements", "unique", "conflicts", "narratives", "at_least"]
        names += ["strictness", "less_likely", *(["readings"] if readings else [])]
        values = {name: to_plain(getattr(self, name)) for name in names}
        return {**values, "signature": str(self.signature)}

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return a row for each shared statement, unique passage and side of a conflict.

        `kind` says which; `narrative` is the name of the narrative, None for statements; a side
        of a conflict has the sentence as `text` and the words that differ as `value`.
        """
        names = [narrative.source for narrative in self.narratives]
        statements = [
            {"kind": "shared", "text": one.text, "weight": one.weight, "p": one.probability}
            for one in self.statements
        ]
        unique = [
            {"kind": "unique", "text": one.text, "narrative": names[one.narrative]}
            for one in self.unique
        ]
        conflicts = [
            {
                "kind": "conflict",
                "text": side.text,
                "narrative": names[side.narrative],
                "value": side.value,
                "matter": number,
                "p": one.probability,
            }
            for number, one in enumerate(self.conflicts, 1)
            for side in one.sides
        ]
        rows: list[dict[str, Any]] = [*statements, *unique, *conflicts]
        return [{column: row.get(column) for column in self.frame_columns} for row in rows]

    def to_html(self, path: str | Path, title: str | None = None) -> None:
        """Write a self-contained page; its title names the sources, unless it is given."""
        with whole_file(Path(path)) as stream:
            stream.write(overlap_page(self.to_dict(readings=True), title))

    def _repr_html_(self) -> str:
        # In a frame, so that the notebook's styles do not apply.
        page = escape(overlap_page(self.to_dict(readings=True)), quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 36rem; border: 0"></iframe>'

    def __repr__(self) -> str:
        return (
            f"Overlap(statements={len(self.statements)}, unique={len(self.unique)}, "
            f"conflicts={len(self.conflicts)}, signature='{self.signature}')"
        )

    def __str__(self) -> str:
        return self.summary or NOTHING_IN_COMMON
