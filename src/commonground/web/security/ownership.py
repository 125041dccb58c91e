"""Which project or result a path is about, and whether the session may use it.

The gate asks this for every request, so no page can forget the check. A path below one of the
folders that does not name an id exactly as we write them leads nowhere: a page might read it as
another number.
"""

import re
from typing import Final, NamedTuple
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from commonground.database import Database, Session, Thing, access_to, is_public
from commonground.web.context import failure

_PROJECT: Final = re.compile(r"/(?:api/)?annotate/projects/(?P<id>[^/]*)(?P<rest>/.*)?")
_SAVED: Final = re.compile(r"/api/saved/(?P<link>[^/]*)(?P<rest>/.*)?")
_LINK: Final = re.compile(r"/saved/(?P<link>[^/]+)(?:/.*)?", re.DOTALL)
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,9}")
_NO_PROJECT: Final = "This project does not exist, or it is not shared with you."
_CHOSEN_PEOPLE: Final = "Only people with whom this result is shared can view it. Ask its owner."
NO_RESULT: Final = "This link does not exist, has expired or was deleted."
_LARGEST: Final = 2**31 - 1  # in PostgreSQL


class Claim(NamedTuple):
    """What a request wants to use, and whether only its owner may."""

    thing: Thing | None  # None: nothing has such an id
    by_owner: bool


def claim(method: str, path: str) -> Claim | None:
    """Return what a request wants to use; None if it is not a project or result.

    Example:
        >>> claim("GET", "/annotate/projects/7/labels.csv")
        Claim(thing=Thing(project=7, saved=None), by_owner=False)
        >>> claim("DELETE", "/api/annotate/projects/7")
        Claim(thing=Thing(project=7, saved=None), by_owner=True)
        >>> claim("GET", "/annotate/projects/+7")
        Claim(thing=None, by_owner=False)
    """
    if found := _PROJECT.fullmatch(path):
        number, rest = found["id"], found["rest"] or ""
        known = _NUMBER.fullmatch(number) and int(number) <= _LARGEST
        by_owner = (method == "DELETE" and not rest) or _is_sharing(rest)
        return Claim(Thing(project=int(number)) if known else None, by_owner)
    if found := _SAVED.fullmatch(path):
        link = found["link"]
        known = bool(link) and link.isascii() and link.isprintable()
        return Claim(Thing(saved=link) if known else None, by_owner=True)
    return None


def ownership_refusal(request: Request, session: Session) -> Response | None:
    """Return the response to a request for what is not the session's, or None."""
    wanted = claim(request.method, request.scope["path"])
    if wanted is None:
        return None
    database: Database = request.app.state.database
    access = access_to(database, session.viewer, wanted.thing) if wanted.thing else None
    request.state.access = access  # for the page: what it may offer
    is_project = request.scope["path"].startswith(("/annotate/", "/api/annotate/"))
    if access is None:  # the same words for what is another's and what does not exist
        return failure(request.scope, 404, _NO_PROJECT if is_project else NO_RESULT)
    if wanted.by_owner and access != "owner":
        return failure(request.scope, 403, "This is shared with you. Only its owner may do that.")
    return None


def link_refusal(request: Request, session: Session | None) -> Response | None:
    """Return the response to whoever may not open the link of a saved result, or None.

    A link that is not public is for the owner, those with whom the result is shared, and
    administrators who have the link. A visitor may be one of them, and is asked to log in.
    """
    found = _LINK.fullmatch(request.scope["path"])
    link = found["link"] if found else ""
    if not link.isascii() or not link.isprintable():
        return None  # no result has such a link
    database: Database = request.app.state.database
    if is_public(database, link):
        return None
    if session is None:
        return login_first(request)
    if session.is_administrator:
        return None
    if session.is_user and access_to(database, session.viewer, Thing(saved=link)):
        return None
    return failure(request.scope, 403, _CHOSEN_PEOPLE)


def login_first(request: Request) -> Response:
    """Redirect to the login page, which leads back."""
    path, query = request.scope["path"], request.scope["query_string"].decode("latin-1")
    target = f"{path}?{query}" if query else path
    return RedirectResponse(f"/login?next={quote(target, safe='')}", 303)


def _is_sharing(rest: str) -> bool:
    return rest == "/shares" or rest.startswith("/shares/")
