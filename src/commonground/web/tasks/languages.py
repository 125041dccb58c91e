"""Notices about texts in a language that the models do not know."""

from collections.abc import Iterable
from typing import Any, Final

from commonground.text import language_notices

_MOST: Final = 5


def notices_of(texts: Iterable[tuple[str, str]]) -> list[dict[str, Any]]:
    """Return a notice for each named text, as plain values; more than five are counted."""
    found = language_notices(texts)
    more = len(found) - _MOST
    counted = {"message": f"{more:,} more {'text is' if more == 1 else 'texts are'} like that."}
    return [notice.to_dict() for notice in found[:_MOST]] + ([counted] if more > 0 else [])
