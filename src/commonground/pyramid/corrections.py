"""Corrections of a pyramid and of the marks of a class: a log of changes in a JSON file.

Each change says who made it and when. Nothing is ever removed from the middle: to undo the last
change, drop it. `replay` applies the changes.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from commonground.errors import InputError, unknown_name
from commonground.io import read_json, whole_file
from commonground.plain import Plain

FORMAT: Final = "commonground-corrections"
VERSION: Final = 1

# The arguments of each kind of change, and of which types they are.
_NAME: Final = (str, int)
MARKS: Final[Mapping[str, Mapping[str, Any]]] = {
    "accept": {"student": str, "unit": _NAME},
    "reject": {"student": str, "unit": _NAME},
    "point": {"student": str, "unit": _NAME, "sentence": int},
    "comment": {"student": str, "comment": str},
}
EDITS: Final[Mapping[str, Mapping[str, Any]]] = {
    "merge": {"units": list},
    "split": {"unit": _NAME, "contributors": list},
    "rename": {"unit": _NAME, "label": str},
    "reweigh": {"unit": _NAME, "weight": (int, type(None))},
    "delete": {"unit": _NAME},
    "add": {"label": str},
}
_OPTIONAL: Final[Mapping[str, Mapping[str, Any]]] = {
    "merge": {"label": str},
    "split": {"label": str},
    "add": {"weight": int},
}
_TYPES: Final = {str: "a string", int: "a whole number", list: "a list", type(None): "null"}


@dataclass(frozen=True, slots=True)
class Change(Plain):
    """One change by one person.

    Attributes:
        do: A key of `MARKS` (a decision about a student) or of `EDITS` (a change of the pyramid).
        values: Its arguments. A unit is given by its words or by its index; `point` has the number
            of a sentence, from 1.
        by: Who made it.
        at: When, in ISO 8601.
        text: For a decision, the `text_hash` of the summary it was made for; empty if unknown.
    """

    do: str
    values: Mapping[str, Any] = field(hash=False)
    by: str = ""
    at: str = ""
    text: str = ""

    @property
    def student(self) -> str | None:
        """The student whom it concerns; None for a change of the pyramid."""
        return self.values.get("student")

    def to_dict(self) -> dict[str, Any]:
        """Return the change as it is written in a file."""
        text = {"text": self.text} if self.text else {}
        return {"do": self.do, **self.values, **text, "by": self.by, "at": self.at}

    @classmethod
    def of(cls, data: Mapping[str, Any], where: str = "change", signed: bool = True) -> "Change":
        """Check a change as it is written in a file.

        Args:
            data: The JSON object.
            where: The start of every error message.
            signed: Whether `by` and `at` are required.
        """
        do = data.get("do")
        known = {**MARKS, **EDITS}
        if not isinstance(do, str) or do not in known:
            raise InputError(f"{where}: {unknown_name('correction', str(do), known)}")
        required = {**known[do], **({"by": str, "at": str} if signed else {})}
        optional = {**_OPTIONAL.get(do, {}), "text": str, "by": str, "at": str}
        for key, kinds in {**optional, **required}.items():
            if key in data and (data[key] is not None or key in required):
                _check_type(data[key], kinds, f'{where}: "{key}"')
            elif key in required:
                raise InputError(f'{where}: "{key}" is missing')
        for key in data:
            if key not in required and key not in optional and key != "do":
                raise InputError(f"{where}: {unknown_name('field', key, {**required, **optional})}")
        at = data.get("at") or ""
        if signed or at:
            _check_time(at, where)
        values = {
            key: value
            for key, value in data.items()
            if key not in ("do", "by", "at", "text") and (value is not None or key in required)
        }
        return cls(do, values, data.get("by") or "", at, data.get("text") or "")


@dataclass(frozen=True, slots=True)
class Corrections(Plain):
    """All changes, in the order in which they were made."""

    changes: tuple[Change, ...] = ()

    @classmethod
    def load(cls, path: str | Path) -> "Corrections":
        """Read a corrections file.

        Raises:
            InputError: The file is missing or damaged, or an entry is not a change.
        """
        return cls.from_dict(read_json(Path(path)), str(path))

    @classmethod
    def from_dict(cls, data: object, where: str = "corrections") -> "Corrections":
        """Return the corrections of a JSON object."""
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise InputError(f'{where}: is not a corrections file (expected "format": "{FORMAT}")')
        if data.get("version") != VERSION:
            version = data.get("version")
            raise InputError(f"{where}: is of format version {version!r}, not {VERSION}")
        rows = data.get("changes")
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise InputError(f'{where}: "changes" must be a list of objects')
        return cls(
            tuple(Change.of(row, f"{where}: changes[{index}]") for index, row in enumerate(rows))
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of the file."""
        changes = [change.to_dict() for change in self.changes]
        return {"format": FORMAT, "version": VERSION, "changes": changes}

    def save(self, path: str | Path) -> None:
        """Write the file; it is complete or does not appear."""
        with whole_file(Path(path)) as stream:
            json.dump(self.to_dict(), stream, ensure_ascii=False, allow_nan=False, indent=1)
            stream.write("\n")

    def plus(self, *changes: Change) -> "Corrections":
        """Return the corrections with more changes."""
        return Corrections((*self.changes, *changes))

    def undone(self) -> "Corrections":
        """Return the corrections without the last change."""
        if not self.changes:
            raise InputError("there is no correction to undo")
        return Corrections(self.changes[:-1])


def text_hash(text: str) -> str:
    r"""Return the hash that ties a decision to a summary; line ends do not count.

    Example:
        >>> text_hash("It rained.") == text_hash("It rained.\r\n")
        True
    """
    lines = "\n".join(text.strip().splitlines())
    return hashlib.sha256(lines.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def changes_hash(changes: Iterable[Change]) -> str:
    """Return a short hash of what changes do, whoever made them."""
    plain = [[change.do, dict(change.values)] for change in changes]
    data = json.dumps(plain, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(data.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _check_type(value: Any, kinds: Any, where: str) -> None:
    accepted: Sequence[type] = kinds if isinstance(kinds, tuple) else (kinds,)
    if isinstance(value, bool) or not isinstance(value, tuple(accepted)):
        raise InputError(f"{where} must be {' or '.join(_TYPES[kind] for kind in accepted)}")
    if isinstance(value, list):
        for item in value:
            _check_type(item, _NAME, f"{where}: each item")


def _check_time(at: str, where: str) -> None:
    try:
        datetime.fromisoformat(at)
    except ValueError:
        raise InputError(
            f'{where}: "at" must be a time such as 2026-03-02T10:15:00, not {at!r}'
        ) from None
