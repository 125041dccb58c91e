"""Servers and browsers that are real processes, shared by the system tests."""

import pytest
from playwright.sync_api import sync_playwright

from people import CHROMIUM, Person
from postgres_server import postgres_server
from served import Served


@pytest.fixture(scope="session")
def postgres():
    """A PostgreSQL server of the tests' own."""
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The pages, on this machine and without a password; two jobs may wait."""
    served = Served("--data", tmp_path_factory.mktemp("data"), "--queue", "2")
    yield served
    assert served.stop() == "", "the server's log has nothing to say"


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def chromium(playwright):
    # The sandbox needs rights that containers and root do not give; the pages are our own.
    browser = playwright.chromium.launch(executable_path=CHROMIUM, chromium_sandbox=False)
    yield browser
    browser.close()


@pytest.fixture
def browser(chromium):
    """The browser that people use; a test file may name another one."""
    return chromium


@pytest.fixture
def people(browser):
    """Makes people: `people(address, **look)`; all of them leave at the end without a fault."""
    here = []

    def make(address, **look):
        here.append(Person(browser, address, **look))
        return here[-1]

    yield make
    for one in here:
        one.leave()


@pytest.fixture
def owner(people, server):
    """Somebody at the server without a password."""
    return people(server.address)
