"""Failures as people and programs read them: one line, as a page or as JSON."""

from html import escape

from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import Scope

_TITLES = {
    400: "That did not work",
    401: "Please log in",
    403: "Not allowed",
    404: "Not found",
    413: "Too large",
    429: "Too many attempts",
    503: "Busy",
}

_PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · commonground</title><link rel="stylesheet" href="/static/report/page.css">
<link rel="stylesheet" href="/static/base.css"></head>
<body><main id="main"><h1>{title}</h1><p role="alert">{words}</p>
<p><a href="/">To the first page</a></p></main></body>
</html>
"""


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
    return HTMLResponse(_PAGE.format(title=title, words=escape(words)), status, headers)
