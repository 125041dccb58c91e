"""The token of a server on this machine: who has not got the printed link gets nothing."""

import re
from urllib.parse import urlsplit

import pytest

from commonground.web import WebSettings, create_app
from web_browser import Browser

TOKEN = "a-token-that-nobody-guesses-0123456789abcdef"


@pytest.fixture
def app(make_app):
    return make_app(token=TOKEN)


def entered(app, path="/login", **parameters):
    browser = Browser(app)
    answer = browser.get(path, params=parameters)
    return browser, answer


def test_a_server_has_a_token_of_its_own_unless_it_is_told_otherwise(tmp_path):
    first, second = (WebSettings(data=tmp_path) for _ in range(2))
    assert first.token != second.token
    assert len(first.token) >= 43
    assert first.token not in repr(first)
    assert not first.is_open
    assert WebSettings(data=tmp_path, token=None).is_open


def test_without_the_token_there_is_a_page_that_says_what_to_do(app):
    browser = Browser(app)
    for path in ("/", "/compare", "/annotate", "/saved"):
        answer = browser.get(path)
        assert answer.status_code == 303
        assert answer.headers["location"].startswith("/login?next=")
        assert "set-cookie" not in answer.headers
    for path in ("/api/compare/example", "/api/openapi.json"):
        assert browser.get(path).status_code == 401
    page = browser.get("/login").text
    assert "printed a link with a token" in page
    assert 'name="password"' in page
    assert TOKEN not in page
    assert "<nav" not in page


def test_the_printed_link_opens_the_pages_and_leaves_no_token_in_the_address(app):
    browser, answer = entered(app, token=TOKEN, next="/compare")
    assert (answer.status_code, answer.headers["location"]) == (303, "/compare")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert TOKEN not in cookie
    page = browser.visit("/compare")
    assert page.status_code == 200
    assert TOKEN not in page.text
    assert 'id="log-out"' not in page.text  # as simple as without a token
    assert browser.post("/api/annotate/example").status_code == 201


@pytest.mark.parametrize(
    "given", [TOKEN, f"http://localhost:8765/login?token={TOKEN}", f" {TOKEN} "]
)
def test_the_token_or_the_whole_link_can_be_pasted(app, given):
    browser = Browser(app)
    answer = browser.post("/login", data={"password": given, "next": "/score"})
    assert answer.headers["location"] == "/score"
    assert browser.get("/score").status_code == 200


@pytest.mark.parametrize("wrong", ["x", TOKEN[:-1], TOKEN + "A", TOKEN.upper(), "é", "\x00"])
def test_another_token_opens_nothing(app, wrong):
    for answer in (
        entered(app, token=wrong)[1],
        Browser(app).post("/login", data={"password": wrong}),
    ):
        assert answer.status_code == 403
        assert "This token is not valid" in answer.text
        assert "set-cookie" not in answer.headers


def test_a_ticket_works_once_and_its_second_use_ends_what_the_first_began(app):
    ticket = app.state.token.ticket()
    thief, answer = entered(app, ticket=ticket)
    assert answer.status_code == 303
    assert thief.get("/compare").status_code == 200
    browser, answer = entered(app, ticket=ticket)
    assert answer.status_code == 403
    assert "This link was used before" in answer.text
    assert thief.get("/compare").status_code == 303
    assert browser.get("/compare").status_code == 303
    assert entered(app, ticket="invented")[1].status_code == 403


def test_a_restart_keeps_the_session_though_the_token_is_another(make_app):
    browser, _ = entered(make_app(token=TOKEN), token=TOKEN)
    again = Browser(make_app(token="b" * 43))
    again.cookies.update(dict(browser.cookies))
    assert again.get("/compare").status_code == 200


@pytest.mark.parametrize("other", [{"token": None}, {"password": "x" * 12}, {"token": "c" * 43}])
def test_a_second_server_on_the_folder_logs_nobody_out(make_app, other):
    first, _ = entered(make_app(token=TOKEN), token=TOKEN)
    second = Browser(make_app(**{"token": TOKEN, **other}))
    second.visit("/compare")
    assert first.get("/compare").status_code == 200


def test_a_second_server_with_the_same_password_keeps_the_first_ones_owner(tmp_path):
    apps = [create_app(WebSettings(data=tmp_path, workers=0, password="p" * 12)) for _ in range(2)]
    first, second = map(Browser, apps)
    first.post("/login", data={"password": "p" * 12})
    second.cookies.update(dict(first.cookies))
    assert [one.get("/compare").status_code for one in (first, second)] == [200, 200]
    changed = Browser(create_app(WebSettings(data=tmp_path, workers=0, password="q" * 12)))
    changed.cookies.update(dict(first.cookies))
    assert changed.get("/compare").status_code == 303


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"token": None}, {"token": TOKEN}),
        ({"token": None}, {"password": "x" * 12}),
        ({"token": TOKEN}, {"password": "x" * 12}),
        ({"token": TOKEN}, {"accounts": True}),
        ({"token": None}, {"accounts": True}),
    ],
)
def test_sessions_of_an_easier_door_do_not_open_a_harder_one(make_app, before, after):
    browser, _ = entered(make_app(**before), token=TOKEN)
    browser.visit("/compare")
    assert browser.get("/compare").status_code == 200
    harder = Browser(make_app(**after))
    harder.cookies.update(dict(browser.cookies))
    assert harder.get("/compare").status_code == 303


def test_the_fingerprint_of_a_password_is_not_the_password(tmp_path):
    app = create_app(WebSettings(data=tmp_path, workers=0, password="a long password"))
    assert re.fullmatch("[0-9a-f]{64}", app.state.owner_mark)
    other = create_app(WebSettings(data=tmp_path / "b", workers=0, password="a long password"))
    assert other.state.owner_mark != app.state.owner_mark  # a salt of its own


def test_an_annotator_needs_no_token_and_gets_no_more_than_before(app):
    owner, _ = entered(app, token=TOKEN)
    owner.visit("/annotate")
    project = owner.post("/api/annotate/example").json()["project"]
    people = f"/api/annotate/projects/{project}/annotators"
    link = owner.post(people, json={"name": "Ada"}).json()["link"]
    annotator = Browser(app)
    assert annotator.get(link).status_code == 200
    assert annotator.post(link, data={}).status_code == 303
    assert annotator.get("/annotate/work/1").status_code == 200
    refused = annotator.get("/compare")
    assert refused.status_code == 403
    assert "then open the link that the server printed" in refused.text


def test_a_link_elsewhere_to_the_login_page_leads_to_no_other_site(app):
    answer = entered(app, token=TOKEN, next="//evil.example")[1]
    assert urlsplit(answer.headers["location"]).netloc == ""
