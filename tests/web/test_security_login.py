"""Attacks on the door: no password, wrong ones, many, stolen and old sessions, open redirects."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from argon2 import PasswordHasher

from commonground.cli import run
from commonground.database import LIFETIMES
from commonground.errors import InputError
from commonground.web import WebSettings
from commonground.web.security.password import Password, Throttle
from web_browser import Browser

SECRET = "correct horse"
PAGES = ("/", "/compare", "/nowhere")
APIS = ("/api/compare/example", "/api/openapi.json", "/api/jobs/x")


@pytest.fixture(scope="module")
def hashed():
    cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)  # tests need not wait
    return cheap.hash(SECRET)


@pytest.fixture
def door(make_app, hashed):
    with Browser(make_app(password=hashed)) as browser:
        yield browser


def log_in(browser, password=SECRET, **more):
    return browser.post("/login", data={"password": password, **more})


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "::", "example.org", ""])
def test_others_are_not_served_without_a_password(host, tmp_path):
    with pytest.raises(InputError, match="set a password"):
        WebSettings(host=host, data=tmp_path)
    with pytest.raises(InputError, match=r"the password has 1 characters; .* use at least 8"):
        WebSettings(host=host, data=tmp_path, password="x")
    assert WebSettings(host=host, data=tmp_path, password="x" * 8).password == "x" * 8
    assert WebSettings(data=tmp_path, password="x").password == "x"


def test_behind_a_proxy_it_takes_a_password_too(tmp_path):
    with pytest.raises(InputError, match="behind a proxy others can reach the pages"):
        WebSettings(behind_proxy=True, data=tmp_path)


def test_the_command_line_says_so_in_one_line(capsys, tmp_path, monkeypatch):
    monkeypatch.delenv("COMMONGROUND_PASSWORD", raising=False)
    assert run(["serve", "--host", "0.0.0.0", "--data", str(tmp_path), "--no-browser"]) == 2
    assert capsys.readouterr().err == (
        "commonground: on 0.0.0.0 others can reach the pages: set a password "
        "(--password-file FILE or COMMONGROUND_PASSWORD) or use --accounts\n"
    )


def test_the_password_is_in_no_print_of_the_settings(tmp_path):
    settings = WebSettings(data=tmp_path, password=SECRET, database="postgresql://u:pw@h/n")
    assert SECRET not in repr(settings)
    assert "pw@" not in repr(settings)


def test_nothing_is_shown_before_the_login(door):
    for path in PAGES:
        answer = door.get(path)
        assert answer.status_code == 303
        assert answer.headers["location"].startswith("/login?next=")
    for path in APIS:
        assert door.get(path).status_code == 401
    assert door.post("/api/compare", json={}).status_code == 401
    assert door.post("/api/saved", json={}).status_code == 401


def test_the_password_opens_the_door_and_leaving_closes_it(door):
    answer = log_in(door, next="/compare")
    assert (answer.status_code, answer.headers["location"]) == (303, "/compare")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Secure" not in cookie
    assert door.visit("/compare").status_code == 200
    stolen = dict(door.cookies)
    assert door.post("/logout").status_code == 204
    assert door.get("/compare").status_code == 303
    door.cookies.update(stolen)
    assert door.get("/compare").status_code == 303


def test_over_https_the_cookie_stays_there(make_app, hashed):
    with Browser(make_app(password=hashed, behind_proxy=True)) as browser:
        browser.base_url = "https://pages.example"
        browser.headers["Origin"] = "https://pages.example"
        assert "Secure" in log_in(browser).headers["set-cookie"]


def test_a_session_planted_before_the_login_is_not_the_one_after_it(door):
    log_in(door)
    planted = dict(door.cookies)
    log_in(door)
    assert dict(door.cookies) != planted
    door.cookies.clear()
    door.cookies.update(planted)
    assert door.get("/compare").status_code == 303


def test_wrong_passwords_are_limited_and_then_even_the_right_one_waits(door):
    for _ in range(5):
        answer = log_in(door, "wrong")
        assert answer.status_code == 403
        assert "Wrong password." in answer.text
        assert "set-cookie" not in answer.headers
    answer = log_in(door)
    assert answer.status_code == 429
    assert 0 < int(answer.headers["Retry-After"]) <= 900
    assert "set-cookie" not in answer.headers


def test_a_forged_address_gets_no_new_tries(make_app):
    door = Browser(make_app(SECRET, host="0.0.0.0"))
    for number in range(5):
        door.headers["X-Forwarded-For"] = f"198.51.100.{number}"
        log_in(door, "wrong")
    door.headers["X-Forwarded-For"] = "203.0.113.9"
    assert log_in(door).status_code == 429


def test_tries_come_back_with_time_and_one_network_counts_as_one():
    now = [0.0]
    throttle = Throttle(lambda: now[0])
    assert [throttle.attempt(f"2001:db8::{n}") for n in range(5)] == [0] * 5
    assert throttle.attempt("2001:db8::ffff") == 900
    assert throttle.attempt("2001:db8:0:1::1") == 0
    now[0] = 899.0
    assert throttle.attempt("2001:db8::1") == 1
    now[0] = 900.0
    assert throttle.attempt("2001:db8::1") == 0
    throttle.forgive("2001:db8::7")
    assert throttle.attempt("2001:db8::1") == 0


def test_many_networks_of_one_attacker_get_a_hundred_tries_and_the_owner_still_comes_in():
    now = [0.0]
    throttle = Throttle(lambda: now[0])
    assert throttle.attempt("192.0.2.1") == 0
    throttle.forgive("192.0.2.1")
    waits = [throttle.attempt(f"2001:db8:0:{n:x}::1") for n in range(300)]
    assert waits == [0] * 100 + [900] * 200
    assert throttle.attempt("198.51.100.1") == 900
    assert throttle.attempt("192.0.2.1") == 0  # who knew the password before
    now[0] = 900.0
    assert throttle.attempt("198.51.100.1") == 0


def test_those_who_know_the_password_use_up_no_tries_of_others():
    throttle = Throttle(lambda: 0.0)
    for number in range(200):
        assert throttle.attempt(f"198.51.100.{number}") == 0
        throttle.forgive(f"198.51.100.{number}")
    assert throttle.attempt("192.0.2.1") == 0


def test_the_login_form_of_another_site_is_refused(door):
    door.headers["Origin"] = "https://evil.example"
    assert log_in(door).status_code == 403


@pytest.mark.parametrize(
    "there",
    ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "\t//x"],
)
def test_the_login_leads_to_no_other_site(door, there):
    assert log_in(door, next=there).headers["location"] == "/"
    page = door.get("/login", params={"next": there})
    assert re.search('name="next" value="([^"]*)"', page.text)[1] == "/"


def test_sessions_end_by_themselves(door, monkeypatch):
    log_in(door)
    assert door.get("/compare").status_code == 200
    later = datetime.now(UTC) + LIFETIMES["owner"] + timedelta(seconds=1)

    class Later(datetime):
        @classmethod
        def now(cls, tz=None):
            return later

    monkeypatch.setattr("commonground.database.sessions.datetime", Later)
    assert door.get("/compare").status_code == 303


def test_a_restart_ends_sessions_so_that_an_old_password_is_worth_nothing(make_app, hashed):
    with Browser(make_app(password=hashed)) as before:
        log_in(before)
        cookies = dict(before.cookies)
    with Browser(make_app(password="another")) as after:
        after.cookies.update(cookies)
        assert after.get("/compare").status_code == 303


@pytest.mark.parametrize("cookie", ["", "x", "é", "' OR 1=1 --", "\x00", "a" * 9000])
def test_an_invented_cookie_is_no_session(door, cookie):
    value = f"{door.app.state.settings.cookie}={cookie}".encode()
    assert door.get("/compare", headers={b"Cookie": value}).status_code == 303


def test_a_password_is_hashed_with_what_argon2_recommends():
    password = Password(SECRET)
    assert password._hash.startswith("$argon2id$")
    assert SECRET not in password._hash
    assert password.matches(SECRET)
    assert not password.matches(SECRET + " ")


def test_a_password_hash_that_is_none_is_refused():
    with pytest.raises(InputError, match="is not an argon2 hash"):
        Password("$argon2id$nonsense")


def test_ports_and_spellings_of_an_address_are_one_address():
    throttle = Throttle()
    spellings = ["192.0.2.1:50001", "192.0.2.1:50002", "::ffff:192.0.2.1", "[::ffff:c000:201]:3"]
    assert [throttle.attempt(one) for one in spellings] == [0] * 4
    assert throttle.attempt("192.0.2.1") == 0
    assert throttle.attempt("192.0.2.1:50003") > 0
    assert throttle.attempt("::ffff:198.51.100.1") == 0
