"""The visible text of HTML pages."""

import re
from html.parser import HTMLParser

_BLANK_LINES = re.compile(r"\n\s*\n\s*")


def visible_text(page: str) -> str:
    """Return the text of an HTML page without its head, scripts and styles.

    Example:
        >>> visible_text("<html><head><title>T</title></head><body><p>Rain &amp; snow</p></body>")
        'Rain & snow'
    """
    reader = _Words()
    reader.feed(_ended(page))
    reader.close()
    return paragraphs("".join(reader.parts))


def _ended(page: str) -> str:
    """Return the page with comments and tags that never end as text.

    The parser would search the rest of the page once for each of them.
    """
    for start, end in (("<!--", "-->"), ("<", ">")):
        ends = page.rfind(end) + 1
        page = page[:ends] + page[ends:].replace(start, f"&lt;{start[1:]}")
    return page


def paragraphs(text: str) -> str:
    """Strip each line, and reduce several blank lines to one."""
    lines = "\n".join(line.strip() for line in text.split("\n"))
    return _BLANK_LINES.sub("\n\n", lines).strip()


class _Words(HTMLParser):
    """Collects visible text, with a blank line between blocks."""

    _UNSEEN = frozenset(("script", "style", "head", "template", "noscript", "svg"))
    _BLOCKS = re.compile(
        "address|article|aside|blockquote|br|dd|div|dl|dt|fig.*|footer|h[1-6]|header|hr|li|main|nav"
        "|ol|p|pre|section|table|td|th|tr|ul"
    )

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._unseen: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in self._UNSEEN:
            self._unseen.append(tag)
        elif tag == "body":
            self._unseen.clear()  # a head may have been left open
        elif self._BLOCKS.fullmatch(tag):
            self.parts.append("\n" if tag == "br" else "\n\n")

    def handle_endtag(self, tag: str) -> None:
        if self._unseen and tag == self._unseen[-1]:
            self._unseen.pop()
        elif self._BLOCKS.fullmatch(tag):
            self.parts.append("\n\n")

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.parts.append(re.sub(r"\s+", " ", data))
