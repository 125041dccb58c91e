"""Dependencies of page functions, pages from templates, and error responses."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import Depends, HTTPException, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from fastapi.templating import Jinja2Templates
from starlette.types import Scope

from commonground.database import Database, Session, has_accounts
from commonground.errors import shortened
from commonground.version import __version__
from commonground.web.jobs import Jobs
from commonground.web.names import seen_day, seen_name

DATA: Final = Path(__file__).parent / "data"
"""The worked examples."""

_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("Firefox", "Firefox"),
    ("Chrom", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS", "Mac"),
    ("Linux", "Linux"),
)


def browser_name(agent: str) -> str:
    """Return a browser's name for people, from its User-Agent.

    Example:
        >>> browser_name("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
        'Firefox on Linux'
    """
    names = (
        next((name for sign, name in known if sign in agent), "") for known in (_BROWSERS, _SYSTEMS)
    )
    return " on ".join(filter(None, names)) or "unknown browser"


_templates = Jinja2Templates(Path(__file__).parent / "templates")
_templates.env.globals["version"] = __version__
_templates.env.filters["browser"] = browser_name
_templates.env.filters["day"] = seen_day
_templates.env.filters["seen"] = seen_name

_MAX_MESSAGE: Final = 600
_TITLES: Final = {
    400: "That did not work",
    401: "Your session has ended",
    403: "Not allowed",
    404: "Not found",
    408: "Too slow",
    413: "Too large",
    429: "Too many attempts",
    503: "Busy",
    507: "The disk is full",
}

_MESSAGES: Final = {
    "missing": "{what} is missing.",
    "too_short": "{what}: at least {min_length} needed.",
    "too_long": "{what}: at most {max_length} allowed.",
    "string_too_long": "{what} is too long: {length:,} characters (limit {max_length:,}).",
    "int_type": "{what} must be a whole number.",
    "int_parsing": "{what} must be a whole number.",
    "int_from_float": "{what} must be a whole number.",
    "greater_than_equal": "{what} must be at least {ge}.",
    "less_than_equal": "{what} must be at most {le}.",
}
"""Messages for invalid values, by pydantic's error type."""

SESSION_ENDED: Final = "Your session has ended. Log in again."


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Render a template, which also gets the session, the path and the root path of links."""
    session = getattr(request.state, "session", None)
    state = request.app.state
    settings = state.settings

    def has_people() -> bool:  # called only by templates that ask: it reads the database
        return settings.has_login and (settings.accounts or has_accounts(state.database))

    context = {
        "session": session,
        "root": settings.root_path,
        "path": request.scope["path"],
        "locked": settings.has_login,
        "has_people": has_people,
        "access": getattr(request.state, "access", None),
        "open": settings.is_open,
        "provider": settings.oidc.host if settings.oidc else "",
        "by_token": state.token is not None,
        **values,
    }
    return _templates.TemplateResponse(request, template, context, status_code=status)


def failure(
    scope: Scope, status: int, message: str, headers: Mapping[str, str] | None = None
) -> Response:
    """Return an error response with a one-line message: JSON below `/api/`, else a page."""
    message = sentence(shortened(message, _MAX_MESSAGE))  # it may quote what was sent
    if scope["path"].startswith("/api/"):
        return JSONResponse({"error": message}, status, headers)
    title = _TITLES.get(status, "Something went wrong")
    response = page(Request(scope), "failure.html", status, title=title, message=message)
    response.headers.update(headers or {})
    return response


def sentence(message: str) -> str:
    """Return a message with a capital letter, unless it begins with a name of a file or field.

    Example:
        >>> sentence("the date has passed"), sentence("notes.txt is empty")
        ('The date has passed', 'notes.txt is empty')
    """
    first, _, rest = message.partition(" ")
    return (
        f"{first.capitalize()} {rest}" if rest and first.isalpha() and first.islower() else message
    )


def validation_message(error: Mapping[str, Any]) -> str:
    """Return a readable message for one of pydantic's errors; our own messages stay unchanged.

    Example:
        >>> location = ("body", "narratives", 1, "text")
        >>> validation_message({"type": "missing", "loc": location, "msg": "Field required"})
        'Text 2 is missing.'
    """
    kind, message = str(error["type"]), str(error["msg"])
    if kind == "value_error":
        return message.removeprefix("Value error, ")
    what = _field_name([part for part in error["loc"] if part != "body"])
    if kind not in _MESSAGES:
        return f"{what}: {message}" if what else message
    value = error.get("input")
    length = len(value) if isinstance(value, str) else 0
    return _MESSAGES[kind].format(what=what or "This", length=length, **error.get("ctx", {}))


def _field_name(location: list[str | int]) -> str:
    """Name a field of a request; a `text` is named after its parent."""
    if len(location) > 1 and location[-1] == "text":
        location = location[:-1]
    names: list[str] = []
    for part in location:
        if isinstance(part, int) and names:
            names[-1] = f"{names[-1].removesuffix('s')} {part + 1}"
        else:
            names.append(seen_name(str(part).replace("_", " ")))
    name = ", ".join(names)
    return name[:1].upper() + name[1:]


def _session(request: Request) -> Session:
    session: Session | None = getattr(request.state, "session", None)
    if session is None:  # only on pages that the gate opens to everyone
        raise HTTPException(401, SESSION_ENDED)
    return session


def _jobs(request: Request) -> Jobs:
    jobs: Jobs = request.app.state.jobs
    return jobs


def _database(request: Request) -> Database:
    database: Database = request.app.state.database
    return database


CurrentSession = Annotated[Session, Depends(_session)]
"""The session, already checked by the gate."""

TheJobs = Annotated[Jobs, Depends(_jobs)]
"""The pool of workers."""

TheDatabase = Annotated[Database, Depends(_database)]
"""The database."""
