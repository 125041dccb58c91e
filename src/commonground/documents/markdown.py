"""Markdown as text, and the front matter of any text."""

import re
from typing import Final

from commonground.documents.html import all_blocks, joined
from commonground.documents.result import Extracted

# A key, or the list, folded text or comment below one.
_YAML: Final = re.compile(r"[\w-]+[ \t]*:|[ \t#-]|$")
_TITLE: Final = re.compile(r"^title[ \t]*:[ \t]*(?P<title>\S.*)$", re.MULTILINE | re.IGNORECASE)


def without_front_matter(text: str) -> tuple[str, str]:
    r"""Return a text without the YAML before it, and the title that it gives.

    Example:
        >>> without_front_matter("---\ntitle: 'Rain'\ntags: [a]\n---\n\nIt rained.")
        ('It rained.', 'Rain')
        >>> without_front_matter("---\nIt rained.\n---\n")
        ('---\nIt rained.\n---\n', '')
    """
    first, *rest = text.split("\n")
    ends = (number for number, line in enumerate(rest) if line.rstrip() in ("---", "..."))
    end = next(ends, None) if first.rstrip() == "---" else None
    if not end or ":" not in rest[0] or not all(map(_YAML.match, rest[:end])):
        return text, ""
    title = _TITLE.search("\n".join(rest[:end]))
    words = title["title"].strip().strip("\"'").strip() if title else ""
    return "\n".join(rest[end + 1 :]).lstrip("\n"), words


def extract_markdown(text: str) -> Extracted:
    r"""Return the title and the text of Markdown, rendered as CommonMark with tables.

    A first-level heading at the top is the title, and not part of the text.

    Example:
        >>> extract_markdown("# Rain\n\nIt *rained* on [Monday](http://example.org/).")
        Extracted(text='It rained on Monday.', title='Rain', kind='markdown')
    """
    from markdown_it import MarkdownIt

    body, title = without_front_matter(text)
    found = all_blocks(MarkdownIt("commonmark").enable("table").render(body))
    headings = [block for block in found if block.element.tag == "h1"]
    if len(headings) == 1 and found[0] is headings[0] and len(found) > 1:
        title = title or found[0].text
        found = found[1:]
    return Extracted(joined(found), title, "markdown")
