"""A grade scale: which mark a score earns."""

import csv
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Final

from commonground.errors import InputError, unknown_name
from commonground.io import read_text
from commonground.plain import Plain

_SCORES: Final[Mapping[str, tuple[str, float, int]]] = {
    "points": ("raw", 1, 1),
    "quality": ("quality", 100, 0),
    "coverage": ("coverage", 100, 0),
    "comprehensive": ("comprehensive", 100, 0),
}
"""By the name in a scale: the number of a score, its factor, and the decimals that are shown."""


_WORDS: Final = re.compile(r"(.*[^\s:;=])[\s:;=]+([^\s:;=]+)")

_SPACED_PERCENT: Final = re.compile(r"\s+%$")

_HEADS: Final = frozenset(("mark", "grade"))

_EXAMPLES: Final = '"A 20" (points) or "A 75%"'


@dataclass(frozen=True, slots=True)
class GradeScale(Plain):
    r"""Marks by the least score that earns them.

    Scores are compared as they are shown: points with one decimal, the others in whole percent.

    Attributes:
        of: `points`, `quality`, `coverage` or `comprehensive`.
        steps: Each mark with its least score, the best mark first; the last starts at 0.

    Example:
        >>> scale = GradeScale.parse("mark,points\nA,10\nB,5\nC,0")
        >>> scale.mark({"raw": 9.96}), scale.mark({"raw": 4.9})
        ('A', 'C')
    """

    of: str
    steps: tuple[tuple[str, float], ...]

    @property
    def marks(self) -> tuple[str, ...]:
        """All marks, the best first."""
        return tuple(mark for mark, _ in self.steps)

    def mark(self, score: Mapping[str, float]) -> str:
        """Return the mark of a score, given by its numbers: `raw`, `quality` and so on."""
        name, factor, decimals = _SCORES[self.of]
        value = round(score[name] * factor, decimals)
        return next((mark for mark, least in self.steps if value >= least), self.steps[-1][0])

    def histogram(self, marks: Iterable[str]) -> dict[str, int]:
        """Count the marks of a class; a mark that nobody has counts 0."""
        counts = dict.fromkeys(self.marks, 0)
        for mark in marks:
            counts[mark] += 1
        return counts

    @classmethod
    def parse(cls, text: str, where: str = "grades") -> "GradeScale":
        """Read a scale: a line for each mark, such as `A,20`.

        A header may name the score: `mark,points` or another. Without it, numbers are points, and
        percent is of the comprehensive score. Instead of a comma, a space, a tab, a colon, a
        semicolon or "=" may stand before the number.

        Raises:
            InputError: With the line.
        """
        rows = [
            (number, _cells(row))
            for number, row in enumerate(csv.reader(text.splitlines()), start=1)
            if any(cell.strip() for cell in row)
        ]
        if not rows:
            raise InputError(f"{where}: is empty")
        named = _named_score(rows[0][1], f"{where}, line {rows[0][0]}")
        body = rows[1:] if named else rows
        in_percent = any(cells[-1].endswith("%") for _, cells in body)
        of = named or ("comprehensive" if in_percent else "points")
        steps: dict[str, float] = {}
        for line, cells in body:
            mark, least = _step(cells, f"{where}, line {line}")
            is_percent = cells[-1].endswith("%")
            if least and not named and is_percent != in_percent:
                raise InputError(f"{where}, line {line}: give all marks in percent, or none")
            if least and of == "points" and is_percent:
                raise InputError(
                    f"{where}, line {line}: points are not percent; name a score in percent in the "
                    'first line, such as "mark comprehensive"'
                )
            if mark in steps or least in steps.values():
                raise InputError(f"{where}, line {line}: {', '.join(cells)} appears twice")
            steps[mark] = least
        if not steps or min(steps.values()) != 0:
            raise InputError(f'{where}: the lowest mark must start at 0, such as "F 0"')
        return cls(of, tuple(sorted(steps.items(), key=lambda step: -step[1])))

    @classmethod
    def load(cls, path: str | Path) -> "GradeScale":
        """Read a scale from a CSV file."""
        return cls.parse(read_text(Path(path)), str(path))


def _cells(row: list[str]) -> list[str]:
    """Return the cells of a row; one without a comma is cut before its last word."""
    cells = [_SPACED_PERCENT.sub("%", cell.strip()) for cell in row]
    words = _WORDS.fullmatch(cells[0]) if len(cells) == 1 else None
    return list(words.groups()) if words else cells


def _named_score(head: list[str], where: str) -> str:
    """Return the score that a header names; empty if the line is a mark with its number."""
    if len(head) != 2 or head[0].casefold() not in _HEADS or head[1][:1].isdigit():
        return ""
    score = head[1].casefold()
    if score not in _SCORES:
        raise InputError(f"{where}: {unknown_name('score', head[1], _SCORES)}")
    return score


def _step(cells: list[str], where: str) -> tuple[str, float]:
    if len(cells) != 2 or not cells[0]:
        given = ",".join(cells)
        raise InputError(f"{where}: write a mark and a number, such as {_EXAMPLES}, not {given!r}")
    try:
        least = float(cells[1].removesuffix("%"))
    except ValueError:
        least = -1.0
    if not isfinite(least) or least < 0:
        raise InputError(f"{where}: {cells[1]!r} is not a number from 0; write {_EXAMPLES}")
    return cells[0], least
