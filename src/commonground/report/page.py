"""What every page has: the shell, the colours, small words, and names of files."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final


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
        f"{head}<title>{escape(title)}</title>\n<style>{page_style()}{style}</style>\n</head>\n"
        "<body>\n<main>\n"
        + "\n".join(part for part in body if part)
        + "\n</main>\n</body>\n</html>\n"
    )


@cache
def page_style() -> str:
    """The rules that all pages share."""
    return report_data("page.css")


def report_data(name: str) -> str:
    """A file of the package that goes into pages, from a new line on."""
    return "\n" + (Path(__file__).parent / "data" / name).read_text("utf-8")


def wordings(contributors: Iterable[Mapping[str, Any]]) -> str:
    """A unit in the words of the references, each with the number of its reference."""
    lines = "".join(
        f'<li><span class="number" title="Reference {one["reference"] + 1}">'
        f'{one["reference"] + 1}</span><span dir="auto">{escape(one["text"])}</span></li>'
        for one in contributors
    )
    return f'<ol class="wordings">{lines}</ol>'


def bar(share: float) -> str:
    """A share as a bar, for the eyes only: its number must stand beside it.

    Drawn without a style attribute, which a page with a strict policy would not take.
    """
    return (
        '<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect width="{100 * min(max(share, 0), 1):.1f}" height="1"/></svg>'
    )


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun.

    Example:
        >>> counted(1, "unit"), counted(3, "unit"), counted(2, "summary", "summaries")
        ('1 unit', '3 units', '2 summaries')
    """
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


_LONGEST: Final = 50  # characters of a page's name; a file system takes 255 bytes
# Names that Windows keeps for devices, whatever the suffix; and the page of the class.
_TAKEN: Final = {"con", "prn", "aux", "nul", "index"} | {
    f"{device}{number}" for device in ("com", "lpt") for number in range(10)
}


def page_names(names: Sequence[str]) -> list[str]:
    """A file name for each student's page: safe on every system, no two alike.

    Example:
        >>> page_names(["Anna B", "anna b", "index"])
        ['Anna-B.html', 'anna-b-2.html', 'index-2.html']
    """
    taken = set(_TAKEN)
    found = []
    for name in names:
        words = re.sub(r"[^\w-]+", "-", unicodedata.normalize("NFC", name))
        base = words.strip("-_")[:_LONGEST].rstrip("-_") or "student"
        page, number = base, 1
        while page.casefold() in taken:
            number += 1
            page = f"{base}-{number}"
        taken.add(page.casefold())
        found.append(f"{page}.html")
    return found
