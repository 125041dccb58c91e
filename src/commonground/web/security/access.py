"""Which paths are open to whom. What stands in no list is the owner's alone.

A path ending in `/` stands for all below it.
"""

from typing import Final

from commonground.annotate.database import Session

ANYONE: Final = ("/static/", "/login", "/kept/", "/invite/")
"""Without any session: how to come in, and what was shared by a link that cannot be guessed."""

ENTRANCES: Final = ("/login", "/invite/")
"""Where a form may be sent before there is a session whose token it could carry."""

WORK: Final = ("/annotate/work/", "/api/annotate/work/")
"""Where annotators label, and the owner has nothing to do."""

ANNOTATORS: Final = (*WORK, "/logout")
"""For those who came by an invitation, beside what is open to anyone."""


def matches(path: str, wanted: tuple[str, ...]) -> bool:
    """Whether a path is one of these, or below one."""
    return any(path == one or (one.endswith("/") and path.startswith(one)) for one in wanted)


def may_see(session: Session | None, path: str) -> bool:
    """Whether this visitor may ask for this path at all."""
    if matches(path, ANYONE):
        return True
    if session is None:
        return False
    return session.role == "owner" or (session.role == "annotator" and matches(path, ANNOTATORS))
