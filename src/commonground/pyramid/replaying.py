"""Apply corrections to a pyramid and to the scores of a class, without asking the model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any, Final

from commonground.errors import InputError
from commonground.plain import Plain
from commonground.pyramid import editing
from commonground.pyramid.corrections import EDITS, Change, changes_hash, text_hash
from commonground.pyramid.pyramid import Pyramid
from commonground.pyramid.score import PyramidScore, UnitMatch
from commonground.pyramid.unit import Contributor, Unit
from commonground.score import Signature
from commonground.text import split

_SHOWN: Final = 60  # characters of an idea in a message


@dataclass(frozen=True, slots=True)
class Mark(Plain):
    """A person's decision whether a student states a unit.

    Attributes:
        said: Whether the student states it.
        sentence: Index of the sentence that was pointed at; None: the one that was found.
        by: Who decided.
        at: When.
    """

    said: bool
    sentence: int | None
    by: str
    at: str


@dataclass(frozen=True, slots=True)
class Comment(Plain):
    """What a person wrote to a student."""

    text: str
    by: str
    at: str


@dataclass(frozen=True, slots=True)
class Unapplied:
    """A change that does not fit: its index in the log, and why."""

    index: int
    why: str


@dataclass(frozen=True, slots=True)
class Corrected:
    """The result of a replay.

    Attributes:
        pyramid: With all changes of the units.
        marks: By student, then by the index of the unit in the pyramid.
        comments: By student; the last one counts.
        applied: The changes that fit.
        unapplied: Those that do not.
    """

    pyramid: Pyramid
    marks: Mapping[str, Mapping[int, Mark]]
    comments: Mapping[str, Comment]
    applied: tuple[Change, ...]
    unapplied: tuple[Unapplied, ...]

    def score(self, student: str, score: PyramidScore, sentences: Sequence[str]) -> PyramidScore:
        """Return a student's score with the marks of people.

        Args:
            student: The name.
            score: By the program, with the units of `pyramid`.
            sentences: Those of the summary.
        """
        marks = self.marks.get(student, {})
        matches = [
            _marked(match, marks[index], sentences) if index in marks else match
            for index, match in enumerate(score.matches)
        ]
        signature = score.signature
        if any(self.marks.values()):
            decisions = [change for change in self.applied if change.do not in EDITS]
            signature = _signed(signature, changes_hash(decisions))
        references = max(len(self.pyramid.references), 1)
        return score.remarked(matches, references, signature)


def replay(
    pyramid: Pyramid, changes: Sequence[Change], students: Mapping[str, str] | None = None
) -> Corrected:
    """Apply changes in order; one that does not fit is left out and reported.

    Args:
        pyramid: As it was built.
        changes: The log.
        students: The texts by name; None: any name and any text fit.
    """
    state = _State(pyramid)
    applied: list[Change] = []
    unapplied: list[Unapplied] = []
    for index, change in enumerate(changes):
        try:
            _check_student(change, students)
            state.apply(change)
        except InputError as error:
            unapplied.append(Unapplied(index, str(error)))
        else:
            applied.append(change)
    place = {key: index for index, key in enumerate(state.keys)}
    marks: dict[str, dict[int, Mark]] = {}
    for (student, key), mark in state.marks.items():
        marks.setdefault(student, {})[place[key]] = mark
    return Corrected(state.pyramid, marks, state.comments, tuple(applied), tuple(unapplied))


def unit_names(units: Sequence[Unit]) -> list[str]:
    """Return a unique name for each unit: its words, numbered if they repeat.

    Example:
        >>> unit_names([Unit("It rained", ()), Unit("It rained", ())])
        ['It rained', 'It rained (2)']
    """
    seen: dict[str, int] = {}
    names = []
    for unit in units:
        count = seen[unit.label] = seen.get(unit.label, 0) + 1
        names.append(unit.label if count == 1 else f"{unit.label} ({count})")
    return names


def find_unit(units: Sequence[Unit], named: str | int) -> int:
    """Return the index of a unit given by its name, its clause or its index."""
    if isinstance(named, int):
        if not 0 <= named < len(units):
            raise InputError(f"there is no unit {named}; the pyramid has {len(units)}")
        return named
    words = _plain(named)
    for choices in (unit_names(units), [unit.judged for unit in units]):
        for index, choice in enumerate(choices):
            if _plain(choice) == words:
                return index
    raise InputError(f"the pyramid has no idea {_quoted(named)}")


class _State:
    """The pyramid and the marks during a replay; `keys` identify the units through all changes."""

    def __init__(self, pyramid: Pyramid) -> None:
        self.pyramid = pyramid
        self.keys = list(range(len(pyramid.units)))
        self.marks: dict[tuple[str, int], Mark] = {}
        self.comments: dict[str, Comment] = {}
        self._next = len(self.keys)

    def apply(self, change: Change) -> None:
        values = dict(change.values)
        if change.do in EDITS:
            self._edit(change.do, values)
            return
        student = values["student"]
        if change.do == "comment":
            self.comments[student] = Comment(values["comment"].strip(), change.by, change.at)
            return
        key = self.keys[find_unit(self.pyramid.units, values["unit"])]
        sentence = values["sentence"] - 1 if change.do == "point" else None
        said = change.do != "reject"
        self.marks[student, key] = Mark(said, sentence, change.by, change.at)

    def _edit(self, do: str, values: dict[str, Any]) -> None:
        units = self.pyramid.units
        named = (
            values["units"] if "units" in values else [values["unit"]] if "unit" in values else []
        )
        indices = [find_unit(units, one) for one in named]
        if "units" in values:
            values["units"] = indices
        elif "unit" in values:
            (values["unit"],) = indices
        if do == "split":
            texts = [contributor.text for contributor in units[indices[0]].contributors]
            values["contributors"] = [_contributor(texts, one) for one in values["contributors"]]
        changed = editing.edited(self.pyramid, [{"do": do, **values}])
        touched = [self.keys[index] for index in indices]
        if do == "merge":
            self._merge_marks(touched)
        rest = None
        if do == "split":
            parts = enumerate(units[indices[0]].contributors)
            rest = tuple(part for n, part in parts if n not in values["contributors"])
        self._follow(changed, touched[:1], rest)

    def _follow(
        self, changed: Pyramid, heirs: Sequence[int], contributors: tuple[Contributor, ...] | None
    ) -> None:
        """Give each unit of the changed pyramid its key; unchanged units are the same objects.

        The new unit with these contributors (None: the only new unit) takes the key in `heirs`.
        """
        known = {id(unit): key for unit, key in zip(self.pyramid.units, self.keys, strict=True)}
        keys: list[int] = []
        for unit in changed.units:
            key = known.get(id(unit))
            if key is None and heirs and contributors in (None, unit.contributors):
                key, heirs = heirs[0], ()
            if key is None:
                key, self._next = self._next, self._next + 1
            keys.append(key)
        self.pyramid, self.keys = changed, keys
        left = set(keys)
        self.marks = {place: mark for place, mark in self.marks.items() if place[1] in left}

    def _merge_marks(self, touched: Sequence[int]) -> None:
        """A merged unit is said if a part is, and not said if no part is."""
        for student in dict.fromkeys(student for student, _ in self.marks):
            marks = [self.marks.get((student, key)) for key in dict.fromkeys(touched)]
            said = next((mark for mark in marks if mark and mark.said), None)
            result = said or (marks[0] if all(marks) else None)
            self.marks.pop((student, touched[0]), None)
            if result:
                self.marks[student, touched[0]] = result


def _contributor(texts: Sequence[str], named: str | int) -> int:
    if isinstance(named, int):
        return named
    for index, text in enumerate(texts):
        if _plain(text) == _plain(named):
            return index
    raise InputError(f"the idea has no wording {_quoted(named)}")


def _check_student(change: Change, students: Mapping[str, str] | None) -> None:
    name = change.student
    if name is None or students is None:
        return
    if name not in students:
        same = [other for other in students if PurePath(other).stem == name]
        if len(same) > 1:
            raise InputError(f"{len(same)} students are named {name!r}: write {same[0]!r}")
        raise InputError(f"the class has no student {name!r}")
    if change.text and change.text != text_hash(students[name]):
        raise InputError(f"the text of {name!r} has changed since")
    if change.do == "point":
        number, most = change.values["sentence"], len(split(students[name]))
        if not 1 <= number <= most:
            raise InputError(f"the text of {name!r} has no sentence {number} (it has {most})")


def _marked(match: UnitMatch, mark: Mark, sentences: Sequence[str]) -> UnitMatch:
    sentence, text = match.sentence, match.text
    if mark.sentence is not None and mark.sentence < len(sentences):
        sentence, text = mark.sentence, sentences[mark.sentence]
    probability = float(mark.said)
    return replace(
        match, probability=probability, sentence=sentence, text=text, checks=(), by=mark.by
    )


def _signed(signature: Signature, corrections: str) -> Signature:
    fields = {key: value for key, value in signature.fields if key != "corrections"}
    version = {"v": fields.pop("v")} if "v" in fields else {}
    fields |= {"corrections": corrections} | version
    return Signature(signature.measure, tuple(fields.items()))


def _plain(words: str) -> str:
    return " ".join(words.split()).casefold()


def _quoted(words: str) -> str:
    short = words if len(words) <= _SHOWN else words[:_SHOWN].rsplit(" ", 1)[0] + " …"
    return f"“{short}”"
