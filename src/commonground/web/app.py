"""The application: its pages, middleware and error responses."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from commonground.annotate import ConflictError, NotFoundError, QuotaError, purge_unfinished
from commonground.database import UnavailableError, open_database
from commonground.errors import CommongroundError, InputError
from commonground.report import OVERLAP_SCRIPTS, asset
from commonground.version import __version__
from commonground.web.context import failure, validation_message
from commonground.web.health import Health
from commonground.web.jobs import Jobs, QueueFullError
from commonground.web.pages import ROUTERS
from commonground.web.security.failures import log_failure
from commonground.web.security.hosts import Hosts, NoProxy
from commonground.web.security.json_body import JsonBody
from commonground.web.security.middleware import BodyLimit, Gate, SafeHeaders
from commonground.web.security.password import Hasher, Password, RateLimit, Throttle
from commonground.web.security.paths import Head, RootPath
from commonground.web.security.provider import Provider
from commonground.web.security.token import LocalToken, owner_mark
from commonground.web.settings import WebSettings

_STATIC = Path(__file__).parent / "static"
# Styles and scripts that pages share with the standalone reports.
_REPORT_FILES: Final = ("page.css", "overlap.css", *OVERLAP_SCRIPTS, "sortable.js", "mark.svg")
_MEDIA_TYPES: Final = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
# The Pyramid page has several reports, so their styles are scoped to its parts.
_PYRAMID_STYLES: Final = {
    ".pyramid": "pyramid.css",
    ".class": "class.css",
    ".sheet": "feedback.css",
}

# Newer versions of FastAPI can report requests elsewhere, depending on the environment. Users'
# texts stay here. Older versions ignore this.
_NO_TELEMETRY: Final[Any] = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}


def create_app(settings: WebSettings) -> FastAPI:
    """Return the application; it opens its database now and starts its workers when it runs."""
    app = FastAPI(
        title="commonground",
        version=__version__,
        description="What do these narratives agree on, and how well does a summary say it?",
        openapi_url="/api/openapi.json",
        docs_url=None,  # these pages load scripts from other sites
        redoc_url=None,
        servers=[{"url": settings.root_path or "/"}],
        lifespan=_lifespan,
        telemetry=_NO_TELEMETRY,
    )
    app.state.settings = settings
    app.state.database = open_database(settings.database_url())
    purge_unfinished(app.state.database)
    app.state.owner_mark = owner_mark(settings, app.state.database)
    app.state.hasher = Hasher()
    password = settings.password
    app.state.password = Password(password, app.state.hasher) if password else None
    app.state.invitations = RateLimit(50, 3600.0)
    app.state.shared_files = RateLimit(30, 60.0)
    app.state.shared_file = asyncio.Semaphore()  # one file at a time
    token = None if settings.has_login else settings.token
    app.state.token = LocalToken(token) if token else None
    app.state.provider = Provider(settings.oidc) if settings.oidc else None
    app.state.throttle = Throttle()
    app.state.link_throttle = Throttle()
    for router in ROUTERS:
        app.include_router(router)
    app.add_api_route("/static/report/{name}", _report_file, include_in_schema=False)
    # Only these files: in a compressed page, the length would give hints about the token in it.
    app.mount("/static", GZipMiddleware(StaticFiles(directory=_STATIC)))
    # From the innermost to the outermost.
    app.add_middleware(JsonBody)
    app.add_middleware(Gate, settings=settings)
    app.add_middleware(BodyLimit)
    if not settings.proxies:
        app.add_middleware(NoProxy, settings=settings)
    app.add_middleware(Hosts, settings=settings)
    app.add_middleware(Health)
    if settings.root_path:
        app.add_middleware(RootPath, root=settings.root_path)
    app.add_middleware(Head)
    app.add_middleware(SafeHeaders)
    _add_error_handlers(app)
    return app


def _report_file(name: str) -> Response:
    if name == "pyramid.css":
        styles = (f"{part} {{{asset(file)}}}" for part, file in _PYRAMID_STYLES.items())
        return Response("\n".join(styles), media_type="text/css")
    if name not in _REPORT_FILES:
        raise HTTPException(404)
    return Response(asset(name), media_type=_MEDIA_TYPES[name.split(".")[-1]])


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: WebSettings = app.state.settings
    jobs = app.state.jobs = Jobs(settings.workers, settings.queue)
    jobs.start()
    try:
        yield
    finally:
        jobs.close()
        app.state.database.close()


def _add_error_handlers(app: FastAPI) -> None:
    @app.exception_handler(QueueFullError)
    async def busy(request: Request, error: QueueFullError) -> Response:
        headers = {"Retry-After": str(error.retry_after)}
        return failure(request.scope, 503, str(error), headers)

    @app.exception_handler(CommongroundError)
    async def failed(request: Request, error: CommongroundError) -> Response:
        if isinstance(error, UnavailableError):
            log_failure(request.scope, error)
            return failure(request.scope, error.status, str(error))
        if isinstance(error, QuotaError):
            return failure(request.scope, error.status, str(error))
        statuses = ((NotFoundError, 404), (ConflictError, 409), (InputError, 400))
        status = next((status for kind, status in statuses if isinstance(error, kind)), 500)
        return failure(request.scope, status, str(error))

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> Response:
        detail = str(error.detail)
        message = "This page does not exist." if detail == "Not Found" else detail
        return failure(request.scope, error.status_code, message, error.headers)

    @app.exception_handler(RequestValidationError)
    @app.exception_handler(ValidationError)  # of values that a change has made of a request's
    async def invalid(
        request: Request, error: RequestValidationError | ValidationError
    ) -> Response:
        return failure(request.scope, 422, validation_message(error.errors()[0]))
