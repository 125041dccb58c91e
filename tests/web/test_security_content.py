"""Attacks by content: scripts in narratives and names, results made up by a browser."""

import copy
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from commonground.web import pages
from commonground.web.pages.results.compare import PAGE
from commonground.web.security.middleware import POLICY
from web_browser import Browser

NASTY = [
    "<script>alert(1)</script> The bridge was closed on Monday.",
    "<img src=x onerror=alert(1)> The bridge was closed on Monday.",
    "</textarea><script>alert(1)</script> The bridge was closed on Monday.",
    '"><svg onload=alert(1)> The bridge was closed on Monday. {{ 7 * 7 }} {% raw %}',
]


class Elements(HTMLParser):
    """All elements of a page, and what would run in it."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.scripts, self.handlers, self.styles = [], [], [], []
        self.drawings = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        values = dict(attrs)
        if tag == "script":
            self.scripts.append(values.get("src"))
        if tag == "svg":
            self.drawings.append(values.get("class"))
        self.handlers += [name for name in values if name.startswith("on")]
        self.styles += [name for name in values if name == "style"]
        self.styles += [tag] if tag == "style" else []


def harmless(page):
    found = Elements(page)
    assert None not in found.scripts, "a script in the page itself"
    assert all(source.startswith("/static/") for source in found.scripts)
    assert not found.handlers
    assert not found.styles
    assert set(found.drawings) <= {"parts"}, "only our own bars"
    assert "img" not in found.tags
    return True


@pytest.mark.parametrize("path", ["/compare", "/login", "/nowhere", "/static/base.css", "/api/x"])
def test_every_answer_carries_the_policy(owner, path):
    headers = owner.get(path).headers
    assert headers["Content-Security-Policy"] == POLICY
    assert "unsafe" not in POLICY
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"


def test_an_unexpected_error_is_told_without_its_inside(make_app):
    app = make_app()

    @app.get("/trap")
    def trap():
        raise RuntimeError("the secret inside")

    with Browser(app) as browser:
        answer = browser.get("/trap")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert answer.headers["Content-Security-Policy"] == POLICY


def test_the_page_has_no_script_or_style_of_its_own(owner):
    assert harmless(owner.get("/compare").text)


def test_pages_are_not_kept_by_caches(owner):
    assert owner.get("/compare").headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("nasty", NASTY)
def test_markup_in_a_narrative_is_shown_as_text(working, nasty):
    pair = [{"name": nasty, "text": nasty}, {"name": "b", "text": NASTY[0]}]
    found = working.result("/api/compare", json={"narratives": pair})
    assert found["state"] == "done", found
    assert harmless(found["result"]["html"])
    assert "49" not in found["result"]["html"]
    data = {"result": found["result"]["result"], "max_sentences": 3}
    link = working.post("/api/saved", json={"kind": "compare", "data": data}).json()["link"]
    page = working.get(link).text
    assert harmless(page)
    saved = working.get(f"{link}/data").json()
    assert saved["result"]["narratives"][0]["text"] == nasty


def made_up(**changes):
    data = json.loads(PAGE.example().model_dump_json())
    for path, value in changes.items():
        *parts, last = path.split("__")
        inner = data["result"]
        for part in parts:
            inner = inner[int(part) if part.isdecimal() else part]
        inner[last] = copy.deepcopy(value)
    return data


XSS = "<script>alert(1)</script>"


@pytest.mark.parametrize(
    "changes",
    [
        {"signature": XSS},
        {"narratives__0__source": XSS},
        {"statements__0__text": XSS},
        {"statements__0__evidence__0__through": XSS},
        {"conflicts__0__kind": XSS},
        {"conflicts__0__sides__0__value": XSS},
        {"conflicts__0__sides__0__text": XSS},
    ],
)
def test_a_result_made_up_by_a_browser_is_shown_as_text(owner, changes):
    data = made_up(**changes)
    link = owner.post("/api/saved", json={"kind": "compare", "data": data}).json()["link"]
    assert harmless(owner.get(link).text)
    saved = owner.post("/api/compare/page", json=data)
    assert saved.headers["Content-Disposition"].startswith("attachment")
    assert "<script>alert" not in saved.text


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"conflicts__0__sides__0__value_start": 10**9}, "is outside the text"),
        ({"statements__0__evidence__0__narrative": 7}, "there is no text 7"),
        ({"statements__0__evidence__0__end": 10**9}, "is outside the text"),
        ({"unique__0__start": -1}, "greater than or equal to 0"),
        ({"narratives": []}, "at least 2 items"),
        ({"at_least": XSS}, "valid integer"),
    ],
)
def test_a_result_that_cannot_be_is_refused(owner, changes, words):
    data = made_up(**changes)
    answer = owner.post("/api/saved", json={"kind": "compare", "data": data})
    assert answer.status_code == 400
    assert words in answer.json()["error"]
    assert owner.post("/api/compare/page", json=data).status_code == 422


def test_a_kind_that_is_not_known_is_not_saved(owner):
    answer = owner.post("/api/saved", json={"kind": "../compare", "data": {}})
    assert answer.status_code == 400
    assert "Unknown kind" in answer.json()["error"]


def test_who_has_the_link_sees_the_result_and_nothing_to_act_with(make_app):
    app = make_app(password="secret")
    with Browser(app) as owner:
        owner.post("/login", data={"password": "secret"})
        owner.visit()
        sent = {"kind": "compare", "data": made_up()}
        link = owner.post("/api/saved", json=sent).json()["link"]
        guest = Browser(app)
        page = guest.get(link)
        assert page.status_code == 200
        assert "What all 3 say" in page.text
        assert 'id="compare"' not in page.text
        assert "csrf" not in page.text
        assert "set-cookie" not in page.headers
        assert guest.get("/saved/AAAAAAAAAAAAAAAAAAAAAA").status_code == 404


def test_only_the_owner_takes_a_link_back(make_app):
    app = make_app(password="secret")
    with Browser(app) as owner:
        owner.post("/login", data={"password": "secret"})
        owner.visit()
        sent = {"kind": "compare", "data": made_up()}
        link, other = (owner.post("/api/saved", json=sent).json()["link"] for _ in range(2))
        guest = Browser(app)
        assert guest.delete(f"/api{link}").status_code == 401
        assert 'data-act="delete"' not in guest.get(link).text
        assert 'data-act="delete"' in owner.get(link).text
        without = {"X-CSRF-Token": ""}
        assert owner.delete(f"/api{link}", headers=without).status_code == 403
        assert guest.get(link).status_code == 200
        assert owner.delete(f"/api{link}").status_code == 204
        assert [one.get(link).status_code for one in (owner, guest)] == [404, 404]
        assert guest.get(f"{link}/data").status_code == 404
        assert owner.delete(f"/api{link}").status_code == 404
        assert owner.delete("/api/saved/%00").status_code == 404
        assert guest.get(other).status_code == 200


def test_no_form_would_put_what_is_typed_into_an_address():
    # A form without a method is sent by GET where its script has not come yet.
    for template in Path(pages.__file__).parents[1].joinpath("templates").glob("*.html"):
        for form in re.findall("<form[^>]*>", template.read_text("utf-8")):
            assert re.search('method="(post|dialog)"|method="get" action=', form), form
