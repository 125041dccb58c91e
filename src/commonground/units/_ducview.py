"""Manual pyramids and annotations from DUCView, the annotation tool of the pyramid method."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element

from commonground._score import Signature
from commonground.errors import InputError
from commonground.units._ducview_text import Document, documents
from commonground.units._ducview_xml import read_xml
from commonground.units._pyramid import Pyramid
from commonground.units._unit import Contributor, Unit

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
