"""Manual pyramids and annotations from DUCView, the annotation tool of the pyramid method."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from commonground.errors import InputError
from commonground.pyramid.pyramid import Pyramid
from commonground.pyramid.unit import Contributor, Unit
from commonground.score import Signature

# What the parser complains of when a file ends too early.
_CUT_OFF: Final = (
    expat.errors.XML_ERROR_NO_ELEMENTS,
    expat.errors.XML_ERROR_UNCLOSED_TOKEN,
    expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    expat.errors.XML_ERROR_PARTIAL_CHAR,
)


def read_xml(path: Path) -> Element:
    """The root element of a file.

    A list of element types, which every DUCView file starts with, is passed over; entities of
    one's own are refused, as they can make a small file a huge one. Nothing else is opened.

    Raises:
        InputError: With the file, line and column where it is cut off or damaged.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    # Not xml.etree's own parser, which expands entities.
    builder = TreeBuilder()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data

    def refuse(*_: object) -> None:
        raise InputError(f"{path}, line {parser.CurrentLineNumber}: XML entities are not accepted")

    parser.EntityDeclHandler = refuse
    parser.SkippedEntityHandler = refuse
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        what = "is cut off" if reason in _CUT_OFF else "is not XML"
        place = f"line {error.lineno}, column {error.offset + 1}"
        raise InputError(f"{path}, {place}: {what} ({reason})") from None
    except (LookupError, ValueError) as error:  # an encoding nobody knows
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: is not XML that can be read ({error})") from None
    return builder.close()


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


SUFFIXES: Final = (".pyr", ".pan")

# The unit of a peer annotation under which all goes that matches nothing.
_NO_UNIT: Final = "0"


@dataclass(frozen=True, slots=True)
class PeerMatch:
    """Words of a summary that a person matched to a unit; to none, where `unit` is None."""

    unit: Unit | None
    text: str


@dataclass(frozen=True, slots=True)
class Annotation:
    """A summary that a person matched to a pyramid.

    Attributes:
        pyramid: The pyramid.
        summary: The text of the summary.
        matches: What was marked in it, in the order of the file.
    """

    pyramid: Pyramid
    summary: str
    matches: tuple[PeerMatch, ...]

    @property
    def raw(self) -> int:
        """The sum of the weights of the units that were found, each counted once."""
        found = {id(match.unit): match.unit for match in self.matches if match.unit}
        return sum(unit.weight for unit in found.values())

    @property
    def unit_count(self) -> int:
        """How many units the summary has: unmatched and repeated ones count too."""
        return len(self.matches)


def read_pyramid(path: str | Path) -> Pyramid:
    """A pyramid from any file: DUCView's `.pyr` and `.pan`, otherwise our JSON."""
    if Path(path).suffix.lower() in SUFFIXES:
        return read_ducview(path)
    return Pyramid.load(path)


def read_ducview(path: str | Path) -> Pyramid:
    """The pyramid in a DUCView file, `.pyr` or `.pan`.

    The weight of a unit is the number of its contributors, as in DUCView; attractions are not
    known and are 1. A contributor belongs to the summary in which its first word is, where the
    text has headers between the summaries: what the file says they look like, or lines of
    dashes. Without headers the contributors of a unit are numbered as they come, and the texts
    of the references are empty.

    Raises:
        InputError: One line with the file and, for XML that is cut off or damaged, the place.
    """
    path = Path(path)
    pyramid, _ = _pyramid(read_xml(path), path)
    return pyramid


