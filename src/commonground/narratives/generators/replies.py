"""What an endpoint answers, read with care: the text, the tokens, the refusals; never the key."""

import json
import os
import re
from collections.abc import Iterator
from typing import Any, Final

from commonground.errors import InputError
from commonground.narratives.generators.prompts import answered
from commonground.narratives.generators.writer import Tokens, Written, unfinished
from commonground.text import plain

KEYS: Final = ("COMMONGROUND_API_KEY", "OPENAI_API_KEY")
"""Where the key is looked for; nowhere else, and it is neither stored nor logged."""

_NO_TEXT: Final = "answered without a text (choices[0].message.content)"
_SECRET: Final = 8  # signs; a shorter key is a word such as "none", which a summary may have


class StumbleError(Exception):
    """What may go better the next time."""

    def __init__(self, what: str, after: float | None = None) -> None:
        super().__init__(what)
        self.after = after


def key() -> str:
    """The key of the endpoint, fit for a header."""
    found = next(_keys(), None)
    if found is None:
        raise InputError(
            f"no key for the endpoint: set {' or '.join(KEYS)} in the environment "
            "(any word, for a server that needs none)"
        )
    # What HTTP does not take comes back in an error message, with all of the key.
    if not re.fullmatch(r"[!-~]+", found):
        raise InputError("the key in the environment has blanks or signs in it that no key has")
    return found


def redacted(text: str, least: int = 1) -> str:
    """A foreign text without our keys, those of at least so many signs."""
    for secret in sorted(_keys(), key=len, reverse=True):
        if len(secret) >= least:
            text = text.replace(secret, "***")
    return text


def line(text: str) -> str:
    """A foreign text as part of a message: short, on one line, without our keys."""
    return " ".join(redacted(text).split())[:200]


def answer(content: bytes, most: int) -> Written:
    """The text of a reply that may have so many tokens, with a warning where it was cut off."""
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
    kept, warning = redacted(plain(text or ""), _SECRET), None
    if not kept:
        raise StumbleError(_without_text(refused, most if cut else None))
    if cut:
        kept, warning = unfinished(kept, most)
    return Written(answered(kept), Tokens.of_usage(reply.get("usage")), warning)


def _without_text(refused: object, most: int | None) -> str:
    """What is known of an answer that is empty, such as that it was cut off at so many tokens."""
    if isinstance(refused, str) and refused.strip():
        return f"answered without a text, and refuses ({line(plain(refused))})"
    if most is not None:
        return f"answered without a text, though it had {most} tokens for it"
    return _NO_TEXT


def refusal(status: int, content: bytes) -> str:
    """What a reply with an error status says."""
    told = ""
    try:
        error: Any = json.loads(content)["error"]
        told = error if isinstance(error, str) else str(error["message"])
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    advice = {
        401: f"; check the key in {' or '.join(KEYS)}",
        403: f"; check the key in {' or '.join(KEYS)}",
        404: "; check --base-url and --model",
    }
    words = f" ({line(told)})" if told.strip() else ""
    return f"answered {status}{words}{advice.get(status, '')}"


def _keys() -> Iterator[str]:
    found = (os.environ.get(name, "").strip() for name in KEYS)
    return (one for one in found if one)
