"""Markdown of users as HTML that is safe to show."""

from functools import cache

from markdown_it import MarkdownIt
from markupsafe import Markup

_FIRST_HEADING = 3  # below the headings of the page
_LAST_HEADING = 6


def rendered(text: str) -> Markup:
    """Return Markdown as HTML: tags in the text are shown as text, images are not loaded.

    Links open in a new tab, so that nobody leaves their work.

    Example:
        >>> print(rendered("# Read <b>twice</b>"))
        <h3>Read &lt;b&gt;twice&lt;/b&gt;</h3>
        <BLANKLINE>
    """
    parser = _parser()
    tokens = parser.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            level = min(int(token.tag[1]) + _FIRST_HEADING - 1, _LAST_HEADING)
            token.tag = f"h{level}"
        for child in token.children or ():
            if child.type == "link_open":
                child.attrs.update(target="_blank", rel="noopener noreferrer nofollow")
    return Markup(parser.renderer.render(tokens, parser.options, {}))  # escaped by the parser


@cache
def _parser() -> MarkdownIt:
    # The preset turns HTML off; its links never run scripts.
    return MarkdownIt("js-default", {"breaks": True}).disable("image")
