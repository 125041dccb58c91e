"""Values that are not JSON: refused with 400 and a line by every route that takes a body."""

import pytest

from account_people import save
from commonground.database import add_account
from web_browser import Browser

BAD = [rb'"\ud800"', rb'["\udc00x"]', b'{"\\uDEAD": 1}', b"NaN", b"-Infinity", b"[1e999]"]
RAW = [b'"\xed\xa0\x80"', '"\ud800"'.encode("utf-16", "surrogatepass")]


def _routes(app):
    """Every route that takes JSON, as the API describes itself."""
    for path, methods in app.openapi()["paths"].items():
        for method, about in methods.items():
            if "application/json" in about.get("requestBody", {}).get("content", {}):
                yield method.upper(), path


@pytest.fixture
def ids(owner):
    """What the paths name; it exists, else a request is refused before its body is read."""
    project = owner.post("/api/annotate/example").json()["project"]
    _, account = add_account(owner.app.state.database, f"ada-{project}", "member")
    link = save(owner).rpartition("/")[2]
    return {"project": project, "link": link, "account": account.id, "form": "csv"}


@pytest.fixture
def annotator(owner, ids):
    """Somebody who labels in the project."""
    path = f"/api/annotate/projects/{ids['project']}/annotators"
    browser = Browser(owner.app)
    browser.post(owner.post(path, json={"name": "Zoe"}).json()["link"])
    browser.visit("/annotate/work/1")
    return browser


def test_every_route_refuses_them(owner, annotator, ids):
    routes = list(_routes(owner.app))
    assert len(routes) >= 10
    for method, path in routes:
        browser = annotator if path.startswith("/api/annotate/work/") else owner
        for body in (*BAD, *RAW):
            headers = {"Content-Type": "application/json"}
            answer = browser.request(method, path.format(**ids), content=body, headers=headers)
            assert answer.status_code == 400, (method, path, body, answer.text)
            assert answer.json()["error"].startswith("This request cannot be read: ")


@pytest.mark.parametrize("kind", ["application/json", "application/x+json", "text/plain", ""])
def test_the_type_of_the_body_makes_no_difference(owner, kind):
    body = b'{"kind": "score", "data": {"name": "\\ud800"}}'
    answer = owner.post("/api/saved", content=body, headers={"Content-Type": kind})
    assert answer.status_code == 400


def test_a_whole_pair_is_welcome(owner):
    pair = [{"name": "a", "text": "x \\ud83d\\ude00"}, {"name": "b", "text": "NaN Infinity"}]
    assert owner.post("/api/compare", json={"narratives": pair}).status_code == 202
