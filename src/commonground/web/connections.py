"""Connections: time limits that uvicorn does not have, and room for newcomers."""

import asyncio
import ipaddress
from collections.abc import Sequence
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

MAX_CONNECTIONS: Final = 256
"""More are answered with 503."""

_CROWDED: Final = 240  # from here on, a newcomer takes the place of the longest idle connection
_MAX_PER_ADDRESS: Final = 128
HEAD_SECONDS: Final = 20.0
"""Time limit for the headers of a request."""

WRITE_SECONDS: Final = 30.0
"""Time within which a browser must take some of its response."""

_BUSY: Final = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

_Base: Any = H11Protocol  # always: httptools, which uvicorn prefers, does not limit headers


class LimitedProtocol(_Base):  # type: ignore[misc]
    """Closes a connection that is slow to send its headers, stops reading, or is one too many."""

    _head_timer: asyncio.TimerHandle | None = None
    _write_timer: asyncio.TimerHandle | None = None
    _unsent = 0
    _drained = False
    since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Start the timers and make room."""
        super().connection_made(transport)
        self.since = self.loop.time()
        self._start_head_timer()
        self._write_timer = self.loop.call_later(WRITE_SECONDS, self._check_unsent)
        self._make_room()

    def data_received(self, data: bytes) -> None:
        """Read, and time the headers of the next request."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_head_timer()
        else:
            self._start_head_timer()

    def resume_writing(self) -> None:
        """Note that the browser has taken some of its response."""
        self._drained = True
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timers."""
        self._stop_head_timer()
        if self._write_timer is not None:
            self._write_timer.cancel()
        super().connection_lost(exc)

    @property
    def idle(self) -> bool:
        """Whether no request is at work and no response on its way."""
        waiting = self.cycle is None or self.cycle.response_complete
        return waiting and not self.transport.get_write_buffer_size()

    def _make_room(self) -> None:
        """Close the longest idle connection if there are many, or refuse this one."""
        others = [one for one in self.connections if not one.transport.is_closing()]
        if self.client and not _is_proxy(self.client[0], self.config.forwarded_allow_ips):
            near = [one for one in others if one.client and one.client[0] == self.client[0]]
            if len(near) > _MAX_PER_ADDRESS:
                idle = [one for one in near if one.idle and one is not self]
                if not idle:
                    self.transport.write(_BUSY)
                    self.transport.close()
                    return
                min(idle, key=lambda one: one.since).transport.abort()
                return
        idle = [one for one in others if one.idle and one is not self]
        if len(others) > _CROWDED and idle:
            min(idle, key=lambda one: one.since).transport.abort()

    def _start_head_timer(self) -> None:
        """Start the timer unless it runs: more data does not prolong it."""
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(HEAD_SECONDS, self._no_head)

    def _stop_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _no_head(self) -> None:
        self._head_timer = None
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()

    def _check_unsent(self) -> None:
        unsent = self.transport.get_write_buffer_size()
        if unsent and unsent == self._unsent and not self._drained:
            self.transport.abort()  # closing would wait for the browser
            return
        self._unsent, self._drained = unsent, False
        self._write_timer = self.loop.call_later(WRITE_SECONDS, self._check_unsent)


def _is_proxy(address: str, proxies: Sequence[str]) -> bool:
    """Return whether a trusted proxy connects, which speaks for many browsers."""
    ip = ipaddress.ip_address(address)
    return any(ip in ipaddress.ip_network(network) for network in proxies)
