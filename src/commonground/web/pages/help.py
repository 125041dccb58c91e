"""The Help page: the same for everyone, with nothing of anyone's."""

from fastapi import APIRouter, Request
from fastapi.responses import Response

from commonground.web.context import page

router = APIRouter()


@router.get("/help", include_in_schema=False)
def help_page(request: Request) -> Response:
    """Say what each page is for, which keys there are, and where texts stay."""
    return page(request, "help.html")
