"""An HTML page as a tree of its visible elements.

libxml2 reports tags one by one and this module keeps the tree, because a page may be nested without
limit: a tree of libxml2 or HTML5 takes time that grows with the square of the depth.
"""

import contextlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Union

from commonground.documents.limits import MAX_DEPTH, MAX_ELEMENTS
from commonground.documents.lists import tags
from commonground.errors import InputError

BLOCKS: Final = tags("block")
_UNSEEN: Final = tags("unseen")
_MARKS: Final = ("class", "id", "role", "itemprop", "data-testid", "data-component", "aria-label")
_HIDDEN_STYLE: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_MARK_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_PORTION: Final = 50_000  # characters
_MAX_MARK: Final = 500  # characters of an attribute


@dataclass(slots=True, eq=False)
class Element:
    """A visible element.

    Attributes:
        tag: In lower case.
        marks: The words of its class, id and similar attributes, as "-story-body-".
        parent: The element that it is in.
        parts: Its elements and texts in order.
    """

    tag: str
    marks: str = "-"
    parent: Union["Element", None] = field(default=None, repr=False)
    parts: list[Union["Element", str]] = field(default_factory=list)

    def elements(self) -> Iterator["Element"]:
        """Yield this element and all inside it, in document order."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            inside = [part for part in element.parts if isinstance(part, Element)]
            waiting.extend(reversed(inside))

    def text(self) -> str:
        """Return the words inside, with single spaces."""
        return " ".join(
            " ".join(part for part in element.parts if isinstance(part, str))
            for element in self.elements()
        ).strip()


@dataclass(slots=True)
class Page:
    """A parsed page: its visible tree, and what its head says.

    Attributes:
        root: The tree.
        title: The content of `<title>`.
        meta: The content of meta elements by their lower-case name or property.
    """

    root: Element
    title: str
    meta: dict[str, str]


def parse(page: str) -> Page:
    """Parse a page in time linear in its length.

    Raises:
        InputError: It has too many elements, or they are nested too deeply.
    """
    from lxml import etree

    builder = _Builder()
    # Without huge_tree libxml2 drops what is deeper than 256 elements.
    parser = etree.HTMLParser(target=builder, huge_tree=True, recover=True)
    text = page.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")
    for start in range(0, len(text), _PORTION):  # an error shows only after a portion
        parser.feed(text[start : start + _PORTION])
    with contextlib.suppress(etree.LxmlError):  # a page without elements
        parser.close()
    return Page(builder.root, builder.title.strip(), builder.meta)


class _Builder:
    """Receives libxml2's events."""

    def __init__(self) -> None:
        self.root = Element("html")
        self.title = ""
        self.meta: dict[str, str] = {}
        self._open: list[Element | None] = []  # None for what is not seen
        self._unseen = 0  # how many of them
        self._titles = 0
        self._count = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._count += 1
        if self._count > MAX_ELEMENTS:
            raise InputError(f"is too large: over {MAX_ELEMENTS:,} elements.")
        if len(self._open) > MAX_DEPTH:
            raise InputError(f"is nested too deeply: over {MAX_DEPTH:,} elements.")
        if tag == "meta":
            name = attributes.get("property") or attributes.get("name") or ""
            self.meta.setdefault(name.lower(), attributes.get("content", ""))
        self._titles += tag == "title" and not self.title
        if self._unseen or _is_unseen(tag, attributes):
            self._unseen += 1
            self._open.append(None)
            return
        inside = self._inside()
        element = Element(tag, _marks(attributes), inside)
        inside.parts.append(element)
        self._open.append(element)

    def end(self, tag: str) -> None:
        if self._open and self._open.pop() is None:
            self._unseen -= 1
        if tag == "title":
            self._titles = 0

    def data(self, text: str) -> None:
        if self._titles:
            self.title += text
        if not self._unseen:
            self._inside().parts.append(text)

    def comment(self, text: str) -> None:
        pass

    def close(self) -> None:
        pass

    def _inside(self) -> Element:
        return (self._open[-1] if self._open else None) or self.root


def _is_unseen(tag: str, attributes: Mapping[str, str]) -> bool:
    if tag in ("html", "body"):  # some pages are hidden until their script runs
        return False
    return (
        tag in _UNSEEN
        or "hidden" in attributes
        or bool(_HIDDEN_STYLE.search(attributes.get("style", "")))
    )


def _marks(attributes: Mapping[str, str]) -> str:
    words = [
        word.lower()
        for name in _MARKS
        if name in attributes
        for word in (*_MARK_WORD.findall(attributes[name][:_MAX_MARK]), "")
    ]
    if attributes.get("aria-hidden") == "true":
        words += ["aria", "hidden"]
    return f"-{'-'.join(words)}-"
