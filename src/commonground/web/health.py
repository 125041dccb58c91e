"""`/healthz` and `/readyz`: one line each, for the machines that watch the server."""

from typing import Any, Final

from anyio import CapacityLimiter, move_on_after
from anyio.to_thread import run_sync
from sqlalchemy import text
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from commonground.database import Database, UnavailableError
from commonground.web.security.middleware import Middleware

HEALTH: Final = ("/healthz", "/readyz")
_SECONDS: Final = 5.0  # for the database to answer
_CHECKS: Final = 2  # at once; a database that hangs must not take the threads of the pages


class Health(Middleware):
    """Answers `/healthz` (the process is alive) and `/readyz` (it can do its work) to anyone.

    The answers depend on no session, name or proxy: probes have none.
    """

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(app)
        self._checks = CapacityLimiter(_CHECKS)

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] not in HEALTH or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        problem = await self._problem(scope["app"].state) if scope["path"] == "/readyz" else ""
        answer = PlainTextResponse(f"{problem or 'ok'}\n", 503 if problem else 200)
        await answer(scope, receive, send)

    async def _problem(self, state: Any) -> str:
        """Return why the server cannot work, or an empty string."""
        try:
            with move_on_after(_SECONDS) as patience:
                await run_sync(_ask, state.database, abandon_on_cancel=True, limiter=self._checks)
        except UnavailableError as error:
            return str(error)
        if patience.cancelled_caught:
            return "The server's database does not answer."
        if not await run_sync(state.jobs.is_ready, limiter=self._checks):
            return "The worker processes are starting."
        return ""


def _ask(database: Database) -> None:
    with database.reading() as session:
        session.execute(text("SELECT 1"))
