"""Detect narrators: the "I" or "we" of one narrative is not that of another."""

import re

_ONE = re.compile(r"\b(?:I|(?i:me|my|mine|myself))\b")
_GROUP = re.compile(r"\b(?i:we|our|ours|ourselves)\b|\bus\b")
_QUOTED = re.compile('"[^"]*"|“[^”]*”|«[^»]*»')
_QUOTES = re.compile('["“”«»]')


def speaks_of_self(text: str) -> bool:
    """Whether a text uses "I" outside quotations.

    Example:
        >>> speaks_of_self("I called an ambulance."), speaks_of_self('He said: "I called."')
        (True, False)
    """
    return _found(_ONE, text)


def speaks_as_group(text: str) -> bool:
    """Whether a text uses "we" outside quotations, as companies do.

    Example:
        >>> speaks_as_group("We keep your data for a year."), speaks_as_group("US troops left.")
        (True, False)
    """
    return _found(_GROUP, text)


def _found(pattern: re.Pattern[str], text: str) -> bool:
    """Whether a pattern occurs outside quotations; an open quotation counts as quoted."""
    unquoted = _QUOTED.sub(" ", text)
    return pattern.search(unquoted) is not None and _QUOTES.search(unquoted) is None
