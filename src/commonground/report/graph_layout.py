"""Deterministic layout of a small directed graph.

The target of an edge is to the right of its source where possible, so that an edge reads like a
sentence. Connected components are stacked.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LINE = 18.0  # line height
PADDING = 9.0
_ROW = 26.0  # minimum gap between the nodes of a column
_PART = 44.0  # gap between components
_MARGIN = 24.0
_ARROW = 70.0  # length of an edge in addition to its label
_DOT = 12.0
_NODE_CHARACTERS = 24
_LABEL_CHARACTERS = 22
_LINES = 3


@dataclass(slots=True)
class Box:
    """A text box centred at `x`, `y`; without text, the dot of an open end."""

    lines: tuple[str, ...]
    x: float = 0.0
    y: float = 0.0
    padding: float = PADDING

    @property
    def width(self) -> float:
        """The width, estimated from the text."""
        return max(map(text_width, self.lines)) + 2 * self.padding if self.lines else _DOT

    @property
    def height(self) -> float:
        """The height."""
        return len(self.lines) * LINE + self.padding if self.lines else _DOT

    def meets(self, other: "Box") -> bool:
        """Say whether two boxes overlap."""
        wide = abs(self.x - other.x) < (self.width + other.width) / 2
        return wide and abs(self.y - other.y) < (self.height + other.height) / 2


@dataclass(frozen=True, slots=True)
class Arc:
    """An edge from one box to another with the lines of all its labels."""

    start: int
    end: int
    label: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """Boxes, the edges between them, and the size of the drawing."""

    boxes: tuple[Box, ...]
    arcs: tuple[Arc, ...]
    width: float
    height: float


def layout(graph: Mapping[str, Any]) -> Layout:
    """Place `nodes` (each with `label`) and `edges` (`source`, `label`, `target` by index)."""
    boxes = [Box(wrapped(node["label"], _NODE_CHARACTERS)) for node in graph["nodes"]]
    labels: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for edge in graph["edges"]:
        ends = []
        for end in (edge["source"], edge["target"]):
            if end is None:
                boxes.append(Box(()))
            ends.append(len(boxes) - 1 if end is None else int(end))
        labels[ends[0], ends[1]].extend(wrapped(edge["label"], _LABEL_CHARACTERS))
    arcs = tuple(Arc(start, end, tuple(lines)) for (start, end), lines in labels.items())
    top, width = _MARGIN, 0.0
    for part in _parts(len(boxes), arcs):
        right, top = _place(boxes, arcs, part, top)
        width = max(width, right)
        top += _PART
    return Layout(tuple(boxes), arcs, width + _MARGIN, max(top - _PART, 0) + _MARGIN)


def text_width(text: str) -> float:
    """Estimate the width of a text at 14 pixels; East Asian wide letters count twice."""
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return 7.9 * (len(text) + wide)


def wrapped(text: str, width: int) -> tuple[str, ...]:
    """Wrap a label into at most three lines of about `width` letters."""
    lines: list[str] = []
    for word in text.split() or [""]:
        word = word if len(word) <= 2 * width else word[: 2 * width - 1] + "…"
        if lines and len(lines[-1]) + len(word) < width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    if len(lines) > _LINES:
        lines = [*lines[: _LINES - 1], lines[_LINES - 1] + " …"]
    return tuple(lines)


def _parts(count: int, arcs: Sequence[Arc]) -> list[dict[int, int]]:
    """Return the connected components, largest first, as a column from 0 for each box."""
    around: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for arc in arcs:
        around[arc.start].append((arc.end, 1))
        around[arc.end].append((arc.start, -1))
    columns: dict[int, int] = {}
    parts = []
    for root in sorted(range(count), key=lambda box: (-len(around[box]), box)):
        if root in columns:
            continue
        part = {root: 0}
        queue = [root]  # breadth first
        for box in queue:
            for other, step in around[box]:
                if other not in part:
                    part[other] = part[box] + step
                    queue.append(other)
        columns.update(part)
        first = min(part.values())
        parts.append({box: column - first for box, column in part.items()})
    return sorted(parts, key=lambda part: (-len(part), min(part)))


def _place(
    boxes: Sequence[Box], arcs: Sequence[Arc], part: Mapping[int, int], top: float
) -> tuple[float, float]:
    """Place one component below `top`; return its right and bottom edges."""
    mine = [arc for arc in arcs if arc.start in part]
    columns: defaultdict[int, list[int]] = defaultdict(list)
    for box in sorted(part):
        columns[part[box]].append(box)
    x = _MARGIN
    for number in sorted(columns):
        wide = max(boxes[box].width for box in columns[number])
        for box in columns[number]:
            boxes[box].x = x + wide / 2
        x += wide + _gap(mine, part, number)
    _stack(boxes, mine, columns, _row(mine, part, columns))
    rise = top - min(boxes[box].y - boxes[box].height / 2 for box in part)
    for box in part:
        boxes[box].y += rise
    right = max(boxes[box].x + boxes[box].width / 2 for box in part)
    # A curve between boxes of one column bulges to the right of it.
    loops = [_length(arc) for arc in mine if part[arc.start] == part[arc.end]]
    right += max(loops, default=0.0)
    return right, max(boxes[box].y + boxes[box].height / 2 for box in part)


def _gap(arcs: Iterable[Arc], part: Mapping[int, int], column: int) -> float:
    """Return the gap between a column and the next: the longest edge that starts in it."""
    crossing = [_length(arc) for arc in arcs if min(part[arc.start], part[arc.end]) == column]
    return max(crossing, default=_ARROW)


def _row(arcs: Iterable[Arc], part: Mapping[int, int], columns: Mapping[int, list[int]]) -> float:
    """Return the gap between the boxes of a column that leaves room for all labels beside it."""
    needed: defaultdict[int, float] = defaultdict(float)
    for arc in arcs:
        needed[min(part[arc.start], part[arc.end])] += (len(arc.label) + 1) * LINE
    rows = {
        number: max(len(column), len(columns.get(number + 1, ())))
        for number, column in columns.items()
    }
    return max([_ROW, *(height / rows[number] - LINE for number, height in needed.items())])


def _length(arc: Arc) -> float:
    return _ARROW + max(map(text_width, arc.label))


def _stack(
    boxes: Sequence[Box], arcs: Sequence[Arc], columns: Mapping[int, list[int]], row: float
) -> None:
    """Stack every column, each box near the mean of its neighbours."""
    near: defaultdict[int, list[int]] = defaultdict(list)
    for arc in arcs:
        near[arc.start].append(arc.end)
        near[arc.end].append(arc.start)
    for column in columns.values():
        _centre(boxes, column, 0.0, row)
    for _ in range(4):
        for number in sorted(columns):
            column = columns[number]
            middle = {
                box: sum(boxes[other].y for other in near[box]) / max(1, len(near[box]))
                for box in column
            }
            column.sort(key=lambda box: (round(middle[box], 3), box))
            _centre(boxes, column, sum(middle.values()) / len(column), row)


def _centre(boxes: Sequence[Box], column: Sequence[int], y: float, row: float) -> None:
    """Stack a column with its middle at `y`."""
    height = sum(boxes[box].height for box in column) + row * (len(column) - 1)
    top = y - height / 2
    for box in column:
        boxes[box].y = top + boxes[box].height / 2
        top += boxes[box].height + row
