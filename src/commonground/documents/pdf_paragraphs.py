"""The lines of PDF pages joined into paragraphs."""

import re
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from commonground.documents.pdf_layout import Line

_EDGE: Final = 2  # lines at the top and bottom of a page that may be running heads
_REPEATED: Final = 0.3  # share of the pages
_PAGE_NUMBER: Final = re.compile(
    r"\W*(?:(?:page|p\.|seite) ?)?(?:\d{1,4}|[ivxl]{1,6})(?: ?(?:of|/|von) ?\d{1,4})?\W*",
    re.IGNORECASE,
)
_END: Final = re.compile(r"[.!?:…][\"'”’»)\]]*$")
_BULLET: Final = re.compile(r"[•·‣▪*–—-] |\(?\d{1,3}[.)] |\(?[a-z]\) ")
_HYPHEN: Final = re.compile(r"[^\W\d_]-$")
_LOWER: Final = re.compile(r"[^\W\d_A-Z]")
_SHORT: Final = 0.8  # of the length of a full line
_GAP: Final = 1.4  # of the usual distance of lines
_INDENT: Final = 0.7  # of the font size
_MAX_INDENT: Final = 5


def paragraphs(pages: Sequence[Sequence[Line]]) -> Iterator[str]:
    """Yield the paragraphs of pages, without running heads and page numbers."""
    heads = _running_heads(pages)
    kept = [
        [line for line in page if line not in heads[number]] for number, page in enumerate(pages)
    ]
    if not any(kept):
        kept = [list(page) for page in pages]
    lines = [(number, line) for number, page in enumerate(kept) for line in page]
    if not lines:
        return
    # From the start of a word only: else the time grows with the square of its length.
    hyphenated = set(re.findall(r"\b\w+-\w+", " ".join(line.text.lower() for _, line in lines)))
    shape = _Shape([line for _, line in lines])
    parts = [lines[0][1].text]
    for (page, line), (next_page, following) in pairwise(lines):
        turned = page != next_page or line.column != following.column
        if shape.ends(line, following, turned):
            yield "".join(parts)
            parts = [following.text]
        else:
            _append(parts, following.text, hyphenated)
    yield "".join(parts)


def _running_heads(pages: Sequence[Sequence[Line]]) -> list[set[Line]]:
    """Return the lines at the top and bottom of each page that are repeated, or its number."""
    by_height = [sorted(page, key=lambda line: -line.y) for page in pages]
    edges = [{*lines[:_EDGE], *lines[-_EDGE:]} for lines in by_height]
    count = Counter(key for edge in edges for key in {_key(line) for line in edge})
    enough = max(2, _REPEATED * len(pages))

    def is_head(line: Line) -> bool:
        return count[_key(line)] >= enough or _PAGE_NUMBER.fullmatch(line.text) is not None

    return [{*_heads(lines, is_head), *_heads(lines[::-1], is_head)} for lines in by_height]


def _heads(lines: Sequence[Line], is_head: Callable[[Line], bool]) -> Sequence[Line]:
    """Return the first lines that are heads, if there is a gap between them and the text."""
    for number in range(min(_EDGE, len(lines) - 1), 0, -1):
        gap = abs(lines[number - 1].y - lines[number].y)
        if all(map(is_head, lines[:number])) and gap > _GAP * lines[number].size:
            return lines[:number]
    return ()


def _key(line: Line) -> tuple[str, int]:
    """Return what running heads of two pages share: the words, and the height on the page."""
    return re.sub(r"\d+", "#", line.text.lower()), round(line.y / 4)


class _Shape:
    """How full lines look, which tells where a paragraph ends."""

    def __init__(self, lines: Sequence[Line]) -> None:
        columns: dict[int, list[Line]] = {line.column: [] for line in lines}
        for line in lines:
            columns[line.column].append(line)
        self._length = {column: _full_length(found) for column, found in columns.items()}
        self._margin = {column: _margin(found) for column, found in columns.items()}
        gaps = [before.y - after.y for before, after in pairwise(lines)]
        usual = [
            gap
            for before, gap in zip(lines, gaps, strict=False)
            if 0 < gap <= 3 * max(before.size, 1)
        ]
        self._gap = statistics.median(usual) if usual else 0.0

    def ends(self, line: Line, following: Line, turned: bool) -> bool:
        """Whether a paragraph ends between two lines; `turned` at a new page or column."""
        if abs(line.size - following.size) > 0.1 * max(line.size, following.size):
            return True
        if _BULLET.match(following.text) and not _HYPHEN.search(line.text):
            return True
        closed = _END.search(line.text) is not None
        if turned:
            return closed and not _LOWER.match(following.text)
        gap = line.y - following.y
        if gap > _GAP * self._gap and self._gap:
            return True
        if gap < -_GAP * self._gap:  # further up on the page: another box
            return closed
        closed_short = closed and len(line.text) < _SHORT * self._length[line.column]
        in_list = _BULLET.match(line.text) or _LOWER.match(following.text)
        return closed_short or (not in_list and self._indent(following) > self._indent(line))

    def _indent(self, line: Line) -> float:
        """Return how far a line is indented as a first line is, or 0."""
        indent = line.x - self._margin[line.column]
        return indent if line.size * _INDENT < indent < line.size * _MAX_INDENT else 0


def _full_length(lines: Sequence[Line]) -> float:
    """Return the characters of a full line: a tenth of the lines is longer."""
    return sorted(len(line.text) for line in lines)[len(lines) * 9 // 10]


def _margin(lines: Sequence[Line]) -> int:
    """Return the left margin: the leftmost place where many lines begin."""
    starts = Counter(round(line.x) for line in lines)
    return min(start for start, count in starts.items() if count * 5 >= max(starts.values()))


def _append(parts: list[str], following: str, hyphenated: set[str]) -> None:
    """Add a line to the parts of a paragraph, without the hyphen of a divided word."""
    if not _HYPHEN.search(parts[-1]) or not _LOWER.match(following):
        parts += [" ", following]
        return
    word = re.findall(r"\w+", parts[-1])[-1] + "-" + re.findall(r"\w+", following)[0]
    if word.lower() not in hyphenated:
        parts[-1] = parts[-1][:-1]
    parts.append(following)
