"""Style and script that pages share with the standalone reports."""

from fastapi import APIRouter
from fastapi.responses import Response

from commonground.report import (
    class_style,
    feedback_style,
    overlap_script,
    overlap_style,
    page_style,
    pyramid_style,
)

router = APIRouter(prefix="/static/report", include_in_schema=False)


@router.get("/page.css")
def page_css() -> Response:
    """What every report has."""
    return Response(page_style(), media_type="text/css")


@router.get("/overlap.css")
def overlap_css() -> Response:
    """For the page of an overlap."""
    return Response(overlap_style(), media_type="text/css")


@router.get("/overlap.js")
def overlap_js() -> Response:
    """What makes evidence light up."""
    return Response(overlap_script(), media_type="text/javascript")


@router.get("/pyramid.css")
def pyramid_css() -> Response:
    """Tiers, tables and sheets; each within its own part of the Pyramid page."""
    parts = {".pyramid": pyramid_style(), ".class": class_style(), ".sheet": feedback_style()}
    rules = "\n".join(f"{where} {{{style}}}" for where, style in parts.items())
    return Response(rules, media_type="text/css")
