"""The text of a DUCView pyramid: several summaries one after the other, each under a header."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

# A line of dashes, with or without a name and a second line of dashes below it.
_DASHES: Final = re.compile(
    r"^-{3,}[ \t]*\n(?P<name>[^\n]{0,39}[^\n.!?]\n-{3,}[ \t]*(?:\n|\Z))?", re.MULTILINE
)
_ITEM: Final = re.compile(
    r"(?P<one>\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[^\\\[\](){}|*+?^$])"
    r"(?P<often>[*+?]|\{\d{1,3}(?:,\d{0,3})?\})?",
    re.DOTALL,
)
_LONGEST: Final = 200  # characters of a header
_MOST_ITEMS: Final = 200


class Document(NamedTuple):
    """A summary, and where it starts in the whole text."""

    text: str
    start: int


def documents(text: str, header: str | None) -> list[Document]:
    """The summaries in a text, blank ones left out; none where nothing separates them.

    Args:
        text: The whole text.
        header: The file's own regular expression for headers. It may come from anybody, and a
            regular expression can be made to run for ever, so only sequences of single characters
            and classes with their repeats are understood, without backtracking; where it is
            something else, or is not found, lines of dashes count.
    """
    headers = list(_stated(text, header)) if header else []
    named = bool(headers)
    if not headers:
        found = list(_DASHES.finditer(text))
        headers = [match.span() for match in found]
        named = any(match["name"] for match in found)
    if not headers:
        return []
    # What precedes the first of several named headers is a title.
    starts = [end for _, end in headers] if named else [0, *(end for _, end in headers)]
    ends = [start for start, _ in headers][1 if named else 0 :]
    pieces = zip(starts, [*ends, len(text)], strict=True)
    return [
        Document(piece.strip(), start + len(piece) - len(piece.lstrip()))
        for start, end in pieces
        if (piece := text[start:end]).strip()
    ]


class _Item(NamedTuple):
    """A character of a header, which may be left out, or repeated."""

    one: re.Pattern[str]
    optional: bool = False
    repeat: bool = False


def _stated(text: str, header: str) -> Iterator[tuple[int, int]]:
    """Where the headers are, by the file's own expression; they start where a line does."""
    items = _items(header)
    if not items:
        return
    place = 0
    while place < len(text):
        end = _end(text, place, items)
        if end > place:
            yield place, end
            place = end
        else:
            line = text.find("\n", place)
            place = len(text) if line < 0 else line + 1


def _items(header: str) -> list[_Item]:
    """The characters of an expression; none if it has anything else, or is too long."""
    found: list[_Item] = []
    place = 0
    while place < len(header):
        match = _ITEM.match(header, place)
        try:
            one = re.compile(match["one"]) if match else None
        except re.error:
            return []
        if match is None or one is None:
            return []
        found += _repeated(one, match["often"] or "{1}")
        place = match.end()
    return found if len(found) <= _MOST_ITEMS else []


def _repeated(one: re.Pattern[str], often: str) -> list[_Item]:
    known = {"*": "{0,}", "+": "{1,}", "?": "{0,1}"}
    least, comma, most = known.get(often, often)[1:-1].partition(",")
    required = [_Item(one)] * int(least)
    if not comma:
        return required
    if not most:
        return [*required, _Item(one, optional=True, repeat=True)]
    return required + [_Item(one, optional=True)] * (int(most) - int(least))


def _end(text: str, place: int, items: list[_Item]) -> int:
    """Where the longest match from a place on ends, or -1."""
    limit = min(len(text), place + _LONGEST)
    ends = {place}
    for item in items:
        ends = _after(text, ends, item, limit)
    return max(ends, default=-1)


def _after(text: str, places: set[int], item: _Item, limit: int) -> set[int]:
    found = set(places) if item.optional else set()
    waiting = list(places)
    while waiting:
        place = waiting.pop()
        fits = place < limit and item.one.fullmatch(text[place])
        if fits and place + 1 not in found:
            found.add(place + 1)
            if item.repeat:
                waiting.append(place + 1)
    return found
