"""Requests to an OpenAI-compatible endpoint, with timeouts and retries."""

import contextlib
import importlib.util
import logging
import random
import socket
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from commonground.errors import EndpointError, InputError, MissingExtraError
from commonground.narratives.generators.replies import (
    KEYS,
    StumbleError,
    answer,
    key,
    line,
    refusal,
)
from commonground.narratives.generators.writer import Written

if TYPE_CHECKING:
    import httpx

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


_MAX_REPLY: Final = 8 << 20  # bytes


class _Call:
    """A request in its own thread, with a timeout for the whole reply.

    The timeouts of httpx apply to single reads, so a server that sends a byte now and then never
    exceeds them, and name lookup has none. Here the caller waits for a fixed time, then the
    connection is shut down.
    """

    def __init__(self, client: "partial[httpx.Client]", body: Mapping[str, Any]) -> None:
        self._client = client
        self._body = body
        self._stream: Any = None
        self._over = False
        self._reply: Future[tuple[httpx.Response, bytes]] = Future()
        # A daemon, so that the program can exit while it runs.
        Thread(target=self._run, daemon=True).start()

    def result(self, seconds: float) -> "tuple[httpx.Response, bytes]":
        """Return the response and its body; raise TimeoutError if they are late."""
        try:
            return self._reply.result(seconds)
        finally:
            self.hang_up()

    def hang_up(self) -> None:
        """Shut the connection down; the thread then ends by itself."""
        self._over = True
        if self._stream is not None:
            # Not `close`, which would free the socket while the thread reads from it.
            with contextlib.suppress(OSError):
                self._stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)

    def _run(self) -> None:
        try:
            self._reply.set_result(self._post())
        except Exception as error:  # raised again by `result`
            self._reply.set_exception(error)

    def _post(self) -> "tuple[httpx.Response, bytes]":
        trace, content = {"trace": self._trace}, bytearray()
        with (
            self._client() as client,
            client.stream("POST", "chat/completions", json=self._body, extensions=trace) as reply,
        ):
            for piece in reply.iter_bytes():
                content += piece
                if len(content) > _MAX_REPLY:
                    raise StumbleError("sent an answer without end")
            return reply, bytes(content)

    def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Keep the connection, which httpx exposes only after the reply."""
        stream = info.get("return_value")
        if hasattr(stream, "get_extra_info"):
            self._stream = stream
            if self._over:  # too late
                self.hang_up()


class Endpoint:
    """Client of `POST base_url/chat/completions`; thread-safe.

    Args:
        base_url: The address with the version, as in "https://host/v1".
        model: Name of the model at the endpoint.
        max_tokens: Maximum tokens of an answer.
        patience: Timeout and number of retries.

    Raises:
        InputError: An invalid address, or no key in the environment.
        MissingExtraError: The extra `[llm]` is not installed.
    """

    def __init__(
        self, base_url: str, model: str, *, max_tokens: int, patience: Patience | None = None
    ) -> None:
        self.place = _place(base_url)
        self._host = self.place.partition("/")[0]
        self._model = model
        self._max_tokens = max_tokens
        self._patience = patience or Patience()
        self._client = _client(base_url, key(), self._patience.timeout)
        self._closed = threading.Event()
        self._calls: set[_Call] = set()

    def close(self) -> None:
        """Shut down all requests and stop retrying."""
        self._closed.set()
        for call in tuple(self._calls):
            call.hang_up()

    def ask(self, messages: Sequence[Mapping[str, str]]) -> Written:
        """Return the answer to a conversation."""
        body = {
            "model": self._model,
            "messages": list(messages),
            "temperature": 0,
            "max_tokens": self._max_tokens,
        }
        attempt = 0
        while True:
            try:
                return answer(self._post(body), self._max_tokens)
            except StumbleError as stumble:
                last = attempt >= self._patience.retries or self._closed.is_set()
                self._wait(stumble, attempt, last)
                attempt += 1

    def _wait(self, stumble: StumbleError, attempt: int, last: bool) -> None:
        """Wait before the next attempt; raise EndpointError after the last."""
        tries, asked = f"{attempt + 1} attempt{'s' if attempt else ''}", stumble.after
        if last:
            raise EndpointError(f"{self._host}: {stumble} ({tries})") from None
        if asked is not None and asked > _MAX_RETRY_AFTER:
            # An earlier attempt would be refused again.
            raise EndpointError(
                f"{self._host}: {stumble}; it asks to wait {asked:.0f} seconds "
                f"(limit {_MAX_RETRY_AFTER:.0f}; {tries})"
            ) from None
        # Random, so that requests that failed together do not retry together.
        backoff = min(2.0**attempt * (1 + random.random() / 4), _MAX_BACKOFF)
        seconds = backoff if asked is None else asked
        if seconds >= _LOGGED_WAIT:
            why = "before the next attempt" if asked is None else "as the endpoint asks"
            logger.warning("%s: %s; waiting %.0f s, %s", self._host, stumble, seconds, why)
        self._pause(seconds)

    def _pause(self, seconds: float) -> None:
        self._closed.wait(seconds)

    def _post(self, body: Mapping[str, Any]) -> bytes:
        import httpx

        call = _Call(self._client, body)
        self._calls.add(call)
        try:
            reply, content = call.result(self._patience.timeout)
        except (TimeoutError, httpx.TimeoutException):
            raise StumbleError(
                f"did not answer within {self._patience.timeout:g} seconds"
            ) from None
        except (httpx.NetworkError, httpx.ProxyError) as error:
            raise StumbleError(f"cannot be reached ({line(str(error))})") from None
        except httpx.RemoteProtocolError:
            raise StumbleError("broke off in the middle of a reply") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise EndpointError(f"{self._host}: {line(str(error))}") from None
        finally:
            self._calls.discard(call)
        if reply.status_code in _RETRIED:
            after = reply.headers.get("retry-after", "")  # a date is ignored
            seconds = float(after) if after.isdecimal() else None
            raise StumbleError(refusal(reply.status_code, content), seconds)
        if reply.status_code != httpx.codes.OK:
            raise EndpointError(f"{self._host}: {refusal(reply.status_code, content)}")
        return content


def _place(base_url: str) -> str:
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


def _client(base_url: str, secret: str, timeout: float) -> "partial[httpx.Client]":
    """Return a factory of clients: one for each call, so that each can be shut down alone."""
    if importlib.util.find_spec("httpx") is None:
        raise MissingExtraError("the method llm", "llm")
    import httpx

    opened = partial(
        httpx.Client,
        base_url=base_url,
        headers={"Authorization": f"Bearer {secret}"},
        timeout=timeout,
        verify=httpx.create_ssl_context(),  # slow, so only once
    )
    try:
        opened().close()
    except (httpx.InvalidURL, ValueError, ImportError) as error:  # also for a proxy
        raise InputError(f"--base-url: {line(str(error))}") from None
    return opened
