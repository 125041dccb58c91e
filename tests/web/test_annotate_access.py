"""Annotators who try to reach what is not theirs, and strangers who try to be annotators."""

import json
import re

import pytest

from annotate_study import OUTPUTS, ask, invite, label, make
from web_browser import Browser


@pytest.fixture
def owner(working):
    """At a server that works, since projects are made by workers."""
    return working


@pytest.fixture
def stranger(owner):
    """Another browser, without any cookie."""
    return Browser(owner.app)


@pytest.fixture
def projects(owner):
    """Two projects, the second with an item that the first has not."""
    more = [*OUTPUTS, {**OUTPUTS[0], "system": "loose", "summary": "A secret of project two."}]
    return [make(owner), make(owner, outputs=more)]


@pytest.fixture
def people(owner, projects):
    """An annotator in each project; the second has labelled."""
    found = []
    for project, name in zip(projects, ("Ada", "Bea"), strict=True):
        browser = Browser(owner.app)
        browser.post(invite(owner, project, name), data={})
        browser.visit("/annotate/work/1")
        found.append(browser)
    assert label(found[1], 3, "precision/1", "P").status_code == 200
    return found


def test_an_annotator_sees_no_page_of_the_owner(people, projects):
    for path in (
        "/",
        "/annotate",
        "/compare",
        *(f"/annotate/projects/{project}" for project in projects),
        f"/annotate/projects/{projects[0]}/figures",
        f"/annotate/projects/{projects[0]}/labels.csv",
        f"/annotate/projects/{projects[1]}/labels.jsonl",
        "/annotate/work/../projects/1",
        "/annotate//projects/1",
        "/api/openapi.json",
    ):
        answer = people[0].get(path)
        assert answer.status_code in (403, 404), path
        assert "secret" not in answer.text


def test_an_annotator_does_nothing_that_is_the_owners(people, projects):
    one = f"/api/annotate/projects/{projects[0]}"
    for method, path, sent in (
        ("POST", "/api/annotate/example", None),
        ("POST", f"{one}/annotators", {"name": "Eve"}),
        ("POST", f"{one}/annotators/2/link", None),
        ("DELETE", f"{one}/annotators/2/link", None),
        ("DELETE", one, None),
        ("POST", "/api/saved", {"kind": "compare", "data": {}}),
        ("POST", "/api/compare", {"narratives": []}),
    ):
        assert people[0].request(method, path, json=sent).status_code == 403, path
    assert ask(people[0]).status_code == 403


def test_an_annotator_reaches_no_item_or_label_of_another_project(people):
    ada, bea = people
    assert ada.get("/annotate/work/3").status_code == 404
    assert label(ada, 3, "precision/1", "A").status_code == 404
    mine = label(bea, 3, "precision/1", "P").json()["undoable"]
    for number in range(1, mine + 1):
        assert ada.post("/api/annotate/work/undo", json={"label": number}).status_code == 404
    page = bea.get("/annotate/work/3").text
    assert re.search(r'name="precision/1" value="P"[^>]* checked', page)


def test_annotators_of_one_project_do_not_see_each_others_labels(owner, projects, people):
    other = Browser(owner.app)
    other.post(invite(owner, projects[1], "Cleo"), data={})
    other.visit("/annotate/work/3")
    page = other.get("/annotate/work/3").text
    assert "checked" not in page
    assert "Bea" not in page
    assert label(other, 3, "precision/1", "A").json()["value"] == "A"
    assert re.search(r'value="P"[^>]* checked', people[1].get("/annotate/work/3").text)


def test_a_page_of_somebody_else_saves_nothing(people):
    """Of two annotators at one browser, the session is the last one's; the other's page is open."""
    ada, bea = people
    whose = {}
    for person, position in ((ada, 1), (bea, 3)):
        page = person.get(f"/annotate/work/{position}").text
        whose[person] = int(re.search(r'data-annotator="(\d+)"', page)[1])
    undoable = label(bea, 3, "precision/1", "P").json()["label"]
    question = {"item": 3, "unit": "precision/1", "annotator": whose[ada]}
    for what, sent in (
        ("undo", {"label": undoable}),
        ("labels", {"value": "A", "key": "long-enough"}),
        ("remarks", {"flagged": True, "comment": ""}),
    ):
        path = f"/api/annotate/work/{what}"
        refused = bea.post(path, json=question | sent)
        assert refused.status_code == 401
        assert "Somebody else labels in this browser now" in refused.json()["error"]
        assert bea.post(path, json=question | sent | {"annotator": whose[bea]}).status_code == 200


def test_a_label_with_what_it_replaces_is_refused_if_there_is_a_newer_one(people):
    sent = {"item": 1, "unit": "precision/1", "value": "A", "over": {"value": None}}
    path, ada = "/api/annotate/work/labels", people[0]
    assert ada.post(path, json=sent | {"key": "the-first-key"}).status_code == 200
    refused = ada.post(path, json=sent | {"value": "P", "key": "the-other-key"})
    assert (refused.status_code, refused.json()["error"]) == (
        409,
        "The question has a newer label",
    )


@pytest.mark.parametrize("number", ["0", "-1", "2147483648", "99999999999999999999", "1e3", "%00"])
def test_numbers_that_no_database_takes_are_turned_away(owner, people, number):
    assert people[0].get(f"/annotate/work/{number}").status_code in (404, 422)
    assert owner.get(f"/annotate/projects/{number}").status_code in (404, 422)
    assert owner.delete(f"/api/annotate/projects/{number}").status_code in (404, 422)


