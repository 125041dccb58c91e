"""The application: pages, what stands before them, and what failures look like."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from commonground.annotate import ConflictError, NotFoundError
from commonground.annotate.database import end_all_sessions, open_database
from commonground.errors import CommongroundError, InputError
from commonground.version import __version__
from commonground.web.pages import ROUTERS
from commonground.web.respond import failure, plain_words
from commonground.web.security.body import BodyLimit
from commonground.web.security.gate import Gate
from commonground.web.security.headers import Hosts, SafeHeaders
from commonground.web.security.password import Password, Throttle
from commonground.web.settings import WebSettings
from commonground.web.work import Jobs, QueueFullError

_STATIC = Path(__file__).parent / "static"


def _status(error: CommongroundError) -> int:
    if isinstance(error, NotFoundError):
        return 404
    if isinstance(error, ConflictError):
        return 409
    return 400 if isinstance(error, InputError) else 500


_NOT_FOUND = "There is nothing here."

# Newer versions of FastAPI can report each request elsewhere; people's texts stay here, whatever
# the environment says. Older versions take no notice of it.
_NO_TELEMETRY: Final[Any] = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}


def create_app(settings: WebSettings) -> FastAPI:
    """The application. Its database is opened here, its workers when it starts to run."""
    app = FastAPI(
        title="commonground",
        version=__version__,
        description="What do these narratives agree on, and how well does a summary say it?",
        openapi_url="/api/openapi.json",
        docs_url=None,  # these pages load scripts from elsewhere
        redoc_url=None,
        lifespan=_running,
        telemetry=_NO_TELEMETRY,
    )
    app.state.settings = settings
    app.state.database = open_database(settings.database_url())
    # Whoever had the last password, or came without one, comes in anew.
    end_all_sessions(app.state.database, "owner")
    app.state.password = Password(settings.password) if settings.password else None
    app.state.throttle = Throttle()
    for router in ROUTERS:
        app.include_router(router)
    app.mount("/static", StaticFiles(directory=_STATIC))
    _add_checks(app, settings)
    _add_failures(app)
    return app


@asynccontextmanager
async def _running(app: FastAPI) -> AsyncIterator[None]:
    settings: WebSettings = app.state.settings
    jobs = app.state.jobs = Jobs(settings.workers, settings.queue)
    jobs.start()
    try:
        yield
    finally:
        jobs.close()
        app.state.database.close()


def _add_checks(app: FastAPI, settings: WebSettings) -> None:
    """From the innermost to the outermost."""
    app.add_middleware(Gate, settings=settings)
    app.add_middleware(BodyLimit)
    app.add_middleware(Hosts, local=settings.is_local and not settings.behind_proxy)
    app.add_middleware(SafeHeaders)


def _add_failures(app: FastAPI) -> None:
    @app.exception_handler(QueueFullError)
    async def busy(request: Request, error: QueueFullError) -> Response:
        headers = {"Retry-After": str(error.retry_after)}
        return failure(request.scope, 503, str(error), headers)

    @app.exception_handler(CommongroundError)
    async def refused(request: Request, error: CommongroundError) -> Response:
        return failure(request.scope, _status(error), str(error))

    @app.exception_handler(HTTPException)
    async def declined(request: Request, error: HTTPException) -> Response:
        words = _NOT_FOUND if error.status_code == 404 and error.detail == "Not Found" else None
        headers = dict(error.headers or {})
        return failure(request.scope, error.status_code, words or str(error.detail), headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        return failure(request.scope, 422, plain_words(error.errors()[0]))
