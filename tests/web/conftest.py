"""A running application, and browsers of the owner and of strangers.

`client` has no workers, so that what it submits stays queued; `working` has one, which loads the
models once for all tests.
"""

import re
import time

import pytest
from fastapi.testclient import TestClient

from commonground.web import WebSettings, create_app

ORIGIN = "http://localhost"


class Browser(TestClient):
    """A browser at this machine: it sends its origin, and the token of the page it saw."""

    def __init__(self, app):
        super().__init__(app, base_url=ORIGIN, follow_redirects=False)
        self.headers["Origin"] = ORIGIN

    def visit(self, path="/compare"):
        """Open a page and take its token, as the page's script would."""
        page = self.get(path)
        if found := re.search('<meta name="csrf" content="([^"]+)">', page.text):
            self.headers["X-CSRF-Token"] = found[1]
        return page

    def result(self, path, **sent):
        """Start a job and wait for its end; what the page is told of it."""
        answer = self.post(path, **sent)
        assert answer.status_code == 202, answer.text
        while True:
            status = self.get(f"/api/jobs/{answer.json()['job']}", params={"after": 0}).json()
            if status["state"] in ("done", "failed", "cancelled"):
                return status
            time.sleep(0.02)


@pytest.fixture
def make_app(tmp_path):
    """Makes applications with a folder of their own; `workers=0` leaves all work queued."""

    def make(**settings):
        return create_app(WebSettings(**{"data": tmp_path, "workers": 0, **settings}))

    return make


@pytest.fixture
def client(make_app):
    """The owner, at a server without workers."""
    with Browser(make_app()) as browser:
        browser.visit()
        yield browser


@pytest.fixture(scope="session")
def working_app(tmp_path_factory):
    app = create_app(WebSettings(data=tmp_path_factory.mktemp("web"), workers=1))
    with TestClient(app):
        yield app


@pytest.fixture
def working(working_app):
    """The owner, at a server that works."""
    browser = Browser(working_app)  # not entered: the application runs already
    browser.visit()
    return browser
