"""Sentence ends shown by the layout: blank lines, list items, headings, rules.

A line break inside a paragraph may come from hard wrapping. It is intended if the first word of
the next line would still have fitted on the line.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from commonground.text.lexicon import lexicon, words

_PARAGRAPH = "\v"
_BLANKS = {**dict.fromkeys("\r\v\f\x85\u2028", "\n"), "\u2029": _PARAGRAPH}
_UNSEEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\xa0\xad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]"
)
_LINE_END = re.compile(rf"[\n{_PARAGRAPH}]")

_SURE_MARKER = re.compile(
    r"""(?P<rule>([-*_=~—–])(?:\s*\2){2,}\Z)
    | (?P<heading>\#{1,6}\s+)
    | (?P<bullet>[•‣⁃◦▪▫●○■□➢✓✔]\s*|\*\s+|[-–—+*]\Z)""",
    re.VERBOSE,
)
# These also occur at the start of a wrapped line, so they count only in context.
_WEAK_MARKER = re.compile(
    r"""(?P<dash>(?:--?|[–—+])(?:\s+|(?=[A-Z])))
    | (?P<bracket>\(?(?:\d{1,3}|[a-z]|[ivxl]{2,5}|[IVXL]{1,5})\)\s+)
    | (?P<number>\d{1,3}\.\s+)
    | (?P<initial>[A-Za-z]\.\s+)""",
    re.VERBOSE,
)
_NUMBERS = ("bracket", "number")
# Signs that no running text has; others are also used as decoration within a line.
_INLINE_BULLET = re.compile(r"[•‣◦▪●]\s")
# The end of an embedded tweet, which scraped pages join to the text: "(@name) May 1, 2020".
_TWEET_END = re.compile(
    r"\(@\w{1,15}\)\s(?:January|February|March|April|May|June|July|August|September|October"
    r"|November|December)\s\d{1,2},\s\d{4}(?=\s)"
)

_CLOSING = "\"'”’»)]*_"
_LEADS_ON = tuple(".!?…:;。！？؟۔।")
_RUNS_ON = tuple(",;-–—&/([{“«‘")
_JOINING = words(lexicon("sentences")["joining"])
_WORD_CHARACTER = re.compile(r"\w")

_WIDEST_WRAP = 120  # longer lines are not hard-wrapped: every break is intended
_NARROWEST_WRAP = 50  # shorter lines are not hard-wrapped, unless lower case shows it
_SLACK = 0.2  # a wrapped line leaves less than this share of the width empty


class _Line(NamedTuple):
    start: int
    text: str
    marker: str  # kind of the list marker, or empty
    marker_length: int


def flatten(text: str) -> str:
    """Return a copy of the same length in which all white space is spaces and line breaks.

    Every kind of line break becomes a newline (U+2029, the paragraph separator, a vertical tab);
    tabs, control characters, byte order marks and zero-width characters become spaces.
    """
    if text.isprintable():  # nothing to do, and a hundred times as fast to check
        return text
    return _UNSEEN.sub(lambda sign: _BLANKS.get(sign[0], " "), text.replace("\r\n", " \n"))


def blocks(flat: str) -> Iterator[tuple[int, int]]:
    """Yield spans of `flat` that contain whole sentences, without list markers."""
    whole = _INLINE_BULLET.search(flat) is None and _TWEET_END.search(flat) is None
    for start, end in _line_blocks(flat):
        if whole:
            yield start, end
        else:
            yield from _inline_blocks(flat, start, end)


def _line_blocks(flat: str) -> Iterator[tuple[int, int]]:
    paragraph: list[_Line] = []
    start = 0
    for match in _LINE_END.finditer(flat + _PARAGRAPH):
        line = flat[start : match.start()]
        text = line.strip()
        if text:
            paragraph.append(_line(start + line.index(text[0]), text))
        start = match.end()
        if paragraph and not (text and match.group() == "\n"):
            yield from _paragraph_blocks(paragraph)
            paragraph = []


def numbers_items(sentences: list[str]) -> bool:
    """Say whether the numbers before sentences of a block count items: there are at least two."""
    markers = map(_marker, sentences)
    return sum(match is not None and match.lastgroup in _NUMBERS for match in markers) > 1


def marker_length(sentence: str, numbered: bool) -> int:
    """Return the length of the marker before a sentence in a list without line breaks."""
    match = _marker(sentence)
    if match is None or match.lastgroup == "initial":
        return 0
    return match.end() if numbered or match.lastgroup not in _NUMBERS else 0


def _marker(text: str) -> re.Match[str] | None:
    return _SURE_MARKER.match(text) or _WEAK_MARKER.match(text)


def _line(start: int, text: str) -> _Line:
    match = _marker(text)
    return _Line(start, text, match.lastgroup or "" if match else "", match.end() if match else 0)


def _inline_blocks(flat: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Split a block at bullets and tweets that lost their line breaks."""
    cuts = [
        match.span()
        for match in _INLINE_BULLET.finditer(flat, start, end)
        if flat[match.start() - 1 : match.start()].isspace()
    ]
    cuts += [(match.end(), match.end()) for match in _TWEET_END.finditer(flat, start, end)]
    for cut_start, cut_end in sorted(cuts):
        yield start, cut_start
        start = cut_end
    yield start, end


def _paragraph_blocks(lines: list[_Line]) -> Iterator[tuple[int, int]]:
    markers = Counter(line.marker for line in lines)
    width = _wrap_width(lines)
    start, end = lines[0].start, lines[0].start
    before, in_list = None, False
    for line in lines:
        parted = before is None or _is_meant(before, line, width)
        marked = _is_marked(line, before, parted or in_list, markers[line.marker])
        if parted or marked:
            if start < end:
                yield start, end
            start = line.start + line.marker_length * marked
            in_list = marked
        before, end = line, line.start + len(line.text)
    if start < end:
        yield start, end


def _is_marked(line: _Line, before: _Line | None, fits: bool, alike: int) -> bool:
    """Say whether a line starts with a list marker, not with a dash or number of a sentence.

    Args:
        line: The line.
        before: The previous line of the paragraph.
        fits: Whether a list item can start here.
        alike: Number of lines of the paragraph with this kind of marker.
    """
    if line.marker in ("", "rule", "heading", "bullet") or alike > 1:
        return line.marker != ""
    if line.marker == "initial":  # "J. Smith", unless a second line has one
        return False
    return fits or before is None or before.text.rstrip(_CLOSING).endswith(_LEADS_ON)


def _is_meant(before: _Line, line: _Line, width: int) -> bool:
    """Say whether the break between two lines of a paragraph is intended."""
    if before.marker in ("heading", "rule"):
        return True
    ending = before.text.rstrip(_CLOSING)
    if _starts_lower(line) or ending.endswith(_RUNS_ON):
        return False
    words = ending.split()
    if not words or words[-1].lower() in _JOINING:
        return False
    if len(before.text) > _WIDEST_WRAP or not width:
        return True
    room = width - len(before.text) - 1 - len(line.text.split(None, 1)[0])
    return room >= (0 if _is_title(words) else _SLACK * width)


def _wrap_width(lines: list[_Line]) -> int:
    """Return the width at which a paragraph was hard-wrapped, or 0."""
    width = max((len(line.text) for line in lines if " " in line.text), default=0)
    wraps = width > _NARROWEST_WRAP or any(map(_starts_lower, lines[1:]))
    return width if wraps else 0


def _starts_lower(line: _Line) -> bool:
    if line.marker:
        return False
    first = _WORD_CHARACTER.search(line.text)
    return first is not None and first.group().islower()


def _is_title(words: list[str]) -> bool:
    return all(word[0].isupper() for word in words if len(word) > 3 and word[0].isalpha())
