"""Probes: alive, and ready for work."""

import os
import signal
import time

import pytest

from commonground.web import health
from live import live
from web_browser import Browser


def test_alive_and_ready_to_anyone(make_app):
    with Browser(make_app("a long password", names=("study.example.org",))) as browser:
        # A probe is no browser: it has no session, and knows the server by any name.
        for headers in ({}, {"Host": "10.0.0.7:8765"}, {"X-Forwarded-For": "10.0.0.9"}):
            for path in ("/healthz", "/readyz"):
                answer = browser.get(path, headers=headers)
                assert (answer.status_code, answer.text) == (200, "ok\n")
                assert "set-cookie" not in answer.headers
        assert browser.post("/healthz").status_code != 200


def test_ready_is_not_a_server_whose_database_is_gone(make_app, tmp_path):
    with Browser(make_app()) as browser:
        (tmp_path / "commonground.db").unlink()
        answer = browser.get("/readyz")
        assert answer.status_code == 503
        assert answer.text.startswith("The server's database was deleted, moved or replaced.")
        assert answer.text.count("\n") == 1
        assert browser.get("/healthz").status_code == 200


def test_ready_is_not_a_server_whose_database_hangs(make_app, monkeypatch):
    monkeypatch.setattr(health, "_SECONDS", 0.05)
    monkeypatch.setattr(health, "_ask", lambda database: time.sleep(0.5))
    with Browser(make_app()) as browser:
        answer = browser.get("/readyz")
        assert (answer.status_code, answer.text) == (
            503,
            "The server's database does not answer.\n",
        )


def test_ready_is_not_a_server_whose_workers_are_gone(working_app):
    browser, jobs = Browser(working_app), working_app.state.jobs
    process = jobs._pool.processes[0]
    _until(jobs.is_ready)
    assert browser.get("/readyz").status_code == 200
    before = process.pid
    os.kill(before, signal.SIGKILL)
    _until(lambda: not jobs.is_ready())
    answer = browser.get("/readyz")
    assert (answer.status_code, answer.text) == (503, "The worker processes are starting.\n")
    _until(jobs.is_ready)  # though nobody has asked for work
    assert process.pid != before
    assert browser.get("/readyz").status_code == 200


@pytest.mark.parametrize(
    "path", ["/compare", "/login", "/static/base.css", "/api/openapi.json", "/healthz", "/nothing"]
)
def test_head_is_get_without_the_body(tmp_path, path):
    with live(tmp_path) as server, server.browser() as browser:
        whole, head = browser.get(path), browser.head(path)
        assert head.status_code == whole.status_code
        assert head.headers["content-length"] == whole.headers["content-length"]
        assert head.headers.get("content-type") == whole.headers.get("content-type")
        assert head.content == b""
        assert browser.get(path).content == whole.content  # the connection is still in step


def _until(fact):
    for _ in range(1200):
        if fact():
            return
        time.sleep(0.1)
    raise AssertionError("nothing happened")