def read_annotation(path: str | Path) -> Annotation:
    """The peer annotation in a DUCView file, `.pan`.

    Raises:
        InputError: As `read_ducview`, and where the file has a pyramid only.
    """
    path = Path(path)
    root = read_xml(path)
    pyramid, units = _pyramid(root, path)
    annotation = root.find(".//annotation")
    if annotation is None:
        raise InputError(f"{path}: has a pyramid but no peer annotation")
    matches = []
    for peer in annotation.iter("peerscu"):
        uid = _attribute(peer, "uid", path)
        if uid not in units and uid != _NO_UNIT:
            raise InputError(f"{path}: peerscu {uid} is not a unit of the pyramid")
        for contributor in peer.iter("contributor"):
            words = " ".join(part.label for part in _parts(contributor, path))
            matches.append(PeerMatch(units.get(uid), words))
    return Annotation(pyramid, _text(annotation).strip(), tuple(matches))


@dataclass(frozen=True, slots=True, order=True)
class _Part:
    start: int
    end: int
    label: str


def _pyramid(root: Element, path: Path) -> tuple[Pyramid, dict[str, Unit]]:
    """The pyramid, and its units by their numbers in the file."""
    element = root if root.tag == "pyramid" else root.find(".//pyramid")
    if element is None:
        raise InputError(f"{path}: is not a DUCView file (it has no <pyramid>)")
    text = _text(element)
    sources = documents(text, element.findtext("startDocumentRegEx"))
    units: dict[str, Unit] = {}
    for scu in element.iter("scu"):
        uid = _attribute(scu, "uid", path)
        if uid in units:
            raise InputError(f"{path}: two units have the number {uid}")
        found = [_parts(contributor, path) for contributor in scu.iter("contributor")]
        if found:  # one that nobody expresses is none
            units[uid] = Unit(_attribute(scu, "label", path), _contributors(found, sources))
    # Without headers there are at least as many references as the heaviest unit has.
    texts = [source.text for source in sources]
    texts = texts or [""] * max((unit.weight for unit in units.values()), default=0)
    signature = Signature.of("PYRAMID", builder="ducview", refs=str(len(texts)))
    return Pyramid(tuple(units.values()), tuple(texts), signature), units


def _contributors(found: list[list[_Part]], sources: list[Document]) -> tuple[Contributor, ...]:
    made = []
    for order, parts in enumerate(found):
        words = " ".join(part.label for part in parts)
        if not sources:
            made.append(Contributor(order, words))
            continue
        number = _holder(parts[0].start, sources)
        made.append(Contributor(number, words, spans=_spans(parts, sources[number])))
    return tuple(sorted(made, key=lambda one: one.reference))


def _holder(place: int, sources: list[Document]) -> int:
    """The last summary that starts at the place or before it."""
    before = [number for number, source in enumerate(sources) if source.start <= place]
    return before[-1] if before else 0


def _spans(parts: list[_Part], source: Document) -> tuple[tuple[int, int], ...]:
    """The parts as places in the summary; none unless all are where the file says they are."""
    spans = tuple((part.start - source.start, part.end - source.start) for part in parts)
    for part, (start, end) in zip(parts, spans, strict=True):
        if start < 0 or source.text[start:end].split() != part.label.split():
            return ()
    return spans


def _parts(contributor: Element, path: Path) -> list[_Part]:
    """The parts of a contributor in the order of the text."""
    parts = []
    for part in contributor.iter("part"):
        places = [_attribute(part, name, path) for name in ("start", "end")]
        if not all(place.isdecimal() and len(place) < 10 for place in places):
            raise InputError(f"{path}: part {places} does not start and end at whole numbers")
        start, end = map(int, places)
        parts.append(_Part(start, end, _attribute(part, "label", path)))
    if not parts:
        raise InputError(f"{path}: contributor {contributor.get('label')!r} has no parts")
    return sorted(parts)


def _attribute(element: Element, name: str, path: Path) -> str:
    value = element.get(name)
    if value is None:
        raise InputError(f"{path}: a <{element.tag}> has no {name}")
    return " ".join(value.split())


def _text(element: Element) -> str:
    """The text as DUCView counts its characters: lines joined by one line break."""
    found = element.find("text")
    if found is None:
        return ""
    return "\n".join(line.text or "" for line in found.iter("line"))
