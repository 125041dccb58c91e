"""HTML pages: their charset, title and text."""

import re
from typing import Final

from commonground.documents.article import article
from commonground.documents.blocks import Block, blocks
from commonground.documents.page import Element, Page, parse
from commonground.documents.result import Extracted

_START: Final = 4096  # characters or bytes in which a page shows itself
_OPENING: Final = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_FRAGMENT: Final = re.compile(r"\s*<(?:article|div|main|p|section|h1)\b[^>]*>", re.IGNORECASE)
_CHARSET: Final = re.compile(
    rb"<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*[\"']?([\w.:-]+)", re.I
)
_SITE: Final = re.compile(r"\s+[|–—·•»:-]\s+")
_MAX_TITLE: Final = 200


def looks_like_html(text: str) -> bool:
    """Return whether a text is a page, or a fragment such as the copied source of an article.

    Example:
        >>> looks_like_html("<!DOCTYPE html><p>Rain."), looks_like_html("a <b> c </b>")
        (True, False)
    """
    start = text[:_START].lstrip("\ufeff")
    if _OPENING.match(start):
        return True
    fragment = _FRAGMENT.match(start)
    return fragment is not None and text.rstrip().endswith(">")


def declared_charset(content: bytes) -> str | None:
    """Return the charset that a page declares in its first bytes."""
    found = _CHARSET.search(content[:_START])
    return found[1].decode("ascii", "replace") if found else None


def extract_html(text: str) -> Extracted:
    """Return the title and the article of a page.

    Example:
        >>> extract_html("<title>Rain</title><body><nav>Home</nav><p>It rained &amp; snowed.</p>")
        Extracted(text='It rained & snowed.', title='Rain', kind='html')
    """
    page = parse(text)
    found = article(page)
    title = _title(page)
    if found and found[0].is_heading and found[0].text == title:
        found = found[1:] or found
    return Extracted(joined(found), title, "html")


def joined(found: list[Block]) -> str:
    """Return blocks as a text, with a blank line between them."""
    return "\n\n".join(block.text for block in found)


def all_blocks(text: str) -> list[Block]:
    """Return every visible block of a page or fragment."""
    return list(blocks(parse(text).root))


def _title(page: Page) -> str:
    """Return the only first-level heading, or what the head says without the name of the site."""
    headings = [element for element in page.root.elements() if element.tag == "h1"]
    heading = _words(headings[0]) if len(headings) == 1 else ""
    for title in (page.meta.get("og:title", ""), page.title):
        if title := " ".join(title.split()):
            site = " ".join(page.meta.get("og:site_name", "").split())
            return (heading or _without_site(title, site))[:_MAX_TITLE]
    return heading[:_MAX_TITLE]


def _words(element: Element) -> str:
    return " ".join(element.text().split())


def _without_site(title: str, site: str) -> str:
    pieces = _SITE.split(title)
    if len(pieces) > 1 and (pieces[-1] == site or len(pieces[-1]) < len(title) / 3):
        return title[: title.rindex(pieces[-1])].rstrip(" |–—·•»:-")
    return title
