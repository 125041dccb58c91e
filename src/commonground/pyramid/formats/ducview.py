"""Manual pyramids and annotations from DUCView, the annotation tool of the pyramid method."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from commonground.errors import InputError
from commonground.pyramid.formats.xml import attribute, read_xml
from commonground.pyramid.pyramid import Pyramid
from commonground.pyramid.unit import Contributor, Unit, by_reference
from commonground.score import Signature

# The unit of a peer annotation for everything that matches no unit.
_NO_UNIT: Final = "0"


@dataclass(frozen=True, slots=True)
class PeerMatch:
    """Words of a summary that a person matched to a unit; `unit` is None for no unit."""

    unit: Unit | None
    text: str


@dataclass(frozen=True, slots=True)
class Annotation:
    """A summary that a person matched to a pyramid; `matches` are in the order of the file."""

    pyramid: Pyramid
    summary: str
    matches: tuple[PeerMatch, ...]

    @property
    def raw(self) -> int:
        """Sum of the weights of the matched units, each counted once."""
        units = {id(match.unit): match.unit for match in self.matches if match.unit}
        return sum(unit.weight for unit in units.values())

    @property
    def unit_count(self) -> int:
        """Number of units of the summary, including unmatched and repeated ones."""
        return len(self.matches)


def read_ducview(path: str | Path) -> Pyramid:
    """Read the pyramid of a DUCView file, `.pyr` or `.pan`.

    The weight of a unit is the number of its contributors, as in DUCView; attractions are unknown
    and set to 1. Headers separate the summaries: those that the file describes, or lines of dashes.
    A contributor belongs to the summary of its first word. Without headers the contributors of a
    unit are numbered in order, and the texts of the references are empty.

    Raises:
        InputError: With the file and, for damaged XML, the line and column.
    """
    path = Path(path)
    return pyramid_of(read_xml(path), path)[0]


def read_annotation(path: str | Path) -> Annotation:
    """Read the peer annotation of a DUCView file, `.pan`.

    Raises:
        InputError: As `read_ducview`, or if the file has only a pyramid.
    """
    path = Path(path)
    root = read_xml(path)
    pyramid, units = pyramid_of(root, path)
    annotation = root.find(".//annotation")
    if annotation is None:
        raise InputError(f"{path}: has a pyramid but no peer annotation")
    matches = []
    for peer in annotation.iter("peerscu"):
        uid = attribute(peer, "uid", path)
        if uid not in units and uid != _NO_UNIT:
            raise InputError(f"{path}: peerscu {uid} is not a unit of the pyramid")
        for contributor in peer.iter("contributor"):
            words = " ".join(part.label for part in _parts(contributor, path))
            matches.append(PeerMatch(units.get(uid), words))
    return Annotation(pyramid, _text(annotation).strip(), tuple(matches))


def pyramid_of(root: Element, path: Path) -> tuple[Pyramid, dict[str, Unit]]:
    """Return the pyramid, and its units by their number in the file."""
    element = root if root.tag == "pyramid" else root.find(".//pyramid")
    if element is None:
        raise InputError(f"{path}: is not a DUCView file (it has no <pyramid>)")
    sources = documents(_text(element), element.findtext("startDocumentRegEx"))
    units: dict[str, Unit] = {}
    for scu in element.iter("scu"):
        uid = attribute(scu, "uid", path)
        if uid in units:
            raise InputError(f"{path}: two units have the number {uid}")
        contributors = by_reference(
            _contributor(_parts(contributor, path), order, sources)
            for order, contributor in enumerate(scu.iter("contributor"))
        )
        if contributors:  # a unit without contributors does not count
            units[uid] = Unit(attribute(scu, "label", path), contributors)
    # Without headers there are at least as many references as the greatest weight.
    texts = [source.text for source in sources]
    texts = texts or [""] * max((unit.weight for unit in units.values()), default=0)
    signature = Signature.of("PYRAMID", builder="ducview", refs=str(len(texts)))
    return Pyramid(tuple(units.values()), tuple(texts), signature), units


class _Part(NamedTuple):
    start: int
    end: int
    label: str


def _contributor(parts: list[_Part], order: int, sources: "list[Document]") -> Contributor:
    """Return a contributor of the last summary that starts before its first word."""
    words = " ".join(part.label for part in parts)
    if not sources:
        return Contributor(order, words)
    before = [i for i, source in enumerate(sources) if source.start <= parts[0].start]
    reference = before[-1] if before else 0
    source = sources[reference]
    spans = tuple((part.start - source.start, part.end - source.start) for part in parts)
    # Offsets that do not fit their words are dropped.
    fits = all(
        start >= 0 and source.text[start:end].split() == part.label.split()
        for part, (start, end) in zip(parts, spans, strict=True)
    )
    return Contributor(reference, words, spans=spans if fits else ())


def _parts(contributor: Element, path: Path) -> list[_Part]:
    """Return the parts of a contributor in the order of the text."""
    parts = []
    for part in contributor.iter("part"):
        offsets = [attribute(part, name, path) for name in ("start", "end")]
        if not all(offset.isdecimal() and len(offset) < 10 for offset in offsets):
            raise InputError(f"{path}: part {offsets} does not start and end at whole numbers")
        start, end = map(int, offsets)
        parts.append(_Part(start, end, attribute(part, "label", path)))
    if not parts:
        raise InputError(f"{path}: contributor {contributor.get('label')!r} has no parts")
    return sorted(parts)


def _text(element: Element) -> str:
    """Return the text as DUCView counts its characters: lines joined by one line break."""
    text = element.find("text")
    return "" if text is None else "\n".join(line.text or "" for line in text.iter("line"))


# A line of dashes, with or without a name and a second line of dashes below it.
_DASHES: Final = re.compile(
    r"^-{3,}[ \t]*\n(?P<name>[^\n]{0,39}[^\n.!?]\n-{3,}[ \t]*(?:\n|\Z))?", re.MULTILINE
)
_ITEM: Final = re.compile(
    r"(?P<character>\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[^\\\[\](){}|*+?^$])"
    r"(?P<repeat>[*+?]|\{\d{1,3}(?:,\d{0,3})?\})?",
    re.DOTALL,
)
_LONGEST: Final = 200  # characters of a header
_MOST_ITEMS: Final = 200


class Document(NamedTuple):
    """A summary, and its offset in the whole text."""

    text: str
    start: int


def documents(text: str, header: str | None) -> list[Document]:
    """Return the summaries in a text without blank ones; none if nothing separates them.

    Args:
        text: The whole text.
        header: The file's own regular expression for headers. The file may be hostile and a regular
            expression can run for ever, so only sequences of characters and classes with repeats
            are supported, without backtracking. Otherwise, or if it does not match, lines of dashes
            separate summaries.
    """
    headers = list(_headers(text, header)) if header else []
    named = bool(headers)
    if not headers:
        dashes = list(_DASHES.finditer(text))
        headers = [match.span() for match in dashes]
        named = any(match["name"] for match in dashes)
    if not headers:
        return []
    # Before the first named header there is a title.
    starts = [end for _, end in headers] if named else [0, *(end for _, end in headers)]
    ends = [start for start, _ in headers][1 if named else 0 :]
    return [
        Document(document.strip(), start + len(document) - len(document.lstrip()))
        for start, end in zip(starts, [*ends, len(text)], strict=True)
        if (document := text[start:end]).strip()
    ]


class _Item(NamedTuple):
    """A character of a header, which may be optional or repeated."""

    character: re.Pattern[str]
    optional: bool = False
    repeat: bool = False


def _headers(text: str, header: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the headers, which start at the start of a line."""
    items = _items(header)
    start = 0
    while items and start < len(text):
        end = _longest_match(text, start, items)
        if end > start:
            yield start, end
            start = end
        else:
            line = text.find("\n", start)
            start = len(text) if line < 0 else line + 1


