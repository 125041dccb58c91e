"""The columns of a file with the summaries of many systems, and names that people give them."""

import json
import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Final

KINDS: Final = ("system", "id", "summary", "reference")

_NAMES: Final = Path(__file__).parent.parent / "data" / "column_names.json"
_CLOSE: Final = 0.85  # "sytem" is; "item" is not


def sheet_kind(name: str) -> str | None:
    """Return the kind of a table's column, or None if it is not read.

    Example:
        >>> [sheet_kind(name) for name in ("ID", "Reference 2", "notes")]
        ['id', 'reference', None]
    """
    plain = name.strip().lower()
    return "reference" if plain.startswith("reference") else value_kind(name)


def value_kind(name: str) -> str | None:
    """Return the kind of a JSON value by its name, or None if it is not read."""
    plain = re.sub("^references$", "reference", name.strip().lower())
    return plain if plain in KINDS else None


def likely_column(kind: str, names: Iterable[str]) -> str | None:
    """Return which of the columns that are not read seems to be of a kind.

    Example:
        >>> likely_column("system", ["date", "Model_Name"]), likely_column("id", ["date"])
        ('Model_Name', None)
    """
    plain = {re.sub(r"[\s_-]+", " ", name.strip().lower()): name for name in names}
    for other in _other_names()[kind]:
        if other in plain:
            return plain[other]
    close = get_close_matches(kind, plain, n=1, cutoff=_CLOSE)
    return plain[close[0]] if close else None


@cache
def _other_names() -> dict[str, list[str]]:
    names: dict[str, list[str]] = json.loads(_NAMES.read_text("utf-8"))
    return names
