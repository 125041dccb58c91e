"""A language model behind an OpenAI-compatible endpoint: concurrent requests, with retries."""

import importlib.util
import json
import logging
import os
import random
import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from commonground.errors import EndpointError, InputError, MissingExtraError, shortened
from commonground.narratives.generators.writer import (
    DEFAULT_LEVEL,
    VERSION,
    Texts,
    Tokens,
    Written,
    answered,
    check_temperature,
    messages,
    unfinished,
)
from commonground.text import plain

if TYPE_CHECKING:
    import httpx

KEYS: Final = ("COMMONGROUND_API_KEY", "OPENAI_API_KEY")
"""Environment variables for the key, which is neither stored nor logged."""

_NO_TEXT: Final = "answered without a text (choices[0].message.content)"
_MIN_SECRET: Final = 8  # characters; a shorter key may be an ordinary word such as "none"
_MAX_TOKENS: Final = 300
_MAX_REPLY: Final = 8 << 20  # bytes
_RETRIED: Final = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
_MAX_BACKOFF: Final = 60.0  # seconds
_MAX_RETRY_AFTER: Final = 300.0  # seconds
_LOGGED_WAIT: Final = 10.0  # seconds; longer waits are logged

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Patience:
    """Timeout and number of retries.

    Attributes:
        timeout: Seconds for a whole reply, from name lookup to the last byte.
        retries: Attempts after the first.
    """

    timeout: float = 120.0
    retries: int = 4

    def __post_init__(self) -> None:
        if not 0 < self.timeout <= threading.TIMEOUT_MAX:
            raise InputError(f"the timeout must be more than 0 seconds, not {self.timeout:g}")
        if self.retries < 0:
            raise InputError(f"retries must be at least 0, not {self.retries}")


class _TransientError(Exception):
    """A failure that a retry may fix, after some seconds if the endpoint says so."""

    def __init__(self, what: str, after: float | None = None) -> None:
        super().__init__(what)
        self.after = after


