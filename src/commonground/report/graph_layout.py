"""Where the nodes and labels of a small directed graph go: the same picture on every run.

What an edge points to stands to the right of where it starts, as far as that is possible, so that
an edge reads like a sentence. Parts that are not connected stand below each other.
"""

import unicodedata
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LINE = 18.0  # from one line of text to the next
PADDING = 9.0
_ROW = 26.0  # between nodes of a column
_PART = 44.0  # between parts
_MARGIN = 24.0
_ARROW = 70.0  # beside the label of an edge
_DOT = 12.0
_NODE_CHARACTERS = 24
_LABEL_CHARACTERS = 22
_LINES = 3


@dataclass(slots=True)
class Box:
    """Text in a box with its middle at `x`, `y`; without text it is the dot of an open end."""

    lines: tuple[str, ...]
    x: float = 0.0
    y: float = 0.0
    padding: float = PADDING

    @property
    def width(self) -> float:
        """Of the box, from an estimate of the text's width."""
        return max(map(text_width, self.lines)) + 2 * self.padding if self.lines else _DOT

    @property
    def height(self) -> float:
        """Of the box."""
        return len(self.lines) * LINE + self.padding if self.lines else _DOT

    def meets(self, other: "Box") -> bool:
        """Whether the two lie on each other."""
        wide = abs(self.x - other.x) < (self.width + other.width) / 2
        return wide and abs(self.y - other.y) < (self.height + other.height) / 2


@dataclass(frozen=True, slots=True)
class Arc:
    """An edge from one box to another, with all labels it has."""

    start: int
    end: int
    label: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """Boxes, the edges between them, and the size of all."""

    boxes: tuple[Box, ...]
    arcs: tuple[Arc, ...]
    width: float
    height: float


def layout(graph: Mapping[str, Any]) -> Layout:
    """Place `nodes` (each with `label`) and `edges` (`source`, `label`, `target` by number)."""
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
    """About how wide a text is in a font of 14 pixels; wide letters of other scripts count two."""
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return 7.9 * (len(text) + wide)


def wrapped(text: str, width: int) -> tuple[str, ...]:
    """A label in lines of about `width` letters, cut after three."""
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
    """Connected parts, the largest first; for each of its boxes the column, from 0."""
    around: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for arc in arcs:
        around[arc.start].append((arc.end, 1))
        around[arc.end].append((arc.start, -1))
    columns: dict[int, int] = {}
    parts = []
    for root in sorted(range(count), key=lambda box: (-len(around[box]), box)):
        if root in columns:
            continue
        found = {root: 0}
        queue = deque([root])
        while queue:
            box = queue.popleft()
            for other, step in around[box]:
                if other not in found:
                    found[other] = found[box] + step
                    queue.append(other)
        columns.update(found)
        first = min(found.values())
        parts.append({box: column - first for box, column in found.items()})
    return sorted(parts, key=lambda part: (-len(part), min(part)))


def _place(
    boxes: Sequence[Box], arcs: Sequence[Arc], part: Mapping[int, int], top: float
) -> tuple[float, float]:
    """Place one part below `top`; return how far it reaches to the right and down."""
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
    right += max((_beside(arc) for arc in mine if part[arc.start] == part[arc.end]), default=0.0)
    return right, max(boxes[box].y + boxes[box].height / 2 for box in part)


def _gap(arcs: Iterable[Arc], part: Mapping[int, int], column: int) -> float:
    """The room between a column and the next: the widest label of the edges that start it."""
    crossing = [arc for arc in arcs if min(part[arc.start], part[arc.end]) == column]
    return _ARROW + max((max(map(text_width, arc.label)) for arc in crossing), default=0.0)


def _row(arcs: Iterable[Arc], part: Mapping[int, int], columns: Mapping[int, list[int]]) -> float:
    """The room between boxes of a column that leaves all labels beside it a height of their own."""
    needed: defaultdict[int, float] = defaultdict(float)
    for arc in arcs:
        needed[min(part[arc.start], part[arc.end])] += (len(arc.label) + 1) * LINE
    rows = {
        number: max(len(column), len(columns.get(number + 1, ())))
        for number, column in columns.items()
    }
    return max([_ROW, *(height / rows[number] - LINE for number, height in needed.items())])


def _beside(arc: Arc) -> float:
    return _ARROW + max(map(text_width, arc.label))


def _stack(
    boxes: Sequence[Box], arcs: Sequence[Arc], columns: Mapping[int, list[int]], row: float
) -> None:
    """Stack every column, each box near the middle of those it is tied to."""
    near: defaultdict[int, list[int]] = defaultdict(list)
    for arc in arcs:
        near[arc.start].append(arc.end)
        near[arc.end].append(arc.start)
    tall = {number: _height(boxes, column, row) for number, column in columns.items()}
    for number, column in columns.items():
        _set_down(boxes, column, -tall[number] / 2, row)
    for _ in range(4):
        for number in sorted(columns):
            column = columns[number]
            middle = {
                box: sum(boxes[other].y for other in near[box]) / max(1, len(near[box]))
                for box in column
            }
            column.sort(key=lambda box: (round(middle[box], 3), box))
            centre = sum(middle.values()) / len(column)
            _set_down(boxes, column, centre - tall[number] / 2, row)


def _height(boxes: Sequence[Box], column: Sequence[int], row: float) -> float:
    return sum(boxes[box].height for box in column) + row * (len(column) - 1)


def _set_down(boxes: Sequence[Box], column: Sequence[int], top: float, row: float) -> None:
    for box in column:
        boxes[box].y = top + boxes[box].height / 2
        top += boxes[box].height + row
