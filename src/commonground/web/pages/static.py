"""Styles and scripts that pages share with the standalone reports."""

from collections.abc import Callable

from fastapi import APIRouter, HTTPException
from fastapi.responses import Response

from commonground.report import (
    class_style,
    feedback_style,
    overlap_script,
    overlap_style,
    page_style,
    pyramid_style,
)

router = APIRouter(include_in_schema=False)


def _pyramid_page_style() -> str:
    """Return the styles of tiers, tables and sheets, each scoped to its part of the page."""
    parts = {".pyramid": pyramid_style(), ".class": class_style(), ".sheet": feedback_style()}
    return "\n".join(f"{selector} {{{style}}}" for selector, style in parts.items())


_FILES: dict[str, Callable[[], str]] = {
    "page.css": page_style,
    "overlap.css": overlap_style,
    "overlap.js": overlap_script,
    "pyramid.css": _pyramid_page_style,
}


@router.get("/static/report/{name}")
def report_file(name: str) -> Response:
    """Return a style or script of the reports."""
    if name not in _FILES:
        raise HTTPException(404)
    kind = "text/css" if name.endswith(".css") else "text/javascript"
    return Response(_FILES[name](), media_type=kind)
