"""Attacks by people who have an account, and on the names of accounts."""

import pytest

from account_people import PASSWORD, account, logged_in, project
from commonground.database import list_accounts
from web_browser import Browser


@pytest.fixture
def app(make_app):
    return make_app(accounts=True)


@pytest.fixture
def admin(app):
    return logged_in(app, "head", "administrator")


def log_in(browser, name, password=PASSWORD):
    return browser.post("/login", data={"name": name, "password": password})


def test_logging_in_between_gives_no_more_guesses_at_another_password(app):
    account(app, "mallory")
    account(app, "head", "administrator")
    browser, answers = Browser(app), []
    for number in range(12):
        answers.append(log_in(browser, " HEAD "[number % 2 :], f"guess {number}").status_code)
        assert log_in(browser, "mallory").status_code == 303
    assert answers == [403] * 5 + [429] * 7
    assert log_in(browser, "head").status_code == 429


def test_one_address_has_thirty_failures_whatever_the_names(app):
    account(app, "mallory")
    browser = Browser(app)
    assert log_in(browser, "mallory").status_code == 303
    answers = [log_in(browser, f"name{number}").status_code for number in range(31)]
    assert answers == [403] * 30 + [429]


@pytest.mark.parametrize("name", ["nobody", "Agreement", "adjudicated"])
def test_names_that_stand_for_nobody_are_reserved(admin, name):
    answer = admin.post("/api/people", json={"name": name})
    assert answer.status_code == 400
    assert "is reserved" in answer.json()["error"]


def test_a_member_does_not_invite_by_a_line_break(app, ada, bob):
    number = project(ada)
    sent = {"name": "eve", "role": "administrator"}
    assert bob.post("/api/people%0a", json=sent).status_code == 404
    for path in ("/people", f"/annotate/projects/{number}/review"):
        assert bob.get(f"{path}%0a").status_code == 404
    assert len(list_accounts(app.state.database)) == 2
