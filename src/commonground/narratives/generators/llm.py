"""A language model behind an OpenAI-compatible endpoint: concurrent requests, with retries."""

import importlib.util
import logging
import random
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from commonground.errors import EndpointError, InputError, MissingExtraError
from commonground.narratives.generators.chat import (
    DEFAULT_LEVEL,
    KEYS,
    VERSION,
    StumbleError,
    answer,
    key,
    line,
    messages,
    refusal,
)
from commonground.narratives.generators.writer import Texts, Written

if TYPE_CHECKING:
    import httpx

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


class Llm:
    """Any OpenAI-compatible endpoint; needs `[llm]`, and the key from the environment.

    Args:
        model: Name of the model at the endpoint.
        base_url: The endpoint, as in "https://host/v1".
        level: Level of detail of the prompt, 1 to 5.
        concurrency: Maximum concurrent requests.
        max_tokens: Maximum tokens of an answer.
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
        patience: Patience | None = None,
    ) -> None:
        if concurrency < 1:
            raise InputError(f"concurrency must be at least 1, not {concurrency}")
        messages([], level)  # checks the level
        self._model = model
        self._level = level
        self._concurrency = concurrency
        self._max_tokens = max_tokens
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
        }

    def write(self, events: Iterable[Texts]) -> Iterator[tuple[int, Written]]:
        """Yield a summary for each event, as answers arrive; a closed iterator hangs up."""
        from anyio.from_thread import start_blocking_portal

        waiting, running = enumerate(events), dict[Future[Written], int]()
        failed: BaseException | None = None
        with (
            start_blocking_portal() as portal,
            portal.wrap_async_context_manager(self._client()) as client,
        ):
            while True:
                free = 0 if failed else self._concurrency - len(running)
                for number, texts in islice(waiting, free):
                    conversation = messages(texts, self._level)
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
            "temperature": 0,
            "max_tokens": self._max_tokens,
        }
        attempt = 1
        while True:
            try:
                return answer(await self._post(client, body), self._max_tokens)
            except StumbleError as stumble:
                seconds = self._backoff(stumble, attempt)
            await anyio.sleep(seconds)
            attempt += 1

    def _backoff(self, stumble: StumbleError, attempt: int) -> float:
        """Return the seconds before the next attempt; raise EndpointError after the last."""
        attempts, asked = f"{attempt} attempt{'s' if attempt > 1 else ''}", stumble.after
        if attempt > self._patience.retries:
            raise EndpointError(f"{self._host}: {stumble} ({attempts})") from None
        if asked is not None and asked > _MAX_RETRY_AFTER:
            # An earlier attempt would be refused again.
            raise EndpointError(
                f"{self._host}: {stumble}; it asks to wait {asked:.0f} seconds "
                f"(limit {_MAX_RETRY_AFTER:.0f}; {attempts})"
            ) from None
        # Random, so that requests that failed together do not retry together.
        backoff = min(2.0 ** (attempt - 1) * (1 + random.random() / 4), _MAX_BACKOFF)
        seconds = backoff if asked is None else asked
        if seconds >= _LOGGED_WAIT:
            why = "before the next attempt" if asked is None else "as the endpoint asks"
            logger.warning("%s: %s; waiting %.0f s, %s", self._host, stumble, seconds, why)
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
                            raise StumbleError("sent an answer without end")
        except TimeoutError:
            raise StumbleError(f"did not answer within {seconds:g} seconds") from None
        except (httpx.NetworkError, httpx.ProxyError) as error:
            raise StumbleError(f"cannot be reached ({line(str(error))})") from None
        except httpx.RemoteProtocolError:
            raise StumbleError("broke off in the middle of a reply") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise EndpointError(f"{self._host}: {line(str(error))}") from None
        if reply.status_code in _RETRIED:
            after = reply.headers.get("retry-after", "")  # a date is ignored
            wanted = float(after) if after.isdecimal() else None
            raise StumbleError(refusal(reply.status_code, content), wanted)
        if reply.status_code != httpx.codes.OK:
            raise EndpointError(f"{self._host}: {refusal(reply.status_code, content)}")
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
    secret = key()
    if importlib.util.find_spec("httpx") is None:
        raise MissingExtraError("the method llm", "llm")
    import httpx

    headers = {"Authorization": f"Bearer {secret}"}
    try:
        return httpx.AsyncClient(
            base_url=base_url, headers=headers, timeout=None, limits=httpx.Limits()
        )
    except (httpx.InvalidURL, ValueError, ImportError) as error:  # also for a proxy
        raise InputError(f"--base-url: {line(str(error))}") from None
