"""What every page has: the shell, the colours, and small words."""

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, Final

_BASE: Final = """
:root { color-scheme: light dark; --page: #fff; --ink: #1c1c1e; --soft: #5c5f66;
  --card: #f4f5f7; --line: #c9ccd3; --accent: #2f6fb3; }
@media (prefers-color-scheme: dark) {
  :root { --page: #16181c; --ink: #ececf0; --soft: #a5a9b3; --card: #22252b; --line: #434853;
    --accent: #6aa7e8; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 72rem; background: var(--page);
  color: var(--ink); font: 1rem/1.45 system-ui, sans-serif; }
h1 { margin: 0 0 .25rem; font-size: 1.5rem; overflow-wrap: anywhere; }
.about, .signature { color: var(--soft); }
.signature { font-size: .8rem; overflow-wrap: anywhere; }
.number { flex: none; min-width: 1.6em; height: 1.6em; padding: 0 .35em;
  border-radius: .8em; text-align: center; background: var(--ink); color: var(--page);
  font-size: .85rem; }
.bar { display: inline-block; height: .6rem; border: 1px solid var(--soft); border-radius: .3rem;
  overflow: hidden; background: var(--page); print-color-adjust: exact; }
.bar span { display: block; height: 100%; width: var(--share); background: var(--accent); }
.wordings { list-style: none; margin: 0; padding: .2rem .7rem .6rem; }
.wordings li { display: flex; gap: .5rem; padding: .2rem 0; }
@media print {
  html { font-size: 10pt; }
  body { padding: 0; max-width: none; }
  details::details-content { display: block; content-visibility: visible; } }
"""


def html_page(title: str, style: str, body: Iterable[str], head: str = "") -> str:
    """A whole document that needs nothing else.

    Args:
        title: Plain text.
        style: Rules beside the common ones.
        body: The parts of the page as HTML; empty ones are left out.
        head: More elements for the head, as HTML.
    """
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{head}<title>{escape(title)}</title>\n<style>{_BASE}{style}</style>\n</head>\n"
        "<body>\n<main>\n"
        + "\n".join(part for part in body if part)
        + "\n</main>\n</body>\n</html>\n"
    )


def wordings(contributors: Iterable[Mapping[str, Any]]) -> str:
    """A unit in the words of the references, each with the number of its reference."""
    lines = "".join(
        f'<li><span class="number" title="Reference {one["reference"] + 1}">'
        f'{one["reference"] + 1}</span><span dir="auto">{escape(one["text"])}</span></li>'
        for one in contributors
    )
    return f'<ol class="wordings">{lines}</ol>'


def bar(share: float) -> str:
    """A share as a bar, for the eyes only: its number must stand beside it."""
    return (
        f'<span class="bar" aria-hidden="true"><span style="--share: {min(share, 1):.1%}"></span>'
        "</span>"
    )


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun.

    Example:
        >>> counted(1, "unit"), counted(3, "unit"), counted(2, "summary", "summaries")
        ('1 unit', '3 units', '2 summaries')
    """
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
