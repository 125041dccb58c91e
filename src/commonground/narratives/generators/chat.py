"""Chat with language models: prompts in five levels of detail, and answers without the key."""

import json
import os
import re
from contextlib import suppress
from typing import Any, Final

from commonground.errors import InputError
from commonground.narratives.generators.writer import Texts, Tokens, Written, unfinished
from commonground.narratives.word_lists import data_text
from commonground.text import plain

KEYS: Final = ("COMMONGROUND_API_KEY", "OPENAI_API_KEY")
"""Environment variables for the key, which is neither stored nor logged."""

_NO_TEXT: Final = "answered without a text (choices[0].message.content)"
_MIN_SECRET: Final = 8  # characters; a shorter key may be an ordinary word such as "none"

LEVELS: Final = (1, 2, 3, 4, 5)
DEFAULT_LEVEL: Final = 4
VERSION: Final = "cg2"
"""Version of the prompts, part of signatures."""

# The role, the task, and what levels 3 to 5 add to it.
_ROLE, _TASK, *_DETAILS = data_text("prompt.txt").rstrip().split("\n---\n")
# The agreed answer for no overlap; an empty answer means that the endpoint failed.
_NOTHING: Final = re.compile(r"\W*nothing\W*", re.IGNORECASE)


def messages(texts: Texts, level: int) -> list[dict[str, str]]:
    """Return the chat messages that ask for the overlap."""
    if level not in LEVELS:
        raise InputError(f"the prompt level must be from {LEVELS[0]} to {LEVELS[-1]}, not {level}")
    parts = [_TASK, *_DETAILS[: max(level - 2, 0)]]
    narratives = "\n\n".join(
        f"Narrative {number}:\n<<<\n{text.strip()}\n>>>" for number, text in enumerate(texts, 1)
    )
    asked = {"role": "user", "content": "\n\n".join([*parts, narratives])}
    return [asked] if level == 1 else [{"role": "system", "content": _ROLE}, asked]


def answered(text: str) -> str:
    """Return the summary in an answer; empty if the answer is NOTHING.

    Example:
        >>> answered("Nothing."), answered("Nothing was stolen.")
        ('', 'Nothing was stolen.')
    """
    return "" if _NOTHING.fullmatch(text) else text


class StumbleError(Exception):
    """A failure that a retry may fix, after some seconds if the endpoint says so."""

    def __init__(self, what: str, after: float | None = None) -> None:
        super().__init__(what)
        self.after = after


def key() -> str:
    """Return the key of the endpoint; raise InputError if it is missing or invalid."""
    secret = next(iter(_keys()), "")
    if not secret:
        raise InputError(
            f"no key for the endpoint: set {' or '.join(KEYS)} in the environment "
            "(any word, for a server that needs none)"
        )
    # An invalid header would show the key in an error message.
    if not re.fullmatch(r"[!-~]+", secret):
        raise InputError("the key in the environment has blanks or signs in it that no key has")
    return secret


def _redacted(text: str, least: int = 1) -> str:
    """Mask the keys in a text, if they have at least `least` characters."""
    for secret in sorted(_keys(), key=len, reverse=True):
        if len(secret) >= least:
            text = text.replace(secret, "***")
    return text


def line(text: str) -> str:
    """Return a text as part of a message: short, on one line, without keys."""
    return " ".join(_redacted(text).split())[:200]


def answer(content: bytes, max_tokens: int) -> Written:
    """Return the text of a reply, with a warning if it was cut off at `max_tokens`."""
    try:
        reply = json.loads(content)
    except (ValueError, RecursionError):
        raise StumbleError("answered with something that is not JSON") from None
    try:
        choice = reply["choices"][0]
        message = choice["message"]
        text, refused = plain(message["content"] or ""), message.get("refusal")
        cut = choice.get("finish_reason") == "length"
    except (KeyError, IndexError, TypeError, AttributeError):
        raise StumbleError(_NO_TEXT) from None
    kept, warning = _redacted(text, _MIN_SECRET), None
    if not kept and isinstance(refused, str) and refused.strip():
        raise StumbleError(f"answered without a text, and refuses ({line(plain(refused))})")
    if not kept and cut:
        raise StumbleError(f"answered without a text, though it had {max_tokens} tokens for it")
    if not kept:
        raise StumbleError(_NO_TEXT)
    if cut:
        kept, warning = unfinished(kept, max_tokens)
    return Written(answered(kept), Tokens.of_usage(reply.get("usage")), warning)


def refusal(status: int, content: bytes | bytearray) -> str:
    """Describe a reply with an error status."""
    message = ""
    with suppress(ValueError, KeyError, TypeError, RecursionError):
        error: Any = json.loads(content)["error"]
        message = error if isinstance(error, str) else str(error["message"])
    check_key = f"; check the key in {' or '.join(KEYS)}"
    advice = {401: check_key, 403: check_key, 404: "; check --base-url and --model"}
    reason = f" ({line(message)})" if message.strip() else ""
    return f"answered {status}{reason}{advice.get(status, '')}"


def _keys() -> list[str]:
    values = [os.environ.get(name, "").strip() for name in KEYS]
    return [value for value in values if value]
