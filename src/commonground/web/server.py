"""Run the application with uvicorn on a socket."""

import asyncio
import dataclasses
import logging
import socket
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from commonground.errors import InputError
from commonground.web.app import create_app
from commonground.web.settings import WebSettings

_MAX_CONNECTIONS: Final = 256  # more are answered with 503
HEAD_SECONDS: Final = 20.0
"""Time limit for the headers of a request; uvicorn has none."""


def serve(settings: WebSettings, ready: Callable[[str], None]) -> None:
    """Listen, report the address, and serve until the process is stopped."""
    with _socket(settings) as listening:
        settings = dataclasses.replace(settings, port=listening.getsockname()[1])
        config = configured(create_app(settings), settings)
        logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        address = f"http://{host}:{settings.port}/"
        _Server(config, lambda: ready(address)).run(sockets=[listening])


def configured(app: ASGIApp, settings: WebSettings) -> uvicorn.Config:
    """Return uvicorn's configuration for the application."""
    return uvicorn.Config(
        app,
        http=_TimedProtocol,
        log_config=None,  # use our logging, which shows errors of all parts
        access_log=False,
        proxy_headers=settings.behind_proxy,
        forwarded_allow_ips="127.0.0.1,::1",
        server_header=False,
        limit_concurrency=_MAX_CONNECTIONS,
        timeout_graceful_shutdown=3,
    )


class _Server(uvicorn.Server):
    """Calls `ready` when it listens, and stops quietly."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        # Ctrl-C is the normal way to stop, even when pressed twice.
        self.should_exit = True


_Base: Any = AutoHTTPProtocol


class _TimedProtocol(_Base):  # type: ignore[misc]
    """Closes a connection that does not send a request's headers in time."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        self._start_timer()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_timer()
        else:
            self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def _start_timer(self) -> None:
        """Start the timer unless it runs: more data does not prolong it."""
        if self._timer is None:
            self._timer = self.loop.call_later(HEAD_SECONDS, self._timed_out)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _timed_out(self) -> None:
        self._timer = None
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()


def _socket(settings: WebSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=512)
    except (OSError, OverflowError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        where = f"{settings.host}, port {settings.port}"
        raise InputError(f"cannot listen on {where} ({reason}); try another --port") from None
