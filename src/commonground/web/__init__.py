"""Web pages on your own machine: compare, score, grade and annotate in a browser.

FastAPI is imported only when a server is made: worker processes import this package too and do
not need it.
"""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from commonground.errors import MissingExtraError
from commonground.web.settings import (
    PORT,
    Addresses,
    OidcSettings,
    WebSettings,
    default_data,
    default_workers,
    new_token,
)

if TYPE_CHECKING:
    from fastapi import FastAPI

__all__ = [
    "PORT",
    "Addresses",
    "OidcSettings",
    "WebSettings",
    "create_app",
    "default_data",
    "default_workers",
    "new_token",
    "serve",
]


def create_app(settings: WebSettings) -> "FastAPI":
    """Return the pages and their JSON API as an ASGI application."""
    app: FastAPI = _module("app").create_app(settings)
    return app


def serve(settings: WebSettings, ready: Callable[[Addresses], None] = lambda _: None) -> None:
    """Serve the pages until the process is stopped; `ready` is called once the server listens."""
    _module("server").serve(settings, ready)


def _module(name: str) -> Any:
    try:
        return import_module(f"commonground.web.{name}")
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("commonground"):
            raise
        raise MissingExtraError("commonground serve", "web") from None
