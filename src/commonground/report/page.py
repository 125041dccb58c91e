"""Shared parts of every page: the HTML shell, templates, style sheets, and page file names."""

import re
import unicodedata
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from commonground.report.ideas import has_context, idea_parts

if TYPE_CHECKING:
    from jinja2 import Environment

_FOLDER: Final = Path(__file__).parent
_MAX_NAME: Final = 50  # characters of a page's file name; a file system takes 255 bytes
# Device names on Windows, reserved with any suffix, and the page of the class.
_RESERVED: Final = {"con", "prn", "aux", "nul", "index"} | {
    f"{device}{number}" for device in ("com", "lpt") for number in range(10)
}


def html_page(title: str, style: str, body: str, head: str = "") -> str:
    """Return a standalone HTML document.

    Args:
        title: Plain text.
        style: CSS rules in addition to the common ones.
        body: The content as HTML.
        head: Additional HTML for the head.
    """
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'{head}<link rel="icon" href="{_icon()}">\n'
        f"<title>{escape(title)}</title>\n<style>{asset('page.css')}{style}</style>\n"
        f"</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


@cache
def _icon() -> str:
    """Return the mark as a data address."""
    return f"data:image/svg+xml;base64,{b64encode(asset('mark.svg').strip().encode()).decode()}"


@cache
def asset(name: str) -> str:
    """Return a style sheet, script or image, starting on a new line.

    Args:
        name: A file in `assets`: `page.css` has the rules that all pages share.
    """
    return "\n" + (_FOLDER / "assets" / name).read_text("utf-8")


def render(template: str, **values: Any) -> str:
    """Return a file of `templates` filled with values, which are escaped."""
    return _environment().get_template(template).render(values)


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_FOLDER / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    shared = (asset, counted, flat, has_context, idea_parts, percent)
    environment.globals.update({function.__name__: function for function in shared})
    return environment


def flat(text: str) -> str:
    """Return the text on one line, however it was wrapped."""
    return " ".join(text.split())


def percent(share: float) -> str:
    """Return a share in whole percent."""
    return f"{share:.0%}"


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
