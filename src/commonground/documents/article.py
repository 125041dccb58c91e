"""The article of an HTML page, without navigation, notices, links to other pages and comments.

The largest part of the page's prose is the article; names of classes, tags and short lines tell
what inside it is furniture. (trafilatura finds the same but brings fourteen packages and 70 MB;
`bench/article_extraction.py` compares.)
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final

from commonground.documents.blocks import Block, blocks
from commonground.documents.lists import lines, tags
from commonground.documents.page import Element, Page

_FURNITURE_TAGS: Final = tags("furniture")
_ARTICLE_TAGS: Final = frozenset(("article", "body", "html", "main"))
_MIN_PROSE: Final = 50  # characters
_MAX_LINKED: Final = 0.4
_MOSTLY_LINKED: Final = 0.6
_ENOUGH: Final = 250  # characters of prose that make a page an article
_MOST: Final = 0.5
_NAMED: Final = (1.0, 0.4, 0.3)  # share of the prose that an element of each rank has
_MOSTLY: Final = 0.75
_DESCEND: Final = 0.85
_SENTENCE: Final = re.compile(r"[.!?…。！？]|, ")
_LONG_LINE: Final = 220


def article(page: Page) -> list[Block]:
    """Return the blocks of the article, or all but the furniture of a page that has none."""
    weights = _prose(page.root)
    most = _MOST * weights.get(page.root, 0)

    def is_furniture(element: Element) -> bool:
        return _is_furniture(element) and weights.get(element, 0) <= most

    kept = _prose(page.root, is_furniture)
    if kept.get(page.root, 0) >= _ENOUGH:
        return _neat(list(blocks(_body(page.root, kept), is_furniture)))
    return list(blocks(page.root, is_furniture)) or list(blocks(page.root))


def _prose(root: Element, skip: Callable[[Element], bool] | None = None) -> dict[Element, int]:
    """Return the characters of prose in each element that has any."""
    weights: dict[Element, int] = {}
    for block in blocks(root, skip or (lambda _: False)):
        if is_prose(block):
            weights[block.element] = weights.get(block.element, 0) + len(block.text)
    for element in reversed(list(root.elements())):
        if element.parent is not None and element in weights:
            weights[element.parent] = weights.get(element.parent, 0) + weights[element]
    return weights


def is_prose(block: Block) -> bool:
    """Whether a block reads like a paragraph."""
    return (
        len(block.text) >= _MIN_PROSE
        and block.linked < _MAX_LINKED
        and _SENTENCE.search(block.text) is not None
    )


def _body(root: Element, weights: Mapping[Element, int]) -> Element:
    """Return the element that holds the article: a named one, or the deepest with most prose."""
    total = weights.get(root, 0)
    named = [
        element
        for element in root.elements()
        if weights.get(element, 0) >= _NAMED[_rank(element)] * total
    ]
    body = max(named, key=lambda element: (_rank(element), weights[element]), default=root)
    body = _with_siblings(body, root, weights)
    while True:
        inside = [part for part in body.parts if isinstance(part, Element)]
        largest = max(inside, key=lambda part: weights.get(part, 0), default=None)
        if largest is None or weights.get(largest, 0) < _DESCEND * weights.get(body, 0):
            return body
        body = largest


def _with_siblings(body: Element, root: Element, weights: Mapping[Element, int]) -> Element:
    """Return what holds an article that is cut into several elements of the same name."""
    same = (body.tag, body.marks)
    peers = sum(weights.get(part, 0) for part in root.elements() if (part.tag, part.marks) == same)
    around = body
    while around.parent is not None and weights.get(around, 0) < peers:
        around = around.parent
    return around if weights.get(around, 0) * _MOSTLY <= peers else body


def _rank(element: Element) -> int:
    """Return how clearly an element says that it is the article, as an index of `_NAMED`."""
    if _matches("article", element.marks):
        return 2
    return element.tag == "article"


def _is_furniture(element: Element) -> bool:
    if element.tag in _ARTICLE_TAGS:  # their classes name what is inside
        return False
    return element.tag in _FURNITURE_TAGS or _matches("furniture", element.marks)


def _neat(found: Sequence[Block]) -> list[Block]:
    """Remove lines that are furniture, and what follows the article."""
    total = sum(len(block.text) for block in found if is_prose(block))
    kept: list[Block] = []
    before = 0
    for block in found:
        if _ends_page(block) and before > _MOST * total:
            break
        if is_prose(block):
            before += len(block.text)
        if not _is_line_of_furniture(block):
            kept.append(block)
    while kept and kept[-1].is_heading:
        kept.pop()
    return kept


def _ends_page(block: Block) -> bool:
    text = block.text.lower().strip(" :.!?…»>")
    return len(text) <= 80 and _line("page_ends").fullmatch(text) is not None


def _is_line_of_furniture(block: Block) -> bool:
    text = block.text
    if block.element.tag == "h1":
        return True  # the title
    if block.linked > _MOSTLY_LINKED and len(text) < _LONG_LINE and not block.is_heading:
        return True
    if not any(map(str.isalnum, text)):
        return True
    return len(text) < _LONG_LINE and _line("furniture_lines").fullmatch(text.lower()) is not None


@cache
def _line(name: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in lines(name)), re.DOTALL)


def _matches(name: str, marks: str) -> bool:
    return len(marks) > 2 and _marks(name).search(marks) is not None


@cache
def _marks(name: str) -> re.Pattern[str]:
    return re.compile(f"-(?:{'|'.join(lines(name))})(?=-)")
