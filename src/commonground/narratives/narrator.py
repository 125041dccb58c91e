"""Who tells it: the "I" of one narrative is not the "I" of another, nor is its "we"."""

import re

_ONE = re.compile(r"\b(?:I|(?i:me|my|mine|myself))\b")
_GROUP = re.compile(r"\b(?i:we|our|ours|ourselves)\b|\bus\b")
_QUOTED = re.compile('"[^"]*"|“[^”]*”|«[^»]*»')
_QUOTES = re.compile('["“”«»]')


def speaks_of_self(text: str) -> bool:
    """Whether a narrator speaks of himself or herself, outside of what is quoted.

    Example:
        >>> speaks_of_self("I called an ambulance."), speaks_of_self('He said: "I called."')
        (True, False)
    """
    return _found(_ONE, text)


def speaks_as_group(text: str) -> bool:
    """Whether it says "we", as a firm or a club does of itself.

    Example:
        >>> speaks_as_group("We keep your data for a year."), speaks_as_group("US troops left.")
        (True, False)
    """
    return _found(_GROUP, text)


def _found(pattern: re.Pattern[str], text: str) -> bool:
    """A text with half a quotation is taken for a quotation."""
    told = _QUOTED.sub(" ", text)
    return pattern.search(told) is not None and _QUOTES.search(told) is None
