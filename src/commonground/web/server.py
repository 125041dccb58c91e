"""Run the server: a socket, and uvicorn on it."""

import dataclasses
import logging
import socket
from collections.abc import Callable
from types import FrameType
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from commonground.errors import InputError
from commonground.web.app import create_app
from commonground.web.protocol import PromptProtocol
from commonground.web.settings import WebSettings

_MOST_AT_ONCE: Final = 256  # connections; more are answered with 503


def serve(settings: WebSettings, ready: Callable[[str], None]) -> None:
    """Listen, say where, and serve until told to end."""
    with _socket(settings) as listening:
        settings = dataclasses.replace(settings, port=listening.getsockname()[1])
        config = configured(create_app(settings), settings)
        logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
        _Server(config, lambda: ready(_address(settings))).run(sockets=[listening])


def configured(app: ASGIApp, settings: WebSettings) -> uvicorn.Config:
    """How uvicorn serves the application."""
    return uvicorn.Config(
        app,
        http=PromptProtocol,
        log_config=None,  # ours, so that errors of all parts are seen
        access_log=False,
        proxy_headers=settings.behind_proxy,
        forwarded_allow_ips="127.0.0.1,::1",
        server_header=False,
        limit_concurrency=_MOST_AT_ONCE,
        timeout_graceful_shutdown=3,
    )


class _Server(uvicorn.Server):
    """Says so when it listens, and ends without complaint when told to."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        # Ctrl-C is how people end it, also when they press it twice: nothing was interrupted.
        self.should_exit = True


def _socket(settings: WebSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=512)
    except (OSError, OverflowError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        where = f"{settings.host}, port {settings.port}"
        raise InputError(f"cannot listen on {where} ({reason}); --port takes another") from None


def _address(settings: WebSettings) -> str:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{host}:{settings.port}/"
