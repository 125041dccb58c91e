"""What page functions are given: the session, the jobs, the database, and templates."""

from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, HTTPException, Request
from fastapi.responses import HTMLResponse
from fastapi.templating import Jinja2Templates

from commonground.annotate.database import Database, Session
from commonground.version import __version__
from commonground.web.work import Jobs

_templates = Jinja2Templates(Path(__file__).parent / "templates")
_templates.env.globals["version"] = __version__


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page from a template, which also knows the session and where in the menu it stands."""
    session = getattr(request.state, "session", None)
    locked = request.app.state.settings.password is not None
    context = {"session": session, "path": request.scope["path"], "locked": locked, **values}
    return _templates.TemplateResponse(request, template, context, status_code=status)


def _session(request: Request) -> Session:
    session: Session | None = getattr(request.state, "session", None)
    if session is None:  # the gate lets such through to pages that are open to anyone only
        raise HTTPException(401, "Your session is over: load the page again.")
    return session


def _jobs(request: Request) -> Jobs:
    jobs: Jobs = request.app.state.jobs
    return jobs


def _database(request: Request) -> Database:
    database: Database = request.app.state.database
    return database


CurrentSession = Annotated[Session, Depends(_session)]
"""Who asks; the gate has checked that they may."""

TheJobs = Annotated[Jobs, Depends(_jobs)]
"""The pool of workers."""

TheDatabase = Annotated[Database, Depends(_database)]
"""The one database."""
