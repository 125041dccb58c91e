"""The pages, each with its router."""

from typing import Final

from fastapi import APIRouter

from commonground.web.pages import (
    annotate,
    annotate_work,
    compare,
    jobs,
    kept,
    login,
    pyramid,
    score,
    static,
    text,
)

ROUTERS: Final[tuple[APIRouter, ...]] = (
    annotate.router,
    annotate_work.router,
    compare.router,
    jobs.router,
    kept.router,
    login.router,
    pyramid.router,
    score.router,
    static.router,
    text.router,
)
