"""The pages, each with its router."""

from commonground.web.pages import jobs, login, start
from commonground.web.pages.annotate import guidelines, importing, labelling, projects, review
from commonground.web.pages.results import compare, pyramid, saved, score

_ANNOTATE = (guidelines, importing, labelling, projects, review)
_PAGES = (*_ANNOTATE, compare, jobs, login, pyramid, saved, score, start)
ROUTERS = tuple(page.router for page in _PAGES)
