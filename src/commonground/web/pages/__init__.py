"""The pages, each with its router."""

from commonground.web.pages import help, jobs, start
from commonground.web.pages.annotate import guidelines, importing, labelling, projects, review
from commonground.web.pages.people import account, joining, login, people, provider, sharing
from commonground.web.pages.results import compare, pyramid, saved, score, systems

_ANNOTATE = (guidelines, importing, labelling, projects, review)
_RESULTS = (compare, jobs, pyramid, saved, score, start, systems)
_PAGES = (*_ANNOTATE, *_RESULTS, account, help, joining, login, people, provider, sharing)
ROUTERS = tuple(page.router for page in _PAGES)
