"""Texts with marked spans, as well-formed HTML, and the page of a verified summary.

Marks may be nested, cross, or cover the same words. The text stays unchanged: badges have no
text, so copying from the page gives the narrative.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from typing import Any, Final

from commonground.report.page import asset, html_page, render

_LABELS: Final = {
    "stated": "stated",
    "partly": "partly stated",
    "contradicted": "contradicted",
    "absent": "not stated",
}


@dataclass(frozen=True, slots=True)
class Mark:
    """A span `text[start:end]` to mark."""

    start: int
    end: int
    classes: str
    key: str = ""  # marks with the same key are highlighted together
    name: str = ""  # the HTML id of the first piece
    badge: str = ""  # HTML without text before the first piece
    tag: str = "mark"
    data: Mapping[str, str] = field(default_factory=dict)  # values of data attributes, by name


def marked(text: str, marks: Iterable[Mark]) -> str:
    """Return the text as HTML with its marks.

    Of two marks with the same start the longer is outside; of equal marks, the first. Where two
    marks cross, the inner one is closed and opened again.
    """
    ordered = sorted(
        (mark for mark in marks if mark.start < mark.end), key=lambda mark: (mark.start, -mark.end)
    )
    opened: defaultdict[int, list[Mark]] = defaultdict(list)
    for mark in ordered:
        opened[mark.start].append(mark)
    breaks = set(_line_breaks(text))
    edges = {0, len(text), *breaks, *(edge for mark in ordered for edge in (mark.start, mark.end))}
    parts: list[str] = []
    stack: list[Mark] = []
    for start, end in pairwise(sorted(edges)):
        parts += _closed(stack, start)
        stack += opened[start]
        parts += [_opening(mark, first=True) for mark in opened[start]]
        if start in breaks:
            parts.append("<br>")
        parts.append(shown(text[start:end]))
    parts += _closed(stack, len(text))
    return "".join(parts)


def _closed(stack: list[Mark], offset: int) -> Iterator[str]:
    """Close the marks that end here, and reopen those inside them that continue."""
    ended = next((i for i, mark in enumerate(stack) if mark.end <= offset), len(stack))
    inner = stack[ended:]
    yield "".join(f"</{mark.tag}>" for mark in reversed(inner))
    stack[ended:] = sorted(
        (mark for mark in inner if mark.end > offset), key=lambda mark: -mark.end
    )
    for mark in stack[ended:]:
        yield _opening(mark, first=False)


def _opening(mark: Mark, first: bool) -> str:
    name = f' id="{escape(mark.name)}"' if mark.name and first else ""
    key = f' data-key="{escape(mark.key)}"' if mark.key else ""
    data = "".join(f' data-{name}="{escape(value)}"' for name, value in mark.data.items())
    badge = mark.badge if first else ""
    return f'<{mark.tag}{name} class="{escape(mark.classes)}"{key}{data}>{badge}'


def shown(text: str) -> str:
    """Escape text for HTML; CR too, which a parser would turn into a line feed."""
    return escape(text, quote=False).replace("\r", "&#13;")


def _line_breaks(text: str) -> Iterator[int]:
    """Yield the offsets of intended line breaks, without those of hard-wrapped lines.

    A line was wrapped if the next word does not fit into the width of the longest line.
    """
    lines = text.split("\n")
    width = max(map(len, lines))
    offset = 0
    for line, following in pairwise(lines):
        offset += len(line)
        words = following.split(maxsplit=1)
        if not (line.strip() and words and len(line) + 1 + len(words[0]) > width):
            yield offset
        offset += 1


def joined(spans: Iterable[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    """Return spans in order, merged where only white space separates them."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and (start <= merged[-1][1] or not text[merged[-1][1] : start].strip()):
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def verified_page(result: Mapping[str, Any]) -> str:
    """Return a page that marks every unsupported word, from `Verified.to_dict()`."""
    text, marks = result["text"], []
    for sentence in result["sentences"]:
        style = "against" if sentence["label"] == "contradicted" else "lacking"
        spans = [
            (word["start"], word["end"]) for word in sentence["words"] if not word["supported"]
        ]
        if style == "against" and not spans:
            spans = [(sentence["start"], sentence["end"])]
        marks += [Mark(start, end, style) for start, end in joined(spans, text)]
    body = render("verified.html", result=result, labels=_LABELS, text=marked(text, marks))
    return html_page("Checked summary", asset("verified.css"), body)
