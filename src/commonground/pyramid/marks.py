"""The marks of a class as rows: for a table, and as labels for `commonground agreement`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from commonground.plain import Plain
from commonground.pyramid.score import Presence, PyramidScore

PROGRAM: Final = "program"
PERSON: Final = "person"

_LABELS: Final[Mapping[Presence, str]] = {"yes": "P", "partly": "PP", "no": "A"}


def mark_rows(scores: Mapping[str, PyramidScore]) -> list[dict[str, Any]]:
    """Return a row for each student and idea: what is decided, by whom, and for how many points."""
    return [
        {
            "student": student,
            "idea": match.label,
            "weight": match.weight,
            "presence": match.presence,
            "points": match.points,
            "sentence": None if match.sentence is None else match.sentence + 1,
            "text": match.text or "",
            "check": "; ".join(check.words for check in match.checks),
            "by": PROGRAM if match.by is None else match.by or PERSON,
        }
        for student, score in scores.items()
        for match in score.matches
    ]


def label_rows(
    program: Mapping[str, PyramidScore], corrected: Mapping[str, PyramidScore]
) -> list[dict[str, Any]]:
    """Return sentence labels of two annotators, `program` and `person`, for each idea.

    Only students with a mark by a person are included; marks that the person left as they were
    count as agreed. The ideas are numbered as the sentences of reference 1.
    """
    rows = []
    for student, score in corrected.items():
        if all(match.by is None for match in score.matches):
            continue
        for annotator, judged in ((PROGRAM, program[student]), (PERSON, score)):
            for number, match in enumerate(judged.matches, start=1):
                rows.append(
                    {
                        "annotator": annotator,
                        "id": student,
                        "side": "recall",
                        "reference": 1,
                        "sentence": number,
                        "label": _LABELS[match.presence],
                        "text": match.label,
                    }
                )
    return rows


@dataclass(frozen=True, slots=True)
class Changed(Plain):
    """How often people changed the program's marks.

    Attributes:
        decided: Marks by people.
        changed: Those that differ from the program's.
        marks: All marks of the students that people decided about.
    """

    decided: int
    changed: int
    marks: int

    @classmethod
    def of(cls, program: Sequence[PyramidScore], corrected: Sequence[PyramidScore]) -> "Changed":
        """Count the marks of a class."""
        pairs = [
            list(zip(before.matches, after.matches, strict=True))
            for before, after in zip(program, corrected, strict=True)
            if any(match.by is not None for match in after.matches)
        ]
        every = [pair for student in pairs for pair in student]
        decided = [pair for pair in every if pair[1].by is not None]
        changed = [pair for pair in decided if pair[0].presence != pair[1].presence]
        return cls(len(decided), len(changed), len(every))

    def __str__(self) -> str:
        return (
            f"People decided {self.decided} of {self.marks} marks and changed {self.changed} "
            "of the program's."
        )
