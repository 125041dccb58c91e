"""Proxies that the server was not told of, and names that are not its own."""

import pytest

from live import live
from web_browser import Browser


@pytest.mark.parametrize(
    "header", ["X-Forwarded-For", "X-Forwarded-Host", "Forwarded", "X-Real-IP", "Via"]
)
@pytest.mark.parametrize("password", [None, "a long password"])
def test_a_proxy_makes_nobody_the_owner(make_app, header, password):
    with Browser(make_app(password)) as browser:
        answer = browser.get("/compare", headers={header: "203.0.113.9"})
        assert answer.status_code == 403
        assert "--behind-proxy" in answer.text
        assert "set-cookie" not in answer.headers


def test_a_proxy_that_speaks_old_http_makes_nobody_the_owner(tmp_path):
    sent = b"GET /compare HTTP/1.0\r\nHost: localhost\r\n\r\n"
    with live(tmp_path) as server, server.connected(sent) as raw:
        assert raw.recv(12) == b"HTTP/1.1 403"


def test_a_proxy_that_was_announced_is_trusted(make_app):
    with Browser(make_app("a long password", behind_proxy=True)) as browser:
        answer = browser.get("/login", headers={"X-Forwarded-For": "203.0.113.9", "Host": "x.org"})
        assert answer.status_code == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("evil.example", 421),
        ("192.0.2.7:8765", 200),
        ("study.example.org", 200),
        ("localhost", 200),
    ],
)
def test_a_public_server_answers_to_its_own_names(make_app, host, status):
    app = make_app("a long password", host="0.0.0.0", names=("study.example.org",))
    with Browser(app) as browser:
        answer = browser.get("/login", headers={"Host": host})
        assert answer.status_code == status
        assert ("--name" in answer.text) == (status == 421)


def test_names_are_checked_behind_a_proxy_too(make_app):
    settings = {"behind_proxy": True, "names": ("study.example.org",)}
    with Browser(make_app("a long password", **settings)) as browser:
        assert browser.get("/login", headers={"Host": "evil.example"}).status_code == 421
        assert browser.get("/login", headers={"Host": "study.example.org"}).status_code == 200
