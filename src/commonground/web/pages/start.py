"""The start page: one card for each task, and the latest saved results."""

from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import Response

from commonground.database import list_saved
from commonground.web.context import CurrentSession, TheDatabase, page
from commonground.web.pages.results.saved import PAGES

router = APIRouter()

_RECENT: Final = 5


@router.get("/", include_in_schema=False)
def start(request: Request, session: CurrentSession, database: TheDatabase) -> Response:
    """Show the tasks and the viewer's latest results."""
    recent = list_saved(database, _RECENT, viewer=session.viewer)
    names = {name: page.kind for name, page in PAGES.items()}
    return page(request, "start.html", recent=recent, names=names)
