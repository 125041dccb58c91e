"""A running application, and browsers of the owner and of strangers.

`owner` and `client` have no workers, so that what they submit stays queued; `working` has one,
which loads the models once for all tests.
"""

import pytest
from argon2 import PasswordHasher
from fastapi.testclient import TestClient

from account_people import logged_in
from commonground.web import WebSettings, create_app
from commonground.web.security.password import Hasher
from web_browser import Browser

# Hashing as it should be takes a second on a busy machine; test_security_login tries that once.
_CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture
def make_app(tmp_path):
    """Makes applications with a folder of their own; `workers=0` leaves all work queued."""

    def make(password=None, **settings):
        if password and not password.startswith("$argon2"):
            password = _CHEAP.hash(password)
        settings["password"] = password
        app = create_app(WebSettings(**{"data": tmp_path, "workers": 0, "token": None, **settings}))
        app.state.hasher = Hasher(_CHEAP)
        return app

    return make


@pytest.fixture
def app(make_app):
    """A server with accounts."""
    return make_app(accounts=True)


@pytest.fixture
def admin(app):
    return logged_in(app, "head", "administrator")


@pytest.fixture
def ada(app):
    return logged_in(app, "ada")


@pytest.fixture
def bob(app):
    return logged_in(app, "bob")


@pytest.fixture(scope="session")
def idle_app(tmp_path_factory):
    settings = WebSettings(data=tmp_path_factory.mktemp("web"), workers=0, queue=10_000, token=None)
    app = create_app(settings)
    with TestClient(app):
        yield app


@pytest.fixture
def owner(idle_app):
    """The owner, at a server without workers that all tests share."""
    browser = Browser(idle_app)  # not entered: the application runs already
    browser.visit()
    return browser


@pytest.fixture
def client(make_app):
    """The owner, at a server without workers where nobody was before."""
    with Browser(make_app()) as browser:
        browser.visit()
        yield browser


@pytest.fixture(scope="session")
def working_app(tmp_path_factory):
    app = create_app(WebSettings(data=tmp_path_factory.mktemp("web"), workers=1, token=None))
    with TestClient(app):
        yield app


@pytest.fixture
def working(working_app):
    """The owner, at a server that works."""
    browser = Browser(working_app)
    browser.visit()
    return browser
