"""Pages on your own machine: compare, score, grade and annotate in a browser.

FastAPI and all that comes with it are imported when a server is made: a worker process imports
this package too, and needs none of it.
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
    """The pages and their JSON API as an ASGI application."""
    try:
        from commonground.web.app import create_app
    except ModuleNotFoundError as error:
        raise _missing(error) from None
    return create_app(settings)


def serve(settings: WebSettings, ready: Callable[[str], None] = lambda address: None) -> None:
    """Serve the pages until the process is told to end.

    Args:
        settings: Where to listen, where to keep what is kept, who may come in.
        ready: Called with the first page's address when it can be opened.
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
