"""The session's cookie."""

from starlette.requests import Request
from starlette.responses import Response


def session_cookie(name: str, secret: str, request: Request, *, days: int | None = None) -> str:
    """The value of a `Set-Cookie` header that no script can read and no other site can send.

    Args:
        name: Of the cookie.
        secret: What the session is found by; empty takes the cookie away.
        request: Whose scheme says whether the cookie is for https alone.
        days: How long the browser keeps it; until it is closed, unless said.
    """
    response = Response()
    seconds = 0 if not secret else None if days is None else days * 86400
    response.set_cookie(
        name,
        secret,
        max_age=seconds,
        path="/",
        httponly=True,
        samesite="strict",
        secure=request.scope["scheme"] == "https",
    )
    return response.headers["set-cookie"]
