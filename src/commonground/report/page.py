"""Shared parts of every page: the HTML shell, the style sheet, and page file names."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final

_MAX_NAME: Final = 50  # characters of a page's file name; a file system takes 255 bytes
# Device names on Windows, reserved with any suffix, and the page of the class.
_RESERVED: Final = {"con", "prn", "aux", "nul", "index"} | {
    f"{device}{number}" for device in ("com", "lpt") for number in range(10)
}


def html_page(title: str, style: str, body: Iterable[str], head: str = "") -> str:
    """Return a standalone HTML document.

    Args:
        title: Plain text.
        style: CSS rules in addition to the common ones.
        body: Parts of the page as HTML; empty parts are skipped.
        head: Additional HTML for the head.
    """
    parts = "\n".join(part for part in body if part)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{head}<title>{escape(title)}</title>\n<style>{page_style()}{style}</style>\n</head>\n"
        f"<body>\n<main>\n{parts}\n</main>\n</body>\n</html>\n"
    )


@cache
def page_style() -> str:
    """Return the CSS rules that all pages share."""
    return report_data("page.css")


def report_data(name: str, folder: str = "data") -> str:
    """Return a style sheet or script of this package, starting on a new line."""
    return "\n" + (Path(__file__).parent / folder / name).read_text("utf-8")


def asset(name: str) -> str:
    """Return a style sheet or script of one kind of page."""
    return report_data(name, "assets")


def wordings(items: Iterable[Mapping[str, Any]], origin: str = "reference") -> str:
    """Return the `text` of each item as a list, numbered by its `origin`."""
    lines = "".join(
        f'<li><span class="number" title="{origin.capitalize()} {item[origin] + 1}">'
        f'{item[origin] + 1}</span><span dir="auto">{escape(item["text"])}</span></li>'
        for item in items
    )
    return f'<ol class="wordings">{lines}</ol>'


def bar(share: float) -> str:
    """Return a share as a bar, hidden from screen readers: print the number beside it.

    It has no style attribute, which a strict content security policy would block.
    """
    return (
        '<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect width="{100 * min(max(share, 0), 1):.1f}" height="1"/></svg>'
    )


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun.

    Example:
        >>> counted(1, "unit"), counted(3, "unit"), counted(2, "summary", "summaries")
        ('1 unit', '3 units', '2 summaries')
    """
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def page_names(names: Sequence[str]) -> list[str]:
    """Return a unique file name for each student's page, valid on every system.

    Example:
        >>> page_names(["Anna B", "anna b", "index"])
        ['Anna-B.html', 'anna-b-2.html', 'index-2.html']
    """
    taken = set(_RESERVED)
    pages = []
    for name in names:
        words = re.sub(r"[^\w-]+", "-", unicodedata.normalize("NFC", name))
        page = base = words.strip("-_")[:_MAX_NAME].rstrip("-_") or "student"
        number = 1
        while page.casefold() in taken:
            number += 1
            page = f"{base}-{number}"
        taken.add(page.casefold())
        pages.append(f"{page}.html")
    return pages
