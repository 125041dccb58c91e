"""Failures as people and programs read them: one line, as a page or as JSON."""

from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Scope

from commonground.web.context import page

_TITLES = {
    400: "That did not work",
    401: "Your session is over",
    403: "Not allowed",
    404: "Not found",
    408: "Too slow",
    413: "Too large",
    429: "Too many attempts",
    503: "Busy",
}

_PLAIN: Final = {
    "missing": "{what} is missing",
    "too_short": "{what}: {min_length} or more are needed",
    "too_long": "{what}: {max_length} are the most",
    "string_too_long": "{what} has {length:,} letters; {max_length:,} are the most",
    "int_type": "{what} must be a whole number",
    "int_parsing": "{what} must be a whole number",
    "int_from_float": "{what} must be a whole number",
    "greater_than_equal": "{what} must be {ge} or more",
    "less_than_equal": "{what} must be {le} or less",
}
"""What is wrong with a value, by pydantic's name for it."""


def failure(
    scope: Scope, status: int, words: str, headers: dict[str, str] | None = None
) -> Response:
    """The answer to a request that failed: JSON below `/api/`, else a page.

    Args:
        scope: The request's.
        status: Of HTTP.
        words: Plain text, one line.
        headers: More of them.
    """
    if scope["path"].startswith("/api/"):
        return JSONResponse({"error": words}, status, headers)
    title = _TITLES.get(status, "Something went wrong")
    answer = page(Request(scope), "failure.html", status, title=title, words=words)
    answer.headers.update(headers or {})
    return answer


def plain_words(wrong: Mapping[str, Any]) -> str:
    """One of pydantic's errors as people say it; our own words stay as they are.

    Example:
        >>> place = ("body", "narratives", 1, "text")
        >>> plain_words({"type": "missing", "loc": place, "msg": "Field required"})
        'Narrative 2 is missing'
    """
    kind, words = str(wrong["type"]), str(wrong["msg"])
    if kind == "value_error":
        return words.removeprefix("Value error, ")
    what = _what([part for part in wrong["loc"] if part != "body"])
    if kind not in _PLAIN:
        return f"{what}: {words}" if what else words
    given = wrong.get("input")
    length = len(given) if isinstance(given, str) else 0
    return _PLAIN[kind].format(what=what or "This", length=length, **wrong.get("ctx", {}))


def _what(place: list[str | int]) -> str:
    """The part of a request that a place leads to; a text is called after what it belongs to."""
    if len(place) > 1 and place[-1] == "text":
        place = place[:-1]
    names: list[str] = []
    for part in place:
        if isinstance(part, int) and names:
            names[-1] = f"{names[-1].removesuffix('s')} {part + 1}"
        else:
            names.append(str(part).replace("_", " "))
    found = ", ".join(names)
    return found[:1].upper() + found[1:]
