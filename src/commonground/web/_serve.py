"""Run the server: a socket, uvicorn, and the user's browser."""

import dataclasses
import logging
import socket
import threading
import webbrowser

import uvicorn

from commonground.errors import InputError
from commonground.web._app import create_app
from commonground.web._settings import WebSettings

_log = logging.getLogger(__name__)


def serve(settings: WebSettings, *, browser: bool) -> None:
    """Listen, say where, and serve until told to end."""
    listening = _socket(settings)
    settings = dataclasses.replace(settings, port=listening.getsockname()[1])
    config = uvicorn.Config(
        create_app(settings),
        log_level="warning",
        access_log=False,
        proxy_headers=settings.behind_proxy,
        forwarded_allow_ips="127.0.0.1,::1",
        server_header=False,
        timeout_graceful_shutdown=3,
    )
    address = _address(settings)
    server = _Server(config, address, browser)
    with listening:
        server.run(sockets=[listening])


class _Server(uvicorn.Server):
    """Says where it listens as soon as it does."""

    def __init__(self, config: uvicorn.Config, address: str, browser: bool) -> None:
        super().__init__(config)
        self._address, self._browser = address, browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.should_exit:
            return
        _log.info("listening on %s", self._address)
        if self._browser:
            threading.Thread(target=webbrowser.open, args=(self._address,), daemon=True).start()


def _socket(settings: WebSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=512)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        where = f"{settings.host} port {settings.port}"
        raise InputError(f"cannot listen on {where} ({reason.lower()}); try --port") from None


def _address(settings: WebSettings) -> str:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{host}:{settings.port}/"
