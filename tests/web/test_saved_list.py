"""The list of saved results: the owner's alone, whoever has one of the links."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest

from annotate_study import invite
from commonground.database import save_result
from commonground.web.pages.results import compare, pyramid, score
from html_reader import Reader
from web_browser import Browser


def data(example):
    return json.loads(example.model_dump_json())


def saved(browser, kind, example, **changes):
    sent = {"kind": kind, "data": data(example) | changes}
    return browser.post("/api/saved", json=sent).json()["link"]


def main(page):
    return Reader(page[page.index("<main") : page.index("</main>") + len("</main>")])


def links(page):
    return [one["href"] for one in main(page).named("a") if one["href"].startswith("/saved/")]


@pytest.fixture
def locked(make_app):
    """A server with a password: its owner, and a result."""
    app = make_app(password="secret")
    with Browser(app) as owner:
        owner.post("/login", data={"password": "secret"})
        owner.visit()
        yield owner, saved(owner, "compare", compare.PAGE.example())


def test_the_newest_stands_first_with_what_it_is(client):
    made = [
        saved(client, "compare", compare.PAGE.example()),
        saved(client, "score", score.PAGE.example()),
        saved(client, "pyramid", pyramid.PAGE.example()),
    ]
    page = client.get("/saved").text
    assert links(page) == made[::-1]
    words = " ".join(text for _, text in main(page).words)
    title = r"21 ideas from 4 references, 3 students: Bats and moths[^S]*Pyramid\s+Saved"
    assert re.search(title, words)
    assert re.search(r"Pyramid\s+Saved.*Score\s+Saved.*Comparison\s+Saved", words, re.DOTALL)
    assert all(client.get(link).status_code == 200 for link in made)


def test_the_lines():
    first = compare.PAGE.example()
    names = ", ".join(one.source for one in first.result.narratives)
    assert first.title.startswith(f"{names}: ")
    assert score.PAGE.example().title.startswith(score.PAGE.example().summary.name)
    desk = pyramid.PAGE.example().model_copy(update={"students": []})
    assert desk.title == "21 ideas from 4 references: Bats and moths are back on the river path."
    long = first.model_copy(deep=True)
    long.result.summary = "A long summary.\n" * 40
    assert len(long.title) <= 92
    assert long.title.endswith("…")
    assert "\n" not in long.title


def test_a_visitor_sees_the_title_that_the_owner_gave(locked):
    owner, link = locked
    owner.patch(f"/api{link}", json={"title": "The <pool>, three accounts"})
    with Browser(owner.app) as visitor:
        page = visitor.get(link).text
    assert "<title>The &lt;pool&gt;, three accounts · commonground</title>" in page
    assert "The &lt;pool&gt;, three accounts" in page[page.index("<main") :]
    assert "data-act" not in page


def test_nothing_is_saved_yet(client):
    page = client.get("/saved").text
    assert "No saved results yet" in page
    assert links(page) == []


def test_what_is_deleted_is_not_listed(client):
    first, second = (saved(client, "compare", compare.PAGE.example()) for _ in range(2))
    assert client.delete(f"/api{first}").status_code == 204
    assert links(client.get("/saved").text) == [second]


def test_a_deleted_result_is_not_offered_for_deletion(client):
    link = saved(client, "compare", compare.PAGE.example())
    assert 'data-act="delete"' in client.get(link).text
    client.delete(f"/api{link}")
    page = client.get(link)
    assert page.status_code == 404
    assert "This link does not exist, has expired or was deleted." in page.text
    assert 'data-act="delete"' not in page.text


def test_many_are_on_several_pages(client):
    database = client.app.state.database
    made = [f"/saved/{save_result(database, 'compare', {}, f'no. {n}').link}" for n in range(103)]
    first, second = (client.get(f"/saved?page={number}").text for number in (1, 2))
    assert (len(links(first)), len(links(second))) == (100, 3)
    assert sorted(links(first) + links(second)) == sorted(made)
    assert ("Older" in first, "Newer" in first) == (True, False)
    assert ("Older" in second, "Newer" in second) == (False, True)
    assert "No more results" in client.get("/saved?page=3").text


@pytest.mark.parametrize("number", ["0", "-1", "x", "1e9", "99999999999999999999"])
def test_a_page_that_cannot_be_is_said_in_a_line(owner, number):
    assert owner.get(f"/saved?page={number}").status_code == 422


def test_markup_is_shown_as_text(client):
    nasty = "<script>alert(1)</script>"
    found = data(score.PAGE.example())
    found["summary"]["name"] = nasty
    client.post("/api/saved", json={"kind": "score", "data": found})
    page = client.get("/saved").text
    assert nasty not in page
    assert nasty in " ".join(text for _, text in main(page).words)


def test_words_that_are_no_unicode_do_no_harm(client):
    found = data(score.PAGE.example())
    found["summary"]["name"] = "a \0 b"
    assert client.post("/api/saved", json={"kind": "score", "data": found}).status_code == 201
    body = json.dumps({"kind": "score", "data": found}).replace("a \\u0000 b", "a \\ud800 b")
    headers = {"Content-Type": "application/json"}
    assert client.post("/api/saved", content=body, headers=headers).status_code == 400
    assert client.get("/saved").status_code == 200


PATHS = [
    "/saved",
    "/saved/",
    "/saved?page=1",
    "/saved/?page=1",
    "/saved//",
    "/saved/.",
    "/saved/%2e",
]


@pytest.mark.parametrize("path", PATHS)
def test_a_guest_with_one_link_gets_no_list(locked, path):
    owner, link = locked
    guest = Browser(owner.app)
    assert guest.get(link).status_code == 200
    assert "All saved results" not in guest.get(link).text
    answer = guest.get(path, follow_redirects=True)
    assert link not in answer.text
    assert "Saved results" not in answer.text


@pytest.mark.parametrize("path", PATHS)
def test_an_annotator_gets_no_list(locked, path):
    owner, link = locked
    project = owner.post("/api/annotate/example").json()["project"]
    annotator = Browser(owner.app)
    annotator.post(invite(owner, project, "Ada"), data={})
    annotator.visit("/annotate/work/1")
    answer = annotator.get(path, follow_redirects=True)
    assert answer.status_code in (403, 404)
    assert link not in answer.text
    assert annotator.delete(f"/api{link}").status_code == 403


def test_the_owner_of_a_server_with_a_password_has_the_list(locked):
    owner, link = locked
    page = owner.get("/saved")
    assert links(page.text) == [link]
    assert "All saved results" in owner.get(link).text


def test_old_addresses_lead_to_the_new_ones(locked):
    owner, link = locked
    guest = Browser(owner.app)
    old = link.replace("/saved/", "/kept/")
    assert guest.get(old).headers["location"] == link
    assert guest.get(old, follow_redirects=True).text == guest.get(link).text
    data = guest.get(f"{old}/data", follow_redirects=True).json()
    assert data == guest.get(f"{link}/data").json()
    assert owner.get("/kept?page=2").headers["location"] == "/saved?page=2"
    assert guest.get("/kept").headers["location"].startswith("/login")


def change(browser, link, **values):
    return browser.patch(f"/api{link}", json=values)


def soon(**ahead):
    return (datetime.now(UTC) + timedelta(**ahead)).isoformat()


def test_a_title_is_the_owners_choice(client):
    example = data(score.PAGE.example())
    sent = {"kind": "score", "data": example, "title": "  Lamps,\n first   try "}
    answer = client.post("/api/saved", json=sent).json()
    assert (answer["title"], answer["expires_at"]) == ("Lamps, first try", None)
    link = answer["link"]
    assert change(client, link, title="Lamps, second try").status_code == 204
    assert "Lamps, second try" in client.get(link).text
    assert client.get(f"{link}/data").json()["summary"] == example["summary"]
    for title, status in ((" \n ", 400), ("x" * 201, 422)):
        assert change(client, link, title=title).status_code == status
    assert "Lamps, second try" in client.get("/saved").text


def test_results_are_found_by_title_and_kind(client):
    titles = {"compare": "Über die Brücke", "score": "The bridge: two students", "pyramid": "Lamps"}
    pages = {"compare": compare, "score": score, "pyramid": pyramid}
    made = {
        kind: client.post(
            "/api/saved",
            json={"kind": kind, "data": data(pages[kind].PAGE.example()), "title": title},
        ).json()["link"]
        for kind, title in titles.items()
    }
    found = lambda **asked: links(client.get("/saved", params=asked).text)  # noqa: E731
    assert found(q="BRÜCKE") == [made["compare"]]
    assert found(q="students the") == [made["score"]]
    assert found(q="students lamps") == []
    assert found(kind="pyramid") == [made["pyramid"]]
    assert found(kind="pyramid", q="bridge") == []
    assert "Nothing found" in client.get("/saved?q=%25").text
    assert len(found(q="")) == 3


def test_a_search_has_pages_too(client):
    database = client.app.state.database
    for number in range(101):
        save_result(database, "compare", {}, f"wanted {number}")
        save_result(database, "compare", {}, f"other {number}")
    first, second = (client.get(f"/saved?q=wanted&page={n}").text for n in (1, 2))
    assert (len(links(first)), len(links(second))) == (100, 1)
    assert 'href="/saved?page=2&q=wanted"' in first.replace("&amp;", "&")


def test_an_expired_link_answers_like_a_deleted_one(client):
    database = client.app.state.database
    example = data(compare.PAGE.example())
    now = datetime.now(UTC)
    late = save_result(database, "compare", example, "late", expires_at=now - timedelta(seconds=1))
    gone = f"/saved/{late.link}"
    deleted = saved(client, "compare", compare.PAGE.example())
    client.delete(f"/api{deleted}")
    for path in ("", "/data"):
        answers = [client.get(link + path) for link in (gone, deleted)]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert answers[0].text.replace(gone, "") == answers[1].text.replace(deleted, "")
    assert links(client.get("/saved").text) == []
    assert change(client, gone, expires_at=None).status_code == 404
    late = save_result(database, "compare", example, "late", expires_at=now - timedelta(seconds=1))
    gone = f"/saved/{late.link}"  # no save has removed it yet
    for method, path in (("GET", ""), ("PUT", "/everyone"), ("DELETE", "/everyone")):
        assert client.request(method, f"/api{gone}/shares{path}").status_code == 404


def test_the_owner_chooses_when_a_link_expires(client):
    link = saved(client, "compare", compare.PAGE.example())
    assert change(client, link, expires_at=soon(days=7)).status_code == 204
    assert "Expires" in client.get(link).text
    assert change(client, link, title="Pool").status_code == 204
    assert "Expires" in client.get(link).text  # a new title leaves it
    assert change(client, link, expires_at=None).status_code == 204
    assert "No expiry" in client.get(link).text
    past = change(client, link, expires_at=soon(days=-1))
    assert (past.status_code, past.json()) == (422, {"error": "The date of expiry has passed."})
    assert change(client, link, expires_at="2999-01-01T00:00:00").status_code == 422  # which zone?
    for last in ("9999-12-31T23:59:59-00:01", "9999-12-31T23:59:59-23:59"):
        answer = change(client, link, expires_at=last)
        assert (answer.status_code, answer.json()["error"][-13:]) == (422, "too far away.")


def test_guests_change_nothing(locked):
    owner, link = locked
    guest = Browser(owner.app)
    assert guest.get(link).status_code == 200
    assert change(guest, link, title="Mine").status_code in (401, 403)
    assert "Mine" not in owner.get("/saved").text
