"""An OpenAI-compatible endpoint, which may refuse, hang, stumble or answer nonsense."""

import importlib.util
import logging
import random
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from commonground.errors import EndpointError, InputError, MissingExtraError
from commonground.narratives.generators.call import Call
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

_AGAIN: Final = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
_LONGEST_WAIT: Final = 60.0  # seconds between two attempts, where the endpoint does not say
_LONGEST_ASKED: Final = 300.0  # seconds that an endpoint may ask for
_NOTICED: Final = 10.0  # seconds; who waits longer is told why

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait and how often to try.

    Attributes:
        timeout: Seconds for one whole answer, from looking up the host to the last byte.
        retries: Attempts after the first.
    """

    timeout: float = 120.0
    retries: int = 4

    def __post_init__(self) -> None:
        if not 0 < self.timeout <= threading.TIMEOUT_MAX:
            raise InputError(f"the timeout must be more than 0 seconds, not {self.timeout:g}")
        if self.retries < 0:
            raise InputError(f"retries must be at least 0, not {self.retries}")


def _delay(attempt: int) -> float:
    """Seconds before the next attempt: twice as many each time."""
    # Spread, so that requests that failed together do not come back together.
    return min(2.0**attempt * (1 + random.random() / 4), _LONGEST_WAIT)


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
        self.place = _place(base_url)
        self._host = self.place.partition("/")[0]
        self._model = model
        self._max_tokens = max_tokens
        self._patience = patience or Patience()
        self._client = _client(base_url, key(), self._patience.timeout)
        self._closed = threading.Event()
        self._calls: set[Call] = set()

    def close(self) -> None:
        """Hang up, let no attempt follow another, and end all waiting for the next one."""
        self._closed.set()
        for call in tuple(self._calls):
            call.hang_up()

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
                return answer(self._post(body), self._max_tokens)
            except StumbleError as stumble:
                last = attempt >= self._patience.retries or self._closed.is_set()
                self._wait(stumble, attempt, last)
                attempt += 1

    def _wait(self, stumble: StumbleError, attempt: int, last: bool) -> None:
        """Wait for the next attempt, or give up where there is none."""
        tries, asked = f"{attempt + 1} attempt{'s' if attempt else ''}", stumble.after
        if not last and asked is not None and asked > _LONGEST_ASKED:
            # Not tried earlier than that: it would be refused once more, and held against us.
            raise EndpointError(
                f"{self._host}: {stumble}; it asks to wait {asked:.0f} seconds, and "
                f"{_LONGEST_ASKED:.0f} are the most that are waited ({tries})"
            ) from None
        if last:
            raise EndpointError(f"{self._host}: {stumble} ({tries})") from None
        seconds = _delay(attempt) if asked is None else asked
        if seconds >= _NOTICED:
            why = "before the next attempt" if asked is None else "as the endpoint asks"
            logger.warning("%s: %s; waiting %.0f s, %s", self._host, stumble, seconds, why)
        self._pause(seconds)

    def _pause(self, seconds: float) -> None:
        self._closed.wait(seconds)

    def _post(self, body: Mapping[str, Any]) -> bytes:
        import httpx

        call = Call(self._client, body)
        self._calls.add(call)
        try:
            reply = call.result(self._patience.timeout)
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
        if reply.status in _AGAIN:
            raise StumbleError(refusal(reply.status, reply.content), _after(reply.headers))
        if reply.status != httpx.codes.OK:
            raise EndpointError(f"{self._host}: {refusal(reply.status, reply.content)}")
        return reply.content


def _place(base_url: str) -> str:
    """Host and path, which tell one service from another and hold no secret."""
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
    """What opens a connection of its own for each call, so that one can be cut alone."""
    if importlib.util.find_spec("httpx") is None:
        raise MissingExtraError("the method llm", "llm")
    import httpx

    opened = partial(
        httpx.Client,
        base_url=base_url,
        headers={"Authorization": f"Bearer {secret}"},
        timeout=timeout,
        verify=httpx.create_ssl_context(),  # once: it takes longer to read than many a reply
    )
    try:
        opened().close()
    except (httpx.InvalidURL, ValueError, ImportError) as error:  # of a proxy, these two
        raise InputError(f"--base-url: {line(str(error))}") from None
    return opened


def _after(headers: Mapping[str, str]) -> float | None:
    """The seconds of Retry-After; a date there is passed over."""
    value = headers.get("retry-after", "")
    return float(value) if value.isdecimal() else None
