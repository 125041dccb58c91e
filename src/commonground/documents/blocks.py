"""The blocks of a page: its paragraphs, headings, list items and table rows, in order."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from commonground.documents.page import BLOCKS, Element

_SPACES: Final = re.compile(r"[^\S\n]+")
_AROUND_BREAK: Final = re.compile(r" *\n *")
_EMPTY_LINE: Final = re.compile(r"\n\s*\n")
_SHORT_CELL: Final = 80  # characters
_HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of text between two block breaks.

    Attributes:
        text: Its words; a line break is a `<br>`, a tab parts the cells of a table.
        element: The block element that it is in.
        linked: The share of its characters that are links.
    """

    text: str
    element: Element
    linked: float

    @property
    def is_heading(self) -> bool:
        """Whether it is a heading."""
        return self.element.tag in _HEADINGS


def blocks(root: Element, skip: Callable[[Element], bool] = lambda _: False) -> Iterator[Block]:
    """Yield the blocks of an element, without the elements to skip."""
    run = _Run(root)
    waiting: list[tuple[Element, Iterator[Element | str]]] = [(root, iter(root.parts))]
    while waiting:
        element, parts = waiting[-1]
        part = next(parts, None)
        if part is None:
            waiting.pop()
            yield from run.leave(element)
        elif isinstance(part, str):
            run.add(part)
        elif not skip(part):
            waiting.append((part, iter(part.parts)))
            yield from run.enter(part)


class _Run:
    """Collects the text of the current block."""

    def __init__(self, root: Element) -> None:
        self._blocks = [root]  # open ones
        self._texts: list[str] = []
        self._size = self._linked = 0  # characters
        self._links = self._verbatim = 0  # open elements
        self._rows: list[Element] = []  # open table rows whose cells are on one line

    def add(self, text: str) -> None:
        self._texts.append(text if self._verbatim else re.sub(r"\s+", " ", text))
        size = len(text.strip())
        self._size += size
        self._linked += size if self._links else 0

    def enter(self, element: Element) -> Iterator[Block]:
        tag = element.tag
        if tag == "br":
            self._texts.append("\n")
        elif tag == "hr":
            yield from self._finish()
        self._links += tag == "a"
        self._verbatim += tag == "pre"
        if self._is_block(element):
            yield from self._finish()
            self._blocks.append(element)
            if tag == "tr" and _on_one_line(element):
                self._rows.append(element)

    def leave(self, element: Element) -> Iterator[Block]:
        tag = element.tag
        self._links -= tag == "a"
        self._verbatim -= tag == "pre"
        if element is self._blocks[-1]:
            yield from self._finish()
            if len(self._blocks) > 1:
                self._blocks.pop()
            if self._rows and element is self._rows[-1]:
                self._rows.pop()
        elif tag in ("td", "th"):
            self._texts.append("\t")

    def _is_block(self, element: Element) -> bool:
        cell = element.tag in ("td", "th") and self._rows and element.parent is self._rows[-1]
        return element.tag in BLOCKS and not cell

    def _finish(self) -> Iterator[Block]:
        joined = "".join(self._texts)
        share = self._linked / max(self._size, 1)
        self._texts.clear()
        self._size = self._linked = 0
        if joined.isspace():
            return
        for text in _EMPTY_LINE.split(joined):
            if text := _neat(text):
                yield Block(text, self._blocks[-1], share)


def _neat(text: str) -> str:
    cells = (_SPACES.sub(" ", cell).strip(" ") for cell in text.split("\t"))
    return _AROUND_BREAK.sub("\n", "\t".join(cells)).strip()


def _on_one_line(row: Element) -> bool:
    """Whether a table row has only short cells, so that it is a row of data."""
    size = 0
    for cell in row.parts:
        if isinstance(cell, Element):
            for element in cell.elements():
                if element is not cell and element.tag in BLOCKS | {"br"}:
                    return False
                size += sum(len(part) for part in element.parts if isinstance(part, str))
                if size > _SHORT_CELL * len(row.parts):
                    return False
    return True
