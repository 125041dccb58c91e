"""Refuses bodies with values that could not be shown again, whatever route they are for."""

import json

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import Message, Receive, Scope, Send

from commonground.io import strict_json
from commonground.web.context import failure
from commonground.web.security.middleware import Middleware

_FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")


class JsonBody(Middleware):
    """Answers 400 to NaN, infinity and half a surrogate pair; pages report what is not JSON."""

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind = Headers(scope=scope).get("content-type", "")
        if scope["method"] in ("GET", "HEAD", "OPTIONS") or kind.lower().startswith(_FORMS):
            await self._app(scope, receive, send)
            return
        try:
            body = await _whole(receive)
            if body is None:
                return
            strict_json(body)
        except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
            pass
        except ValueError as error:
            refusal = failure(scope, 400, f"This request cannot be read: {error}.")
            await refusal(scope, receive, send)
            return
        except HTTPException as error:  # too large or too slow
            await failure(scope, error.status_code, str(error.detail))(scope, receive, send)
            return
        sent = False

        async def again() -> Message:
            nonlocal sent
            if sent:
                return await receive()
            sent = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, again, send)


async def _whole(receive: Receive) -> bytes | None:
    """Return the whole body, or None if the browser has gone."""
    parts, more = [], True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    return b"".join(parts)
