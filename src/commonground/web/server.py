"""Run the application with uvicorn on a socket."""

import dataclasses
import logging
import socket
from collections.abc import Callable
from types import FrameType

import uvicorn
from fastapi import FastAPI
from starlette.types import ASGIApp

from commonground.database import setup_link
from commonground.errors import InputError
from commonground.web.app import create_app
from commonground.web.connections import MAX_CONNECTIONS, LimitedProtocol
from commonground.web.settings import Addresses, WebSettings


def serve(settings: WebSettings, ready: Callable[[Addresses], None]) -> None:
    """Listen, report the addresses, and serve until the process is stopped."""
    with _socket(settings) as listening:
        settings = dataclasses.replace(settings, port=listening.getsockname()[1])
        app = create_app(settings)
        config = configured(app, settings)
        logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        address = f"http://{host}:{settings.port}{settings.root_path}/"
        addresses = _addresses(app, settings, address)
        _Server(config, lambda: ready(addresses)).run(sockets=[listening])


def _addresses(app: FastAPI, settings: WebSettings, address: str) -> Addresses:
    if app.state.token:
        ticket = app.state.token.ticket()
        return Addresses(
            f"{address}login?token={settings.token}", f"{address}login?ticket={ticket}"
        )
    token = setup_link(app.state.database) if settings.accounts and not settings.password else None
    if token is None:
        return Addresses(address, address)
    setup = f"{_address_elsewhere(settings) or address}join/{token}"
    return Addresses(address, setup, setup)


def _address_elsewhere(settings: WebSettings) -> str | None:
    """Return the server's address for other machines, or None if no name of it is known."""
    if settings.names and settings.proxies:
        return f"https://{settings.names[0]}{settings.root_path}/"
    if settings.names:
        name = settings.names[0]
    elif settings.host in ("0.0.0.0", "::"):
        name = socket.gethostname()  # such an address opens on this machine only, if at all
    else:
        return None
    return f"http://{name}:{settings.port}{settings.root_path}/"


def configured(app: ASGIApp, settings: WebSettings) -> uvicorn.Config:
    """Return uvicorn's configuration for the application."""
    return uvicorn.Config(
        app,
        http=LimitedProtocol,
        ws="none",
        log_config=None,  # use our logging, which shows errors of all parts
        access_log=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        server_header=False,
        limit_concurrency=MAX_CONNECTIONS,
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


def _socket(settings: WebSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=512)
    except (OSError, OverflowError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        where = f"{settings.host}, port {settings.port}"
        raise InputError(f"cannot listen on {where} ({reason}); try another --port") from None
