"""Attacks by requests: from other sites, by other names, without a token, too large, by path."""

import re

import pytest
from starlette.datastructures import URL
from starlette.requests import Request

from web_browser import ORIGIN, Browser

PAIR = {"narratives": [{"name": "a", "text": "Rain fell."}, {"name": "b", "text": "It rained."}]}


def test_the_honest_request_passes(owner):
    assert owner.post("/api/compare", json=PAIR).status_code == 202


@pytest.mark.parametrize(
    "headers",
    [
        {"X-CSRF-Token": ""},
        {"X-CSRF-Token": "x" * 43},
        {"X-CSRF-Token": "ü".encode()},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": f"{ORIGIN}:9999"},
        {"Origin": f"{ORIGIN}.evil.example"},
        {"Origin": "https://localhost"},
    ],
)
def test_a_page_of_another_site_cannot_act_for_the_user(owner, headers):
    answer = owner.post("/api/compare", json=PAIR, headers=headers)
    assert answer.status_code == 403
    assert "error" in answer.json()


def test_a_request_that_names_no_origin_is_refused(owner):
    del owner.headers["Origin"]
    assert owner.post("/api/compare", json=PAIR).status_code == 403


def test_a_form_of_another_site_cannot_pass_for_json(owner):
    body = '{"narratives": [{"name": "a", "text": "x"}, {"name": "b", "text": "y"}]}'
    headers = {"Content-Type": "text/plain", "Origin": "https://evil.example"}
    assert owner.post("/api/compare", content=body, headers=headers).status_code == 403


def test_the_token_of_one_session_is_no_good_for_another(make_app):
    app = make_app()
    with Browser(app) as one:
        one.visit()
        other = Browser(app)
        other.visit()
        other.headers["X-CSRF-Token"] = one.headers["X-CSRF-Token"]
        assert other.post("/api/compare", json=PAIR).status_code == 403


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_every_unsafe_method_is_checked_also_where_there_is_no_page(owner, method):
    del owner.headers["X-CSRF-Token"]
    assert owner.request(method, "/nowhere").status_code == 403


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8765", "localhost.evil.example", "192.0.2.7", "[2001:db8::1]"],
)
def test_another_name_for_this_machine_reads_nothing(owner, host):
    answer = owner.get("/compare", headers={"Host": host})
    assert answer.status_code == 421
    assert "csrf" not in answer.text
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "host",
    [
        *("", "x/login?", "x/static/?", "localhost/login?", "x#", "x y", "x?", "x\\login", "x@y"),
        *("x:", "x:1:2", "x:port", "x:123456", "[::1", "[x]", "é".encode(), "x\ty", "x%2flogin"),
    ],
)
@pytest.mark.parametrize("password", [None, "secret"])
def test_a_host_that_is_no_name_and_port_is_refused(make_app, host, password):
    with Browser(make_app(password=password)) as stranger:
        for path in ("/compare", "/api/compare/example", "/static/base.css", "/login"):
            answer = stranger.get(path, headers={"Host": host})
            assert answer.status_code == 400, path
            assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("pasted", ["http://x/login?", "http://x/static/?", "http://x/saved/y"])
def test_the_gate_goes_by_the_path_that_routes_are_chosen_by(make_app, monkeypatch, pasted):
    with Browser(make_app(password="secret")) as stranger:
        monkeypatch.setattr(Request, "url", URL(pasted))
        assert stranger.get("/compare?a=1").headers["location"] == "/login?next=%2Fcompare%3Fa%3D1"
        assert stranger.get("/api/compare/example").status_code == 401
        assert stranger.post("/api/compare", json=PAIR).status_code == 401


