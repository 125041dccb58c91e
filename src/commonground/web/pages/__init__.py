"""The pages, each with its router."""

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
    texts,
)

_PAGES = (annotate, annotate_work, compare, jobs, kept, login, pyramid, score, static, texts)
ROUTERS = tuple(page.router for page in _PAGES)
