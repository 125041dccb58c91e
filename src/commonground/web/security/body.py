"""How much a request may bring, and how slowly, counted while it comes in."""

from typing import Final

from anyio import current_time, fail_after
from fastapi import HTTPException
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from commonground.web.respond import failure

MOST: Final = 4_000_000
"""Bytes of a request, where nothing else is said."""

LIMITS: Final = {"/api/text": 25_000_000, "/api/annotate/projects": 50_000_000}
"""Bytes by path, where a page takes in whole files."""


QUIET_SECONDS: Final = 30.0
"""How long nothing may come, in the middle of a request."""

WHOLE_SECONDS: Final = 600.0
"""How long a request may take to come in."""


class BodyLimit:
    """Answers 413 to a request that is too large, at once or when it has become so.

    And 408 to one that does not come to its end.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = LIMITS.get(scope["path"], MOST)
        said = Headers(scope=scope).get("content-length", "0")
        if not said.isdecimal() or int(said) > most:
            await failure(scope, 413, _words(most))(scope, receive, send)
            return
        count, whole = 0, False
        last = current_time() + WHOLE_SECONDS

        async def counted() -> Message:
            nonlocal count, whole
            if whole:  # whoever asks on waits for the browser to leave
                return await receive()
            try:
                with fail_after(min(QUIET_SECONDS, last - current_time())):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, _SLOW) from None
            whole = not message.get("more_body", False)
            count += len(message.get("body", b""))
            if count > most:
                raise HTTPException(413, _words(most))
            return message

        await self._app(scope, counted, send)


_SLOW = "The request did not come in fast enough; try again."


def _words(most: int) -> str:
    return f"That is too large: at most {most / 1e6:.0f} MB at a time."
