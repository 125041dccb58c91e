"""An OpenAI-compatible endpoint, which may refuse, hang, stumble or answer nonsense."""

import importlib.util
import json
import os
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from commonground.errors import EndpointError, InputError, MissingExtraError
from commonground.overlap._generators._writer import Tokens, Written

if TYPE_CHECKING:
    import httpx

KEYS: Final = ("COMMONGROUND_API_KEY", "OPENAI_API_KEY")
"""Where the key is looked for; nowhere else, and it is neither stored nor logged."""

_AGAIN: Final = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
_LARGEST: Final = 8 << 20  # bytes of a reply
_LONGEST_WAIT: Final = 60.0  # seconds between two attempts


class _StumbleError(Exception):
    """What may go better the next time."""

    def __init__(self, what: str, after: float | None = None) -> None:
        super().__init__(what)
        self.after = after


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait and how often to try.

    Attributes:
        timeout: Seconds for one whole answer.
        retries: Attempts after the first.
        pause: What waits so many seconds; tests put something quicker here.
    """

    timeout: float = 120.0
    retries: int = 4
    pause: Callable[[float], object] | None = None

    def __post_init__(self) -> None:
        if not self.timeout > 0:
            raise InputError(f"the timeout must be more than 0 seconds, not {self.timeout:g}")
        if self.retries < 0:
            raise InputError(f"retries must be at least 0, not {self.retries}")


def _delay(attempt: int, after: float | None) -> float:
    """Seconds before the next attempt: twice as many each time, or as the endpoint asks."""
    # Spread, so that requests that failed together do not come back together.
    spread = 2.0**attempt * (1 + random.random() / 4)
    return min(spread if after is None else after, _LONGEST_WAIT)


class Endpoint:
    """`POST base_url/chat/completions`; safe to use from several threads, until it is closed.

    Args:
        base_url: Up to and with the version, as in "https://host/v1".
        model: The model's name there.
        max_tokens: The most that an answer may have.
        patience: How long to wait and how often to try.

    Raises:
        InputError: An address that is none, or no key in the environment.
        MissingExtraError: Without the extra `[llm]`.
    """

    def __init__(
        self, base_url: str, model: str, *, max_tokens: int, patience: Patience | None = None
    ) -> None:
        self.host = _host(base_url)
        self._model = model
        self._max_tokens = max_tokens
        self._patience = patience or Patience()
        self._client = _client(base_url, _key(), self._patience.timeout)
        self._closed = threading.Event()

    def close(self) -> None:
        """Let no attempt follow another, and end all waiting for the next one."""
        self._closed.set()
        self._client.close()

    def ask(self, messages: Sequence[Mapping[str, str]]) -> Written:
        """The answer to a conversation."""
        body = {
            "model": self._model,
            "messages": list(messages),
            "temperature": 0,
            "max_tokens": self._max_tokens,
        }
        attempt = 0
        while True:
            try:
                return _answer(self._post(body))
            except _StumbleError as stumble:
                if attempt >= self._patience.retries or self._closed.is_set():
                    tries = f"{attempt + 1} attempt{'s' if attempt else ''}"
                    raise EndpointError(f"{self.host}: {stumble} ({tries})") from None
                (self._patience.pause or self._closed.wait)(_delay(attempt, stumble.after))
                attempt += 1

    def _post(self, body: Mapping[str, Any]) -> bytes:
        import httpx

        deadline = time.monotonic() + self._patience.timeout
        try:
            with self._client.stream("POST", "chat/completions", json=body) as reply:
                content = _read(reply, deadline)
        except httpx.TimeoutException:
            raise _StumbleError(
                f"did not answer within {self._patience.timeout:g} seconds"
            ) from None
        except (httpx.NetworkError, httpx.ProxyError) as error:
            raise _StumbleError(f"cannot be reached ({_line(str(error))})") from None
        except httpx.RemoteProtocolError:
            raise _StumbleError("broke off in the middle of a reply") from None
        except httpx.HTTPError as error:
            raise EndpointError(f"{self.host}: {_line(str(error))}") from None
        if reply.status_code in _AGAIN:
            raise _StumbleError(_refusal(reply.status_code, content), _after(reply.headers))
        if reply.status_code != httpx.codes.OK:
            raise EndpointError(f"{self.host}: {_refusal(reply.status_code, content)}")
        return content


def _host(base_url: str) -> str:
    try:
        parts = urlsplit(base_url)
        host = parts.hostname if parts.scheme in ("http", "https") else None
        secret = parts.username or parts.password or parts.query
    except ValueError:
        host, secret = None, None
    if not host:
        raise InputError("--base-url must be an address such as https://host/v1")
    if secret:
        raise InputError(f"--base-url must hold no key; put it into the environment: {KEYS[0]}")
    return host if parts.port is None else f"{host}:{parts.port}"


def _key() -> str:
    found = next((os.environ[name] for name in KEYS if os.environ.get(name, "").strip()), None)
    if found is None:
        raise InputError(
            f"no key for the endpoint: set {' or '.join(KEYS)} in the environment "
            "(any word, for a server that needs none)"
        )
    if not found.strip().isascii():
        raise InputError("the key in the environment has letters that no key has")
    return found.strip()


def _client(base_url: str, key: str, timeout: float) -> "httpx.Client":
    if importlib.util.find_spec("httpx") is None:
        raise MissingExtraError("the method llm", "llm")
    import httpx

    headers = {"Authorization": f"Bearer {key}"}
    return httpx.Client(base_url=base_url, headers=headers, timeout=timeout)


def _read(reply: "httpx.Response", deadline: float) -> bytes:
    """The body, unless it drips in for too long or does not end."""
    pieces, size = [], 0
    for piece in reply.iter_bytes():
        pieces.append(piece)
        size += len(piece)
        if time.monotonic() > deadline:
            raise _StumbleError("did not finish its answer in time")
        if size > _LARGEST:
            raise _StumbleError("sent an answer without end")
    return b"".join(pieces)


def _answer(content: bytes) -> Written:
    try:
        reply = json.loads(content)
        text = reply["choices"][0]["message"]["content"]
        usage = reply.get("usage") or {}
        counts = [int(usage.get(name) or 0) for name in ("prompt_tokens", "completion_tokens")]
    except (ValueError, RecursionError):
        raise _StumbleError("answered with something that is not JSON") from None
    except (KeyError, IndexError, TypeError, AttributeError):
        raise _StumbleError("answered without a text (choices[0].message.content)") from None
    if text is not None and not isinstance(text, str):
        raise _StumbleError("answered without a text (choices[0].message.content)")
    return Written((text or "").strip(), Tokens(*counts))


def _refusal(status: int, content: bytes) -> str:
    """What a reply with an error status says; the key is not repeated, should it stand there."""
    told = ""
    try:
        error = json.loads(content)["error"]
        told = error if isinstance(error, str) else str(error["message"])
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    for name in KEYS:
        secret = os.environ.get(name, "").strip()
        told = told.replace(secret, "***") if secret else told
    advice = {
        401: f"; check the key in {' or '.join(KEYS)}",
        403: f"; check the key in {' or '.join(KEYS)}",
        404: "; check --base-url and --model",
    }
    words = f" ({_line(told)})" if told.strip() else ""
    return f"answered {status}{words}{advice.get(status, '')}"


def _after(headers: Mapping[str, str]) -> float | None:
    """The seconds of Retry-After; a date there is passed over."""
    value = headers.get("retry-after", "")
    return float(value) if value.isdecimal() else None


def _line(text: str) -> str:
    return " ".join(text.split())[:200]
