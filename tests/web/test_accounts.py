"""Accounts of a group: invited, logged in, each with their own, shared, disabled, recorded."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest

from account_people import PASSWORD, account, actions, invited, log_in, logged_in, project, save
from commonground.database import (
    LINK_LIFETIME,
    account_of_link,
    add_account,
    find_account,
    setup_link,
)
from commonground.web import server
from commonground.web.security.password import RateLimit
from web_browser import Browser


def test_a_person_is_invited_joins_and_logs_in(app, admin):
    link = invited(admin, "Ada@Example.org")
    guest = Browser(app)
    page = guest.get(link)
    assert page.status_code == 200
    assert "ada@example.org" in page.text
    assert not guest.cookies  # looking at it uses nothing up
    answer = guest.post(link, data={"password": PASSWORD})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert guest.visit("/compare").status_code == 200
    assert "ada@example.org" in guest.get("/account").text
    assert guest.get("/people").status_code == 403
    again = Browser(app)
    assert log_in(again, " ADA@example.org ").status_code == 303
    assert again.get("/compare").status_code == 200
    assert [one[1] for one in actions(app)] == ["login", "login", "link used", "member invited"]


def test_a_link_works_once_and_expires(app, admin):
    link = invited(admin, "ada")
    token = link.rpartition("/")[2]
    assert Browser(app).post(link, data={"password": PASSWORD}).status_code == 303
    for browser in (Browser(app), admin):
        assert browser.get(link).status_code == 404
        assert browser.post(link, data={"password": "another password"}).status_code == 404
    database = app.state.database
    assert account_of_link(database, token) is None
    token, bob = add_account(database, "bob", "member")
    late = datetime.now(UTC) + LINK_LIFETIME + timedelta(seconds=1)
    assert account_of_link(database, token) == bob
    assert account_of_link(database, token, now=late) is None
    assert find_account(database, bob.id).state == "invited"


@pytest.mark.parametrize(
    ("password", "words"),
    [
        ("short", "at least 10"),
        ("ada-lovelace", "too much like the name"),
        ("ada-lovelace1852", "too much like the name"),
        ("aaaaaaaaaaaaaaa", "different characters"),
    ],
)
def test_weak_passwords_are_refused_and_the_link_stays(app, admin, password, words):
    link = invited(admin, "ada-lovelace")
    answer = Browser(app).post(link, data={"password": password})
    assert answer.status_code == 400
    assert words in answer.text
    assert "set-cookie" not in answer.headers
    assert Browser(app).post(link, data={"password": PASSWORD}).status_code == 303


@pytest.mark.parametrize(
    "name", ["x", "a b", "owner", "Everyone", "a\u0000b", "n" * 101, "\u200b\n"]
)
def test_names_that_are_none_are_refused(admin, name):
    answer = admin.post("/api/people", json={"name": name})
    assert answer.status_code == 400
    assert "\n" not in answer.json()["error"]


def test_a_name_is_given_once_however_it_is_spelled(admin):
    invited(admin, "ada")
    answer = admin.post("/api/people", json={"name": "ＡDA"})
    assert answer.json()["error"] == "There is already an account 'ada'"


def test_passwords_and_links_are_stored_as_hashes(app, admin, tmp_path):
    link = invited(admin, "eve")
    account(app, "ada")
    admin.get("/people")
    app.state.database.close()
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("commonground.db*"))
    assert b"$argon2id$" in stored
    assert PASSWORD.encode() not in stored
    assert link.rpartition("/")[2].encode() not in stored


def test_wrong_names_and_passwords_read_the_same_and_are_limited(app, ada):
    texts = set()
    for name, password in (("ada", "wrong password"), ("nobody", PASSWORD)):
        answer = log_in(Browser(app), name, password)
        assert answer.status_code == 403
        assert "Wrong name or password." in answer.text
        texts.add(answer.text.replace(name, "NAME"))
    assert len(texts) == 1
    for _ in range(3):
        assert log_in(Browser(app), "ada", "wrong").status_code == 403
    answer = log_in(Browser(app), "ada")
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0


def test_without_a_name_nobody_comes_in_unless_the_server_has_a_password(app, make_app, tmp_path):
    account(app, "ada")
    assert log_in(Browser(app), "").status_code == 403
    both = make_app("the server's own", data=tmp_path / "both")
    assert 'name="name"' not in Browser(both).get("/login").text
    account(both, "ada")
    assert 'name="name"' in Browser(both).get("/login").text
    owner = Browser(both)
    assert owner.post("/login", data={"password": "the server's own"}).status_code == 303
    assert owner.visit("/people").status_code == 200
    assert "Everyone who knows the server's password sees this list" in (
        owner.get("/saved").text.replace("&#39;", "'")
    )
    assert log_in(Browser(both), "ada").status_code == 303


def test_a_role_counts_at_once_and_nobody_changes_their_own(app, admin, ada):
    assert ada.get("/people").status_code == 403
    path = f"/api/people/{ada.account.id}"
    assert admin.patch(path, json={"role": "administrator"}).status_code == 204
    assert ada.get("/people").status_code == 200
    assert ada.patch(path, json={"role": "member"}).status_code == 403
    assert ada.patch(path, json={"disabled": True}).status_code == 403
    assert admin.patch(path, json={"role": "member"}).status_code == 204
    assert ada.get("/people").status_code == 403
    assert admin.patch(path, json={"role": "owner"}).status_code == 422
    assert ("head", "role changed to member", f"account {ada.account.id}") in actions(app)


def test_a_disabled_account_is_out_at_once_and_its_work_can_be_taken_over(app, admin, ada):
    link, number = save(ada), project(ada)
    path = f"/api/people/{ada.account.id}"
    assert admin.post(f"{path}/hand-over").status_code == 409
    assert admin.patch(path, json={"disabled": True}).status_code == 204
    assert ada.get("/compare").status_code == 303
    assert log_in(Browser(app), "ada").status_code == 403
    assert admin.post(f"{path}/link").status_code == 400
    assert admin.post(f"{path}/hand-over").json() == {"projects": 1, "results": 1}
    assert link in admin.get("/saved").text
    assert admin.get(f"/annotate/projects/{number}").status_code == 200
    assert admin.patch(path, json={"disabled": False}).status_code == 204
    again = Browser(app)
    assert log_in(again, "ada").status_code == 303
    assert link not in again.get("/saved").text


def test_a_reset_link_sets_a_password_and_ends_the_sessions(app, admin, ada):
    link = admin.post(f"/api/people/{ada.account.id}/link").json()["link"]
    assert ada.get("/compare").status_code == 200  # until the link is used
    newer = admin.post(f"/api/people/{ada.account.id}/link").json()["link"]
    assert Browser(app).get(link).status_code == 404
    assert Browser(app).post(newer, data={"password": "quite another one"}).status_code == 303
    assert ada.get("/compare").status_code == 303
    assert log_in(Browser(app), "ada").status_code == 403
    assert log_in(Browser(app), "ada", "quite another one").status_code == 303


def test_a_changed_password_ends_other_sessions(app, ada):
    elsewhere = Browser(app)
    log_in(elsewhere, "ada")
    change = "/api/account/password"
    wrong = ada.post(change, json={"current": "not it at all", "new": "a new password"})
    assert wrong.status_code == 403
    assert ada.post(change, json={"current": PASSWORD, "new": "short"}).status_code == 400
    answer = ada.post(change, json={"current": PASSWORD, "new": "a new password"})
    assert answer.status_code == 204
    assert ada.get("/compare").status_code == 200
    assert elsewhere.get("/compare").status_code == 303
    assert log_in(Browser(app), "ada", "a new password").status_code == 303


def test_sessions_are_listed_and_ended_one_by_one(app, admin, ada, bob):
    elsewhere = Browser(app)
    elsewhere.headers["User-Agent"] = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0"
    log_in(elsewhere, "ada")
    page = ada.get("/account").text
    assert "Firefox on Linux" in page
    (other,) = re.findall('data-end-session="([0-9a-f]{64})"', page)
    assert bob.delete(f"/api/account/sessions/{other}").status_code == 404
    assert elsewhere.get("/compare").status_code == 200
    assert ada.delete(f"/api/account/sessions/{other}").status_code == 204
    assert elsewhere.get("/compare").status_code == 303
    everybody = re.findall('data-end-session="([0-9a-f]{64})"', admin.get("/people").text)
    assert len(everybody) == 2  # of Ada and Bob; not the administrator's own
    for one in everybody:
        assert admin.delete(f"/api/people/sessions/{one}").status_code == 204
    assert ada.get("/compare").status_code == bob.get("/compare").status_code == 303
    assert admin.get("/compare").status_code == 200


def test_sessions_that_admit_nobody_any_more_are_not_listed(make_app):
    def listed(browser):
        found = re.findall(r'data-label="Who">([^<]+)<', browser.get("/people").text)
        return sorted(unescape(one) for one in found)

    owner = Browser(make_app())
    owner.visit()
    assert listed(owner) == ["Server's owner"]
    head = logged_in(make_app(accounts=True), "head", "administrator")
    assert listed(head) == ["head"]
    again = Browser(make_app("the server's own", accounts=True))
    again.post("/login", data={"password": "the server's own"})
    assert listed(again) == ["Server's owner", "head"]
    assert "data-end-session" not in again.get("/account").text


def test_all_other_sessions_end_together(app, ada):
    others = [Browser(app) for _ in range(2)]
    for one in others:
        log_in(one, "ada")
    assert ada.delete("/api/account/sessions").status_code == 204
    assert [one.get("/compare").status_code for one in (ada, *others)] == [200, 303, 303]


def test_invitations_are_limited(app, admin):
    app.state.invitations = RateLimit(2, 3600, lambda: 0.0)
    invited(admin, "first")
    invited(admin, "second")
    answer = admin.post("/api/people", json={"name": "third"})
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "3600"
    assert "third" not in admin.get("/people").text


def test_links_cannot_be_guessed(app):
    guest = Browser(app)
    assert [guest.get("/join/guess").status_code for _ in range(6)] == [404] * 5 + [429]


def test_a_rate_limit_comes_back_with_time():
    now = [0.0]
    limit = RateLimit(2, 60, lambda: now[0])
    assert [limit.take("a"), limit.take("a"), limit.take("a"), limit.take("b")] == [0, 0, 60, 0]
    now[0] = 60.0
    assert limit.take("a") == 0


def test_the_first_administrator_comes_by_a_link_and_gets_what_the_owner_had(make_app, tmp_path):
    with Browser(make_app()) as owner:
        owner.visit()
        link, number = save(owner), project(owner)
    app = make_app(accounts=True)
    token = setup_link(app.state.database)
    assert setup_link(app.state.database) != token  # a new start prints a new link
    assert Browser(app).get(f"/join/{token}").status_code == 404
    token = setup_link(app.state.database)
    first = Browser(app)
    assert first.post(f"/join/{token}", data={"password": PASSWORD}).status_code == 303
    assert setup_link(app.state.database) is None
    assert first.visit("/people").status_code == 200
    assert link in first.get("/saved").text
    assert first.get(f"/annotate/projects/{number}").status_code == 200


def test_the_first_administrator_chooses_a_login_name(app):
    add_account(app.state.database, "ada", "member")
    token = setup_link(app.state.database)
    first, path = Browser(app), f"/join/{token}"
    assert 'name="name" value="admin"' in first.get(path).text
    for name, words in (
        ("ADA", "There is already an account &#39;ada&#39;"),
        ("two words", "cannot have spaces"),
        ("correct-horse", "too much like the name"),
    ):
        answer = first.post(path, data={"name": name, "password": "correct-horse1"})
        assert answer.status_code == 400
        assert words in answer.text
        assert f'value="{name}"' in answer.text
    assert first.post(path, data={"name": "Grace", "password": PASSWORD}).status_code == 303
    assert "<strong>grace</strong>" in first.visit("/account").text
    assert log_in(Browser(app), "grace").status_code == 303
    # Whoever is invited later has the name of the invitation.
    link = invited(first, "bob", "administrator")
    assert 'name="name"' not in Browser(app).get(link).text
    Browser(app).post(link, data={"name": "else", "password": PASSWORD})
    assert log_in(Browser(app), "else").status_code == 403
    assert log_in(Browser(app), "bob").status_code == 303


def test_on_your_own_machine_there_is_no_account_to_see(client):
    page = client.get("/compare").text
    assert "/people" not in page
    assert "/account" not in page
    assert 'id="log-out"' not in page
    assert Browser(client.app).post("/join/x", data={"password": PASSWORD}).status_code == 404


def test_accounts_do_not_open_a_server_without_a_login(make_app):
    app = make_app(accounts=True)
    ada = logged_in(app, "ada")
    local = Browser(make_app(token="t" * 43))
    assert log_in(local, "ada").status_code == 403
    assert ada.get("/compare").status_code == 200


@pytest.mark.parametrize("path", ["/account", "/people", "/people/log", "/saved"])
def test_names_are_shown_as_text(app, admin, path):
    invited(admin, "<img/src=x>")
    assert "<img/src=x>" not in admin.get(path).text


@pytest.mark.parametrize(
    ("settings", "start"),
    [
        ({"host": "0.0.0.0"}, "http://this-machine:8765/"),
        ({"host": "0.0.0.0", "names": ("a.org", "b.org")}, "http://a.org:8765/"),
        ({"behind_proxy": True, "names": ("a.org",), "root_path": "/s"}, "https://a.org/s/"),
        ({}, "http://127.0.0.1:8765/"),
    ],
)
def test_the_link_of_the_first_administrator_opens_elsewhere(
    make_app, monkeypatch, settings, start
):
    monkeypatch.setattr("socket.gethostname", lambda: "this-machine")
    app = make_app(accounts=True, **settings)
    host = settings.get("host", "127.0.0.1")
    found = server._addresses(app, app.state.settings, f"http://{host}:8765/")
    assert found.setup.startswith(f"{start}join/")
    assert found.page == f"http://{host}:8765/"
    token = found.setup.rpartition("/")[2]
    with Browser(app) as browser:
        host = {"host": found.setup.split("/")[2]}
        root = settings.get("root_path", "")
        assert browser.get(f"{root}/join/{token}", headers=host).status_code == 200


def test_a_typed_password_can_be_shown(app, admin, ada):
    pages = [Browser(app).get(path).text for path in (invited(admin, "carol"), "/login")]
    for text in (*pages, ada.get("/account").text):
        form, _, after = text.partition("</main>")
        assert '<button type="button" class="quiet" data-show-password hidden>' in form
        assert after.count("/static/show_password.js") == 1
    assert Browser(app).get("/static/show_password.js").status_code == 200