def test_the_menu_shows_the_page_that_is_open_whatever_the_address(make_app, monkeypatch):
    with Browser(make_app()) as browser:
        expected = re.findall("<a[^>]*aria-current[^>]*>", browser.visit("/score").text)
        monkeypatch.setattr(Request, "url", URL("http://x/compare"))
        assert re.findall("<a[^>]*aria-current[^>]*>", browser.get("/score").text) == expected != []


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8765", "[::1]:80"])
def test_this_machine_by_its_own_names(owner, host):
    assert owner.get("/compare", headers={"Host": host}).status_code == 200


def test_a_link_on_another_site_does_not_cost_the_session(owner):
    before = dict(owner.cookies)
    stranger = {"Sec-Fetch-Site": "cross-site", "Cookie": ""}
    answer = owner.get("/compare", headers=stranger)
    assert 'http-equiv="refresh"' in answer.text
    assert "set-cookie" not in answer.headers
    assert dict(owner.cookies) == before


def test_the_api_gives_strangers_no_session(make_app):
    with Browser(make_app()) as stranger:
        for path in ("/api/compare/example", "/api/openapi.json", "/api/jobs/x"):
            answer = stranger.get(path)
            assert answer.status_code == 401
            assert "set-cookie" not in answer.headers
        assert stranger.post("/api/compare", json=PAIR).status_code == 401


def test_a_job_of_another_session_is_not_there(make_app):
    app = make_app()
    with Browser(app) as one:
        one.visit()
        other = Browser(app)
        other.visit()
        job = one.post("/api/compare", json=PAIR).json()["job"]
        assert one.get(f"/api/jobs/{job}").json()["state"] == "queued"
        assert other.get(f"/api/jobs/{job}").status_code == 404
        assert other.delete(f"/api/jobs/{job}").status_code == 404
        assert one.get(f"/api/jobs/{job}").json()["state"] == "queued"
        assert one.delete(f"/api/jobs/{job}").status_code == 204
        assert one.get(f"/api/jobs/{job}").json()["state"] == "cancelled"


@pytest.mark.parametrize(
    "path",
    [
        "/static/../_settings.py",
        "/static/..%2f_settings.py",
        "/static/%2e%2e/%2e%2e/errors.py",
        "/static//etc/passwd",
        "/static/..%5c_settings.py",
        "/static/%00",
        "/saved/..%2f..%2fetc%2fpasswd",
        "/saved/%00",
        "/saved/../static/base.css%00",
    ],
)
def test_no_path_leads_out_of_the_pages(owner, path):
    answer = owner.get(path)
    assert answer.status_code in (400, 404)
    assert "root:" not in answer.text
    assert "import " not in answer.text


def test_what_is_too_large_is_refused_at_once(owner):
    headers = {"Content-Length": "99000000", "Content-Type": "application/json"}
    answer = owner.post("/api/compare", content=b"{}", headers=headers)
    assert answer.status_code == 413
    assert answer.json()["error"] == "Too large (limit 4 MB)."


def test_what_becomes_too_large_is_refused_while_it_comes(owner):
    sent = 0

    def stream():
        nonlocal sent
        for _ in range(1000):
            sent += 100_000
            yield b" " * 100_000

    answer = owner.post(
        "/api/compare", content=stream(), headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 413
    assert answer.json()["error"].startswith("Too large")


def test_a_full_queue_is_answered_with_503_and_when_to_come_back(make_app):
    with Browser(make_app(queue=1)) as browser:
        browser.visit()
        assert browser.post("/api/compare", json=PAIR).status_code == 202
        answer = browser.post("/api/compare", json=PAIR)
        assert answer.status_code == 503
        assert int(answer.headers["Retry-After"]) >= 1
        assert "busy" in answer.json()["error"]


def test_requests_are_reported_nowhere(make_app, monkeypatch):
    monkeypatch.setenv("FASTAPI_OTEL_AUTO_CONFIGURE", "true")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    with Browser(make_app()) as browser:
        assert browser.visit().status_code == 200
        assert not any(browser.app._telemetry.get(one) for one in ("tracing", "metrics", "logs"))
