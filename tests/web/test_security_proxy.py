"""Proxies that the server was not told of, and names that are not its own."""

import httpx
import pytest

from commonground.errors import InputError
from commonground.web import WebSettings
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


def _logs_in(server, peer_says):
    """Log in as a browser does through a proxy with https that connects from this machine."""
    headers = {"Host": "study.example.org", "Origin": "https://study.example.org", **peer_says}
    sent = {"password": "a long password", "next": "/score"}
    return httpx.post(f"{server.address}/login", data=sent, headers=headers)


def test_a_proxy_elsewhere_logs_people_in_once_it_is_named(tmp_path):
    said = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}
    password = {"password": "a long password"}
    with live(tmp_path, **password, trusted_proxies=("127.0.0.0/24",)) as server:
        answer = _logs_in(server, said)
        assert (answer.status_code, answer.headers["location"]) == (303, "/score")
        assert "Secure" in answer.headers["set-cookie"]
    with live(tmp_path, **password, trusted_proxies=("192.0.2.0/24",)) as server:
        answer = _logs_in(server, said)
        assert answer.status_code == 403
        assert "--trusted-proxy" in answer.text
        assert "set-cookie" not in answer.headers


def test_wrong_passwords_count_for_the_browser_and_not_for_its_proxy(tmp_path):
    settings = {"password": "a long password", "trusted_proxies": ("127.0.0.1",)}
    with live(tmp_path, **settings) as server:

        def tries(address, password="wrong"):
            said = {"X-Forwarded-For": address, "Origin": server.address}
            sent = {"password": password}
            return httpx.post(f"{server.address}/login", data=sent, headers=said).status_code

        assert [tries("203.0.113.9") for _ in range(6)] == [403] * 5 + [429]
        assert tries("203.0.113.10", "a long password") == 303


@pytest.mark.parametrize(
    "network", ["proxy.example.org", "172.28.0.0/40", "172.28.0.1/24", "0.0.0.0/0", "::/0", "*", ""]
)
def test_what_is_no_network_of_a_proxy_is_refused(tmp_path, network):
    with pytest.raises(InputError, match="proxy"):
        WebSettings(data=tmp_path, password="a long password", trusted_proxies=(network,))


def test_a_proxy_elsewhere_needs_a_password(tmp_path):
    with pytest.raises(InputError, match="behind a proxy"):
        WebSettings(data=tmp_path, trusted_proxies=("172.28.0.0/24",))
