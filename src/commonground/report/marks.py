"""A text with stretches of it marked, as HTML whose tags always match.

Marks may lie inside each other, cross, or cover the same words. The text itself stays as it is,
letter by letter: a badge has no text of its own, so copying from the page gives the narrative.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Final

_TAG: Final = "mark"


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch `text[start:end]` to be marked.

    Attributes:
        start: Offset of the first letter.
        end: Offset behind the last letter.
        classes: For the style.
        key: What belongs together on the page, and lights up together; may be empty.
        name: The id of the mark's first piece; may be empty.
        badge: HTML without text that stands before the first piece.
    """

    start: int
    end: int
    classes: str
    key: str = ""
    name: str = ""
    badge: str = ""


def marked(text: str, marks: Iterable[Mark]) -> str:
    """The text as HTML with its marks.

    The longer of two marks that start together lies outside; of equal ones, the first given.
    Where two marks cross, the inner one is closed and opened again.
    """
    wanted = sorted(
        (mark for mark in marks if mark.start < mark.end), key=lambda one: (one.start, -one.end)
    )
    breaks = set(_line_breaks(text))
    edges = {0, len(text), *breaks, *(edge for one in wanted for edge in (one.start, one.end))}
    parts: list[str] = []
    stack: list[Mark] = []
    new = 0
    for here, after in pairwise(sorted(edges)):
        parts += _closed(stack, here)
        while new < len(wanted) and wanted[new].start == here:
            stack.append(wanted[new])
            parts.append(_opening(wanted[new], first=True))
            new += 1
        if here in breaks:
            parts.append("<br>")
        parts.append(shown(text[here:after]))
    parts += _closed(stack, len(text))
    return "".join(parts)


def _closed(stack: list[Mark], here: int) -> Iterator[str]:
    """Tags that end what ends here; marks that were opened inside of it go on behind it."""
    ended = next((place for place, one in enumerate(stack) if one.end <= here), len(stack))
    above = stack[ended:]
    yield f"</{_TAG}>" * len(above)
    stack[ended:] = sorted((one for one in above if one.end > here), key=lambda one: -one.end)
    for one in stack[ended:]:
        yield _opening(one, first=False)


def _opening(mark: Mark, first: bool) -> str:
    name = f' id="{escape(mark.name)}"' if mark.name and first else ""
    key = f' data-key="{escape(mark.key)}"' if mark.key else ""
    badge = mark.badge if first else ""
    return f'<{_TAG}{name} class="{escape(mark.classes)}"{key}>{badge}'


def shown(text: str) -> str:
    """Text as HTML that reads back as the same text: a parser would make CR a line feed."""
    return escape(text, quote=False).replace("\r", "&#13;")


def _line_breaks(text: str) -> Iterator[int]:
    """Where a line feed is meant as one, and is not there because the file was wrapped.

    A line was wrapped if the next word had no room in it, the longest line being the measure.
    """
    lines = text.split("\n")
    room = max(map(len, lines))
    place = 0
    for line, following in pairwise(lines):
        place += len(line)
        words = following.split(maxsplit=1)
        if not (line.strip() and words and len(line) + 1 + len(words[0]) > room):
            yield place
        place += 1


def joined(spans: Iterable[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    """Spans in order of place, those with nothing but white space between them made one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and (start <= found[-1][1] or not text[found[-1][1] : start].strip()):
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found
