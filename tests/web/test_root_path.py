"""The pages below a path that a proxy shares with other sites."""

import re

import pytest

from commonground.errors import InputError
from commonground.web import WebSettings
from web_browser import Browser


@pytest.fixture
def browser(make_app):
    with Browser(make_app("a long password", root_path="/study")) as browser:
        yield browser


def _enter(browser):
    answer = browser.post("/study/login", data={"password": "a long password", "next": "/score"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/study/score")
    return answer


def test_everything_is_below_the_root_path(browser):
    assert browser.get("/study/compare").headers["location"] == "/study/login?next=%2Fcompare"
    cookie = _enter(browser).headers["set-cookie"]
    assert "Path=/study/;" in cookie
    for path in ("/compare", "/score", "/pyramid", "/annotate", "/saved", "/nothing"):
        page = browser.get(f"/study{path}")
        links = re.findall(r'(?:href|src|action)="(/[^"]*)"', page.text)
        assert links
        assert all(link.startswith("/study/") for link in links), links
        for link in set(links) & {one for one in links if "/static/" in one}:
            assert browser.get(link).status_code == 200, link


def test_redirects_keep_it(browser):
    _enter(browser)
    for path in ("/", "/study"):
        assert browser.get(path).headers["location"] == "/study/"
    # One that the router makes, with the whole address.
    assert browser.get("/study/saved/").headers["location"].endswith("/study/saved")


@pytest.mark.parametrize("path", ["/compare", "/studying", "/study2/compare", "/static/base.css"])
def test_there_is_nothing_beside_it(browser, path):
    answer = browser.get(path)
    assert answer.status_code == 404
    assert "/study/" in answer.text
    assert answer.headers["content-security-policy"]


def test_probes_are_answered_on_both_paths(browser):
    for path in ("/healthz", "/study/healthz", "/readyz", "/study/readyz"):
        assert browser.get(path).status_code == 200


def test_a_path_of_the_pages_own_may_be_the_root_path(make_app):
    with Browser(make_app(root_path="/saved")) as browser:
        assert "Saved" in browser.visit("/saved/saved").text
        assert browser.get("/saved/saved/none").status_code == 404
        assert browser.get("/saved/static/base.css").status_code == 200


def test_a_failure_below_static_links_to_the_pages(make_app):
    with Browser(make_app()) as browser:
        page = browser.get("/static/nothing.css")
        assert page.status_code == 404
        assert 'href="/static/base.css"' in page.text


def test_the_api_names_its_server(browser):
    _enter(browser)
    schema = browser.get("/study/api/openapi.json").json()
    assert schema["servers"] == [{"url": "/study"}]
    assert "/api/compare" in schema["paths"]


@pytest.mark.parametrize("path", ["study", "/study/", "//evil", "/..", "/a b", "/a?b", "/ü"])
def test_what_is_no_root_path_is_refused(path, tmp_path):
    with pytest.raises(InputError, match="root path"):
        WebSettings(root_path=path, data=tmp_path)
