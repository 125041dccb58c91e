"""Web pages on your own machine: compare, score, grade and annotate in a browser.

FastAPI is imported only when a server is made: worker processes import this package too and do
not need it.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from commonground.errors import MissingExtraError
from commonground.web.settings import PORT, WebSettings, default_data, default_workers

if TYPE_CHECKING:
    from fastapi import FastAPI

__all__ = [
    "PORT",
    "WebSettings",
    "create_app",
    "default_data",
    "default_workers",
    "serve",
]


def create_app(settings: WebSettings) -> "FastAPI":
    """Return the pages and their JSON API as an ASGI application."""
    try:
        from commonground.web.app import create_app
    except ModuleNotFoundError as error:
        raise _missing(error) from None
    return create_app(settings)


def serve(settings: WebSettings, ready: Callable[[str], None] = lambda address: None) -> None:
    """Serve the pages until the process is stopped.

    Args:
        settings: Address, database and password.
        ready: Called with the address of the first page once the server listens.
    """
    try:
        from commonground.web.server import serve
    except ModuleNotFoundError as error:
        raise _missing(error) from None
    serve(settings, ready)


def _missing(error: ModuleNotFoundError) -> Exception:
    if (error.name or "").startswith("commonground"):
        return error
    return MissingExtraError("commonground serve", "web")
