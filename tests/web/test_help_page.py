"""The Help page: linked from every page, open to everyone, the same whoever looks."""

import re
import shlex

import pytest

from account_people import logged_in, project, save
from commonground.annotate import invite
from commonground.database import start_session
from html_reader import Reader
from test_docs import unknown_words
from web_browser import Browser

PAGES = ("compare", "score", "pyramid", "annotate", "saved")


def main(page):
    return Reader(page[page.index("<main") : page.index("</main>") + len("</main>")])


def words(page):
    return " ".join(text for _, text in main(page).words)


@pytest.mark.parametrize("path", ["/", *(f"/{name}" for name in PAGES), "/help", "/nothing"])
def test_every_page_links_to_it(client, path):
    foot = client.get(path).text.partition('<footer class="foot">')[2]
    assert re.findall(r'<a href="([^"]+)"', foot) == ["/help"]


def test_it_names_every_page_and_its_own_parts(client):
    page = main(client.get("/help").text)
    links = [one["href"] for one in page.named("a")]
    assert [one for one in links if one.startswith("/")] == [f"/{name}" for name in PAGES]
    parts = {one["id"] for one in page.named("h2")}
    assert {one[1:] for one in links if one.startswith("#")} == parts
    assert "deploy" in parts
    assert not [one for one in links if "//" in one]


def test_its_commands_exist(client):
    found = re.findall(r"<code>(commonground [^<]+)</code>", client.get("/help").text)
    assert len(found) == 3
    for line in found:
        assert unknown_words(line) == [], line
        assert shlex.split(line)[0] == "commonground"


def test_it_is_open_to_everyone_and_has_nothing_of_anyone(app, admin, ada):
    link, number = save(ada), project(ada)
    database = app.state.database
    secret, _ = start_session(database, "annotator", invite(database, number, "Third")[1].id)
    annotator = Browser(app)
    annotator.cookies.set(app.state.settings.cookie, secret)
    pages = {who: one.get("/help") for who, one in (("annotator", annotator), ("no", Browser(app)))}
    users = [one.get("/help") for one in (ada, admin, logged_in(app, "bob"))]
    assert {one.status_code for one in (*pages.values(), *users)} == {200}
    assert len({words(one.text) for one in (*pages.values(), *users)}) == 1
    for answer in pages.values():
        assert "set-cookie" not in answer.headers
        assert not re.findall('<a href="/(?:compare|people|account)', answer.text)
        assert link not in answer.text
        assert "ada" not in words(answer.text).split()
    assert annotator.get("/compare").status_code == 403
    assert Browser(app).get("/helpless").status_code == 303
    assert Browser(app).get("/help/").status_code == 303


def test_pages_that_name_the_deployment_lead_there(app, admin):
    number = project(admin)
    for path in ("/people", f"/annotate/projects/{number}"):
        assert 'href="/help#deploy" target="_blank"' in admin.get(path).text


def test_below_a_path_its_links_are_too(make_app):
    browser = Browser(make_app(root_path="/study"))
    page = browser.get("/study/help").text
    assert 'href="/study/compare"' in page
    assert 'href="/study/help"' in page