class Llm:
    """Any OpenAI-compatible endpoint; needs `[llm]`, and the key from the environment.

    Args:
        model: Name of the model at the endpoint.
        base_url: The endpoint, as in "https://host/v1".
        level: Level of detail of the prompt, 1 to 5.
        concurrency: Maximum concurrent requests.
        max_tokens: Maximum tokens of an answer.
        temperature: How much answers vary; 0 for the most probable one.
        patience: Timeout and number of retries.

    Raises:
        InputError: A wrong setting, an invalid address, or no key in the environment.
        MissingExtraError: The extra `[llm]` is not installed.
    """

    def __init__(
        self,
        model: str,
        base_url: str,
        *,
        level: int = DEFAULT_LEVEL,
        concurrency: int = 4,
        max_tokens: int = _MAX_TOKENS,
        temperature: float = 0,
        patience: Patience | None = None,
    ) -> None:
        if concurrency < 1:
            raise InputError(f"concurrency must be at least 1, not {concurrency}")
        check_temperature(temperature)
        messages([], level)  # checks the level
        self._model = model
        self._level = level
        self._concurrency = concurrency
        self._max_tokens = max_tokens
        self._temperature = temperature
        self._patience = patience or Patience()
        self._address = _address(base_url)
        self._host = self._address.partition("/")[0]
        self._client = partial(_client, base_url)
        self._client()  # raises for wrong settings at once

    @property
    def settings(self) -> Mapping[str, str]:
        """The model, its endpoint and its prompt; a service may change without notice."""
        return {
            "method": "llm",
            "model": f"{self._model}@{self._address}",
            "prompt": f"{VERSION}-{self._level}",
            "max": str(self._max_tokens),
            **({"temp": f"{self._temperature:g}"} if self._temperature else {}),
        }

    def write(self, events: Iterable[Texts]) -> Iterator[tuple[int, Written]]:
        """Yield a summary for each event, as answers arrive; a closed iterator hangs up."""
        return self.converse((messages(texts, self._level) for texts in events), ())

    def converse(
        self, conversations: Iterable[Sequence[Mapping[str, str]]], seeds: Iterable[int]
    ) -> Iterator[tuple[int, Written]]:
        """Yield the answer to each conversation by its number, as answers arrive.

        An endpoint chooses its own seeds; the given ones are not sent.
        """
        from anyio.from_thread import start_blocking_portal

        waiting, running = enumerate(conversations), dict[Future[Written], int]()
        failed: BaseException | None = None
        with (
            start_blocking_portal() as portal,
            portal.wrap_async_context_manager(self._client()) as client,
        ):
            while True:
                free = 0 if failed else self._concurrency - len(running)
                for number, conversation in islice(waiting, free):
                    running[portal.start_task_soon(self.ask, client, conversation)] = number
                if not running:
                    break
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    number, error = running.pop(future), future.exception()
                    failed = failed or error
                    if error is None:
                        yield number, future.result()
        if failed is not None:
            raise failed

    async def ask(
        self, client: "httpx.AsyncClient", conversation: Sequence[Mapping[str, str]]
    ) -> Written:
        """Return the answer to a conversation; raise EndpointError after the last attempt."""
        import anyio

        body = {
            "model": self._model,
            "messages": list(conversation),
            "temperature": self._temperature,
            "max_tokens": self._max_tokens,
        }
        attempt = 1
        while True:
            try:
                return _answer(await self._post(client, body), self._max_tokens)
            except _TransientError as failure:
                seconds = self._backoff(failure, attempt)
            await anyio.sleep(seconds)
            attempt += 1

    def _backoff(self, failure: _TransientError, attempt: int) -> float:
        """Return the seconds before the next attempt; raise EndpointError after the last."""
        attempts, asked = f"{attempt} attempt{'s' if attempt > 1 else ''}", failure.after
        if attempt > self._patience.retries:
            raise EndpointError(f"{self._host}: {failure} ({attempts})") from None
        if asked is not None and asked > _MAX_RETRY_AFTER:
            # An earlier attempt would be refused again.
            raise EndpointError(
                f"{self._host}: {failure}; it asks to wait {asked:.0f} seconds "
                f"(limit {_MAX_RETRY_AFTER:.0f}; {attempts})"
            ) from None
        # Random, so that requests that failed together do not retry together.
        backoff = min(2.0 ** (attempt - 1) * (1 + random.random() / 4), _MAX_BACKOFF)
        seconds = backoff if asked is None else asked
        if seconds >= _LOGGED_WAIT:
            why = "before the next attempt" if asked is None else "as the endpoint asks"
            logger.warning("%s: %s; waiting %.0f s, %s", self._host, failure, seconds, why)
        return seconds

    async def _post(self, client: "httpx.AsyncClient", body: Mapping[str, Any]) -> bytes:
        import anyio
        import httpx

        content, seconds = bytearray(), self._patience.timeout
        try:
            # The timeouts of httpx apply to single reads; this one applies to the whole reply.
            with anyio.fail_after(seconds):
                async with client.stream("POST", "chat/completions", json=body) as reply:
                    async for piece in reply.aiter_bytes():
                        content += piece
                        if len(content) > _MAX_REPLY:
                            raise _TransientError("sent an answer of more than 8 MB")
        except TimeoutError:
            raise _TransientError(f"did not answer within {seconds:g} seconds") from None
        except (httpx.NetworkError, httpx.ProxyError) as error:
            raise _TransientError(f"cannot be reached ({_line(str(error))})") from None
        except httpx.RemoteProtocolError:
            raise _TransientError("broke off in the middle of a reply") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise EndpointError(f"{self._host}: {_line(str(error))}") from None
        if reply.status_code in _RETRIED:
            after = reply.headers.get("retry-after", "")  # a date is ignored
            wanted = float(after) if after.isdecimal() else None
            raise _TransientError(_refusal(reply.status_code, content), wanted)
        if reply.status_code != httpx.codes.OK:
            raise EndpointError(f"{self._host}: {_refusal(reply.status_code, content)}")
        return bytes(content)


