"""Servers with a saved result, and whether two of them show the same pages."""

import contextlib
import json
import re

from commonground.web.pages.results import compare
from served import Served

SAVED = {"kind": "compare", "data": json.loads(compare.PAGE.example().model_dump_json())}


@contextlib.contextmanager
def served(*arguments):
    server = Served(*arguments)
    try:
        yield server
    finally:
        said = server.stop()
        assert all("failed: UnavailableError" in line for line in said.splitlines()), said


def _page(browser, link):
    """A saved page without what belongs to the session."""
    answer = browser.get(link)
    assert answer.status_code == 200
    return re.sub('<meta name="csrf" content="[^"]+">', "", answer.text)


def same_pages(links, first, second):
    with first.browser() as here, second.browser() as there:
        here.visit("/saved"), there.visit("/saved")
        for link in links:
            assert _page(here, link) == _page(there, link)
