"""How much a request may bring, counted while it comes in."""

from typing import Final

from fastapi import HTTPException
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from commonground.web._respond import failure

MOST: Final = 4_000_000
"""Bytes of a request, where nothing else is said."""

LIMITS: Final = {"/api/text": 25_000_000, "/api/annotate/projects": 50_000_000}
"""Bytes by path, where a page takes in whole files."""


class BodyLimit:
    """Answers 413 to a request that is too large, at once or when it has become so."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = LIMITS.get(scope["path"], MOST)
        said = Headers(scope=scope).get("content-length", "0")
        if not said.isdecimal() or int(said) > most:
            await failure(scope, 413, _words(most))(scope, receive, send)
            return
        count = 0

        async def counted() -> Message:
            nonlocal count
            message = await receive()
            count += len(message.get("body", b""))
            if count > most:
                raise HTTPException(413, _words(most))
            return message

        await self._app(scope, counted, send)


def _words(most: int) -> str:
    return f"That is too large: at most {most / 1e6:.0f} MB at a time."