def _items(header: str) -> list[_Item]:
    """Parse an expression; return nothing if it is not supported or too long."""
    items: list[_Item] = []
    offset = 0
    while offset < len(header):
        match = _ITEM.match(header, offset)
        if match is None:
            return []
        try:
            character = re.compile(match["character"])
        except re.error:
            return []
        items += _repeated(character, match["repeat"] or "{1}")
        offset = match.end()
    return items if len(items) <= _MOST_ITEMS else []


def _repeated(character: re.Pattern[str], repeat: str) -> list[_Item]:
    known = {"*": "{0,}", "+": "{1,}", "?": "{0,1}"}
    least, comma, most = known.get(repeat, repeat)[1:-1].partition(",")
    required = [_Item(character)] * int(least)
    if not comma:
        return required
    if not most:
        return [*required, _Item(character, optional=True, repeat=True)]
    return required + [_Item(character, optional=True)] * (int(most) - int(least))


def _longest_match(text: str, start: int, items: list[_Item]) -> int:
    """Return the end of the longest match from an offset on, or -1."""
    limit = min(len(text), start + _LONGEST)
    ends = {start}
    for item in items:
        reached = set(ends) if item.optional else set()
        waiting = list(ends)
        while waiting:
            offset = waiting.pop()
            fits = offset < limit and item.character.fullmatch(text[offset])
            if fits and offset + 1 not in reached:
                reached.add(offset + 1)
                if item.repeat:
                    waiting.append(offset + 1)
        ends = reached
    return max(ends, default=-1)
