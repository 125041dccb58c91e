"""Parse replies of an endpoint: text, tokens and errors, without leaking the key."""

import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

from commonground.errors import InputError
from commonground.narratives.generators.prompts import answered
from commonground.narratives.generators.writer import Tokens, Written, unfinished
from commonground.text import plain

KEYS: Final = ("COMMONGROUND_API_KEY", "OPENAI_API_KEY")
"""Environment variables for the key, which is neither stored nor logged."""

_NO_TEXT: Final = "answered without a text (choices[0].message.content)"
_MIN_SECRET: Final = 8  # characters; a shorter key may be an ordinary word such as "none"


class StumbleError(Exception):
    """A failure that a retry may fix, after some seconds if the endpoint says so."""

    def __init__(self, what: str, after: float | None = None) -> None:
        super().__init__(what)
        self.after = after


def key() -> str:
    """Return the key of the endpoint; raise InputError if it is missing or invalid."""
    secret = next(_keys(), None)
    if secret is None:
        raise InputError(
            f"no key for the endpoint: set {' or '.join(KEYS)} in the environment "
            "(any word, for a server that needs none)"
        )
    # An invalid header would show the key in an error message.
    if not re.fullmatch(r"[!-~]+", secret):
        raise InputError("the key in the environment has blanks or signs in it that no key has")
    return secret


def redacted(text: str, least: int = 1) -> str:
    """Mask the keys in a text, if they have at least `least` characters."""
    for secret in sorted(_keys(), key=len, reverse=True):
        if len(secret) >= least:
            text = text.replace(secret, "***")
    return text


def line(text: str) -> str:
    """Return a text as part of a message: short, on one line, without keys."""
    return " ".join(redacted(text).split())[:200]


def answer(content: bytes, max_tokens: int) -> Written:
    """Return the text of a reply, with a warning if it was cut off at `max_tokens`."""
    try:
        reply = json.loads(content)
    except (ValueError, RecursionError):
        raise StumbleError("answered with something that is not JSON") from None
    try:
        choice = reply["choices"][0]
        message = choice["message"]
        text, refused = message["content"], message.get("refusal")
        cut = choice.get("finish_reason") == "length"
    except (KeyError, IndexError, TypeError, AttributeError):
        raise StumbleError(_NO_TEXT) from None
    if text is not None and not isinstance(text, str):
        raise StumbleError(_NO_TEXT)
    kept, warning = redacted(plain(text or ""), _MIN_SECRET), None
    if not kept:
        raise StumbleError(_no_text(refused, max_tokens if cut else None))
    if cut:
        kept, warning = unfinished(kept, max_tokens)
    return Written(answered(kept), Tokens.of_usage(reply.get("usage")), warning)


def _no_text(refused: object, max_tokens: int | None) -> str:
    """Say why an answer is empty: a refusal, or cut off at `max_tokens`."""
    if isinstance(refused, str) and refused.strip():
        return f"answered without a text, and refuses ({line(plain(refused))})"
    if max_tokens is not None:
        return f"answered without a text, though it had {max_tokens} tokens for it"
    return _NO_TEXT


def refusal(status: int, content: bytes) -> str:
    """Describe a reply with an error status."""
    message = ""
    with suppress(ValueError, KeyError, TypeError, RecursionError):
        error: Any = json.loads(content)["error"]
        message = error if isinstance(error, str) else str(error["message"])
    check_key = f"; check the key in {' or '.join(KEYS)}"
    advice = {401: check_key, 403: check_key, 404: "; check --base-url and --model"}
    reason = f" ({line(message)})" if message.strip() else ""
    return f"answered {status}{reason}{advice.get(status, '')}"


def _keys() -> Iterator[str]:
    values = (os.environ.get(name, "").strip() for name in KEYS)
    return (value for value in values if value)
