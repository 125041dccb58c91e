"""The lines of a PDF page in reading order, also where a page has two columns."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

_SAME: Final = 2.0  # points between what is on one line or at one margin
_MIN_LINES: Final = 5  # of a second column
_MIN_SHARE: Final = 0.25  # of the page's lines
_MIN_BESIDE: Final = 0.5  # share of these lines that have a line of the first column beside them


@dataclass(frozen=True, slots=True)
class Piece:
    """Text at a place of the page, in points from its left lower corner.

    A line break in the text ends a line.
    """

    text: str
    x: float
    y: float
    size: float


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page.

    Attributes:
        text: Without spaces around it.
        x: Left margin, in points.
        y: Height on the page.
        size: Font size.
        column: 0 for what is above the columns or all over the page, 1 and 2 for columns, 3 for
            what is below them.
    """

    text: str
    x: float
    y: float
    size: float
    column: int = 0


def lines_of(pieces: Sequence[Piece]) -> list[Line]:
    """Return the lines of a page in reading order."""
    seen = [piece for piece in pieces if piece.text.strip()]
    gutter = _second_column(seen)
    if gutter is None:
        return _lines(pieces, 0)
    right = [piece for piece in seen if abs(piece.x - gutter) <= _SAME]
    top, bottom = max(p.y for p in right) + _SAME, min(p.y for p in right) - _SAME
    columns: list[list[Piece]] = [[], [], [], []]
    for piece in pieces:
        if not piece.text.strip():
            if piece.text:
                for column in columns:
                    column.append(piece)
        elif piece.x >= gutter - _SAME and bottom <= piece.y <= top:
            columns[2].append(piece)
        elif piece.y > top:
            columns[0].append(piece)
        else:
            # What is left and lower than the second column may be the rest of the first.
            columns[1 if piece.y >= bottom or _continues(columns[1], piece) else 3].append(piece)
    return [line for number, column in enumerate(columns) for line in _lines(column, number)]


def _continues(column: Sequence[Piece], piece: Piece) -> bool:
    last = next((before for before in reversed(column) if before.text.strip()), None)
    return last is not None and 0 < last.y - piece.y <= 2 * max(last.size, 1.0)


def _second_column(pieces: Sequence[Piece]) -> float | None:
    """Return the left margin of the second column."""
    if not pieces:
        return None
    margin = min(piece.x for piece in pieces)
    farthest = max(piece.x for piece in pieces)
    starts = Counter(round(piece.x) for piece in pieces if piece.x > (margin + farthest) / 2)
    heights = {round(piece.y) for piece in pieces}
    for start, _ in starts.most_common(3):
        beside = [piece for piece in pieces if abs(piece.x - start) <= _SAME]
        left = sorted(piece.y for piece in pieces if piece.x < start - _SAME)
        rows = sum(_has_near(left, piece.y) for piece in beside)
        enough = len(beside) >= max(_MIN_LINES, _MIN_SHARE * len(heights))
        if enough and rows >= _MIN_BESIDE * len(beside):
            return float(start)
    return None


def _has_near(heights: Sequence[float], y: float) -> bool:
    """Whether one of the sorted heights is on the same line."""
    place = bisect_left(heights, y - _SAME)
    return place < len(heights) and heights[place] <= y + _SAME


def _lines(pieces: Iterable[Piece], column: int) -> list[Line]:
    """Join pieces that are on one line."""
    lines: list[Line] = []
    texts: list[str] = []
    first: Piece | None = None

    def end() -> None:
        nonlocal first
        text = " ".join("".join(texts).split())
        if first is not None and text:
            lines.append(Line(text, first.x, first.y, first.size, column))
        texts.clear()
        first = None

    for piece in pieces:
        if first is not None and piece.text.strip() and abs(piece.y - first.y) > _height(first):
            end()
        for number, text in enumerate(piece.text.split("\n")):
            if number:
                end()
            if text:
                texts.append(text)
                if first is None and text.strip():
                    first = piece
    end()
    return lines


def _height(piece: Piece) -> float:
    """Return how far a superscript may be from its line."""
    return max(_SAME, piece.size / 2)