@pytest.mark.parametrize(
    "sent",
    [
        {"item": 2**31, "unit": "precision/1", "value": "P", "key": "long-enough"},
        {"item": 1, "unit": "precision/1", "value": "<b>", "key": "long-enough"},
        {"item": 1, "unit": "precision/1' OR 1=1 --", "value": "P", "key": "long-enough"},
        {"item": 1, "unit": "a\0b", "value": "P", "key": "long-enough"},
        {"item": 1, "unit": "precision/1", "value": "\ud800", "key": "long-enough"},
        {"item": 1, "unit": "precision/1", "value": "P", "key": "undo:1234567"},
        {"item": 1, "unit": "precision/1", "value": "P" * 30_000, "key": "long-enough"},
        {"item": 1, "unit": "precision/1", "value": None, "key": "long-enough"},
    ],
)
def test_labels_that_are_none_are_refused(people, sent):
    headers = {"Content-Type": "application/json"}
    answer = people[0].post("/api/annotate/work/labels", content=json.dumps(sent), headers=headers)
    assert answer.status_code in (400, 404, 422)
    assert "checked" not in people[0].get("/annotate/work/1").text


def test_saving_needs_the_token_of_the_page_and_its_origin(people):
    ada = people[0]
    sent = {"item": 1, "unit": "precision/1", "value": "P", "key": "long-enough"}
    for headers in (
        {"X-CSRF-Token": ""},
        {"X-CSRF-Token": people[1].headers["X-CSRF-Token"]},
        {"Origin": "http://evil.example"},
    ):
        answer = ada.post("/api/annotate/work/labels", json=sent, headers=headers)
        assert answer.status_code == 403
    assert "checked" not in ada.get("/annotate/work/1").text


def test_an_invitation_is_not_guessed_and_not_used_by_looking(owner, projects, stranger):
    link = invite(owner, projects[0], "Dora")
    for wrong in ("/invite/", "/invite/x", link[:-1], f"{link}A", f"{link}/x"):
        assert stranger.get(wrong).status_code in (403, 404), wrong
        assert stranger.post(wrong, data={}).status_code in (401, 403, 404, 405), wrong
    assert stranger.get(link).status_code == 200
    assert not stranger.cookies
    evil = {"Origin": "http://evil.example"}
    assert stranger.post(link, data={}, headers=evil).status_code == 403
    assert stranger.post(link, data={}).status_code == 303


def test_a_session_of_an_annotator_is_for_https_where_the_page_is(owner, projects):
    link = invite(owner, projects[0], "Dora")
    answer = Browser(owner.app).post(link, data={})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "max-age=1209600" in cookie


def test_the_owner_is_no_annotator(owner):
    make(owner)
    assert owner.get("/annotate/work/").status_code == 403
    assert label(owner, 1, "precision/1", "P").status_code == 403


def test_behind_a_password_invitations_work_and_lead_nowhere_else(make_app):
    with Browser(make_app(password="correct horse")) as owner:
        assert owner.get("/annotate").headers["location"].startswith("/login")
        owner.post("/login", data={"password": "correct horse"})
        owner.visit("/annotate")
        link = invite(owner, owner.post("/api/annotate/example").json()["project"], "Ada")
        annotator = Browser(owner.app)
        assert annotator.post(link, data={}).status_code == 303
        annotator.visit("/annotate/work/1")
        assert label(annotator, 1, "precision/1", "P").status_code == 200
        assert annotator.get("/annotate").status_code == 403
        assert annotator.post("/logout").status_code == 204
        assert annotator.get("/annotate/work/1").status_code == 401


def test_an_owner_who_labels_by_a_link_comes_back(owner, projects):
    browser = Browser(owner.app)
    browser.visit("/annotate")
    browser.post(invite(owner, projects[0], "Ada"), data={})
    refused = browser.visit("/compare")
    assert refused.status_code == 403
    assert 'href="/annotate/work/">Back to labelling' in refused.text
    assert 'id="leave"' in refused.text
    assert "Back to home" not in refused.text
    assert browser.post("/logout").status_code == 204
    assert browser.get("/compare").status_code == 200


@pytest.mark.parametrize("password", [None, "correct horse"])
def test_who_is_let_in_no_more_is_told_what_to_do(make_app, password):
    with Browser(make_app(password=password)) as owner:
        owner.post("/login", data={"password": password or ""})
        owner.visit("/annotate")
        project = owner.post("/api/annotate/example").json()["project"]
        annotator = Browser(owner.app)
        people = f"/api/annotate/projects/{project}/annotators"
        ada = owner.post(people, json={"name": "Ada"}).json()
        annotator.post(ada["link"], data={})
        annotator.visit("/annotate/work/1")
        assert owner.delete(f"{people}/{ada['annotator']}/link").status_code == 204
        late = label(annotator, 1, "precision/1", "P")
        page = annotator.get("/annotate/work/1")
        for answer, words in ((late, late.json()["error"]), (page, page.text)):
            assert answer.status_code == 401
            assert "The owner has closed or renewed your link" in words
            assert "Your labels are saved" in words
        if password is None:
            return
        assert "Annotators need no password" in annotator.get("/login").text


def test_a_page_that_is_not_there_has_the_menu(owner):
    page = owner.get("/nowhere")
    assert page.status_code == 404
    assert "This page does not exist." in page.text
    assert '<a href="/compare"' in page.text
