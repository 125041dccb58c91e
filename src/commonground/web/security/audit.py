"""Which requests leave a line in the audit log: deletions, exports, shares, invitations."""

import re
from typing import Final

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.types import Message, Send

from commonground.database import Session, hashed, record

_ACTIONS: Final = tuple(
    (method, re.compile(path), action)
    for method, path, action in (
        ("DELETE", r"/api/annotate/projects/(\d+)", "project deleted"),
        ("GET", r"/annotate/projects/(\d+/[^/]+\.[a-z]+)", "project exported"),
        ("POST", r"/api/annotate/projects/(\d+)/annotators", "annotator invited"),
        ("POST", r"/api/annotate/projects/(\d+/annotators/\d+)/link", "annotator invited again"),
        ("DELETE", r"/api/annotate/projects/(\d+/annotators/\d+)/link", "annotator's link closed"),
        ("PUT", r"/api/annotate/projects/(\d+)/shares/(\w+)", "project shared"),
        ("DELETE", r"/api/annotate/projects/(\d+)/shares/(\w+)", "project no longer shared"),
        ("DELETE", r"/api/saved/([^/]+)", "result deleted"),
        ("PUT", r"/api/saved/([^/]+)/shares/(\w+)", "result shared"),
        ("DELETE", r"/api/saved/([^/]+)/shares/(\w+)", "result no longer shared"),
        ("GET", r"/saved/([^/]+)/[^/]+\.[a-z]+", "result exported"),
        ("POST", r"/api/pyramid/(scores\.csv|sheets\.zip)", "students' scores exported"),
        ("GET", r"/people/(log\.[a-z]+)", "audit log exported"),
    )
)


def audited(method: str, path: str) -> tuple[str, str] | None:
    """Return the action and the ids of a request that is recorded, or None.

    The link of a result opens it, so the log has a part of the link's hash instead.

    Example:
        >>> audited("DELETE", "/api/annotate/projects/7")
        ('project deleted', 'project 7')
        >>> audited("PUT", "/api/annotate/projects/7/shares/3")
        ('project shared', 'project 7, account 3')
        >>> audited("POST", "/api/pyramid/sheets.zip")
        ("students' scores exported", 'sheets.zip')
        >>> audited("GET", "/annotate/projects/7")
    """
    for known, pattern, action in _ACTIONS:
        if known != method or not (found := pattern.fullmatch(path)):
            continue
        first, *rest = found.groups()
        if action.startswith("result"):
            first = result_subject(first)
        elif "/projects/" in path:
            first = f"project {first}"
        who = "".join(f", {one}" if one == "everyone" else f", account {one}" for one in rest)
        return action, f"{first}{who}"
    return None


def recording(request: Request, session: Session | None, send: Send) -> Send:
    """Return `send` for a request that is recorded once it succeeds, before its response."""
    found = audited(request.method, request.scope["path"])
    if session is None or found is None:
        return send

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] < 400:
            await run_sync(record, request.app.state.database, session.actor, *found)
        await send(message)

    return sending


def result_subject(link: str) -> str:
    """Return the subject of lines about a saved result: part of the hash of its link."""
    return f"result {hashed(link)[:12]}"
