"""File names for the pages of students."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

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
