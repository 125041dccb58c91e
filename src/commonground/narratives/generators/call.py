"""One request that is over when its time is, whatever the other side does."""

import contextlib
import socket
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

from commonground.narratives.generators.replies import StumbleError

if TYPE_CHECKING:
    import httpx

_LARGEST: Final = 8 << 20  # bytes of a reply


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    content: bytes


class Call:
    """A request under way in a thread of its own.

    The library's timeouts are for one read each, so a server that sends a byte now and then is
    never too late, and for looking up a name it has none. Here whoever waits does so for as long
    as was said, and then the connection is cut.

    Args:
        client: What opens a client for this call alone.
        body: What is posted to `chat/completions`.
    """

    def __init__(self, client: "Callable[[], httpx.Client]", body: Mapping[str, Any]) -> None:
        self._client = client
        self._body = body
        self._stream: Any = None
        self._over = False
        self._reply: Future[Reply] = Future()
        # A daemon: nobody need wait for it, not even for the end of the program.
        Thread(target=self._run, daemon=True).start()

    def result(self, seconds: float) -> Reply:
        """The reply; a TimeoutError where it is not whole in time."""
        try:
            return self._reply.result(seconds)
        finally:
            self.hang_up()

    def hang_up(self) -> None:
        """Cut the connection; the thread then ends by itself."""
        self._over = True
        stream = self._stream
        if stream is not None:
            # Not `close`, which would take the socket from under the thread that reads it.
            with contextlib.suppress(OSError):
                stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)

    def _run(self) -> None:
        try:
            self._reply.set_result(self._posted())
        except Exception as error:  # raised again where the reply is waited for
            self._reply.set_exception(error)

    def _posted(self) -> Reply:
        noted = {"trace": self._note}
        with (
            self._client() as client,
            client.stream("POST", "chat/completions", json=self._body, extensions=noted) as reply,
        ):
            return Reply(reply.status_code, reply.headers, _read(reply))

    def _note(self, event: str, info: Mapping[str, Any]) -> None:
        """Remember the connection, which the library shows only once it is of no use."""
        found = info.get("return_value")
        if hasattr(found, "get_extra_info"):
            self._stream = found
            if self._over:  # it came too late
                self.hang_up()


def _read(reply: "httpx.Response") -> bytes:
    """The body, unless it does not end."""
    pieces, size = [], 0
    for piece in reply.iter_bytes():
        pieces.append(piece)
        size += len(piece)
        if size > _LARGEST:
            raise StumbleError("sent an answer without end")
    return b"".join(pieces)