def _address(base_url: str) -> str:
    """Return host, port and path, which identify the service without secrets."""
    try:
        parts = urlsplit(base_url)
        host = parts.hostname if parts.scheme in ("http", "https") else None
        port = parts.port
        secret = parts.username or parts.password or parts.query
    except ValueError:
        host, port, secret = None, None, None
    if not host:
        raise InputError("--base-url must be an address such as https://host/v1")
    if secret:
        raise InputError(f"--base-url must hold no key; put it into the environment: {KEYS[0]}")
    return f"{host}{f':{port}' if port else ''}{parts.path.rstrip('/')}"


def _client(base_url: str) -> "httpx.AsyncClient":
    secret = _key()
    if importlib.util.find_spec("httpx") is None:
        raise MissingExtraError("the method llm", "llm")
    import httpx

    headers = {"Authorization": f"Bearer {secret}"}
    try:
        return httpx.AsyncClient(
            base_url=base_url, headers=headers, timeout=None, limits=httpx.Limits()
        )
    except (httpx.InvalidURL, ValueError, ImportError) as error:  # also for a proxy
        raise InputError(f"--base-url: {_line(str(error))}") from None


def _key() -> str:
    """Return the key of the endpoint; raise InputError if it is missing or invalid."""
    secret = next(iter(_keys()), "")
    if not secret:
        raise InputError(
            f"no key for the endpoint: set {' or '.join(KEYS)} in the environment "
            "(any word, for a server that needs none)"
        )
    # An invalid header would show the key in an error message.
    if not re.fullmatch(r"[!-~]+", secret):
        raise InputError("the key in the environment has characters that a key cannot have")
    return secret


def _redacted(text: str, least: int = 1) -> str:
    """Mask the keys in a text, if they have at least `least` characters."""
    for secret in sorted(_keys(), key=len, reverse=True):
        if len(secret) >= least:
            text = text.replace(secret, "***")
    return text


def _line(text: str) -> str:
    """Return a text as part of a message: short, on one line, without keys."""
    return shortened(_redacted(text))


def _answer(content: bytes, max_tokens: int) -> Written:
    """Return the text of a reply, with a warning if it was cut off at `max_tokens`."""
    try:
        reply = json.loads(content)
    except (ValueError, RecursionError):
        raise _TransientError("answered with something that is not JSON") from None
    try:
        choice = reply["choices"][0]
        message = choice["message"]
        text, refused = plain(message["content"] or ""), message.get("refusal")
        cut = choice.get("finish_reason") == "length"
    except (KeyError, IndexError, TypeError, AttributeError):
        raise _TransientError(_NO_TEXT) from None
    kept, warning = _redacted(text, _MIN_SECRET), None
    if not kept and isinstance(refused, str) and refused.strip():
        raise _TransientError(f"answered without a text, and refuses ({_line(plain(refused))})")
    if not kept and cut:
        raise _TransientError(f"answered without a text, though it had {max_tokens} tokens for it")
    if not kept:
        raise _TransientError(_NO_TEXT)
    if cut:
        kept, warning = unfinished(kept, max_tokens)
    return Written(answered(kept), Tokens.of_usage(reply.get("usage")), warning)


def _refusal(status: int, content: bytes | bytearray) -> str:
    """Describe a reply with an error status, and say what to do."""
    message = ""
    with suppress(ValueError, KeyError, TypeError, RecursionError):
        error: Any = json.loads(content)["error"]
        message = error if isinstance(error, str) else str(error["message"])
    check_key = f"; check the key in {' or '.join(KEYS)}"
    advice = {401: check_key, 403: check_key, 404: "; check --base-url and --model"}
    reason = f" ({_line(message)})" if message.strip() else ""
    return f"answered {status}{reason}{advice.get(status, '')}"


def _keys() -> list[str]:
    values = [os.environ.get(name, "").strip() for name in KEYS]
    return [value for value in values if value]
