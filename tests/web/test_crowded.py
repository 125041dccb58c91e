"""Browsers that stop reading, connections without end, and headers without end."""

import contextlib
import subprocess
import sys
import time

import pytest
from fastapi import Response
from uvicorn.protocols.http.h11_impl import H11Protocol

from commonground.web import WebSettings
from commonground.web.server import configured
from live import live

BIG = b"x" * 10_000_000


def _until(condition):
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def _big(app):
    """Add a response that no socket's buffer can take."""
    app.add_api_route("/static-big", lambda: Response(BIG))
    app.router.routes.insert(0, app.router.routes.pop())


def test_a_browser_that_stops_reading_is_let_go(tmp_path, monkeypatch):
    monkeypatch.setattr("commonground.web.connections.WRITE_SECONDS", 0.2)
    with live(tmp_path) as server, contextlib.ExitStack() as opened:
        _big(server.app)
        for _ in range(20):
            raw = opened.enter_context(server.connected(server.request("/static-big")))
            assert raw.recv(12) == b"HTTP/1.1 200"
        _until(lambda: not server.server.server_state.connections)


def test_a_browser_that_reads_slowly_gets_all(tmp_path, monkeypatch):
    monkeypatch.setattr("commonground.web.connections.WRITE_SECONDS", 0.4)
    with live(tmp_path) as server:
        _big(server.app)
        with server.connected(server.request("/static-big"), buffer=1_000_000) as raw:
            size = 0
            for _ in range(20):
                size += len(raw.recv(1_000_000))
                time.sleep(0.05)
            while size < len(BIG):
                size += len(raw.recv(1_000_000)) or pytest.fail("closed too early")


def test_idle_connections_shut_nobody_out(tmp_path):
    with live(tmp_path) as server, contextlib.ExitStack() as opened:
        for _ in range(400):
            opened.enter_context(server.connected())
        with server.browser() as browser:
            assert browser.get("/compare").status_code == 200
        assert len(server.server.server_state.connections) <= 130


def test_one_address_cannot_take_every_place(tmp_path):
    with live(tmp_path) as server, contextlib.ExitStack() as opened:
        _big(server.app)
        sent = server.request("/static-big")
        for _ in range(128):
            raw = opened.enter_context(server.connected(sent))
            assert raw.recv(12) == b"HTTP/1.1 200"
        with server.connected(server.request("/compare")) as raw:
            assert raw.recv(12) == b"HTTP/1.1 503"


def test_headers_without_end_are_refused(tmp_path):
    sent = b"GET / HTTP/1.1\r\n"
    with live(tmp_path) as server, server.connected(sent) as raw, pytest.raises(OSError):
        for _ in range(10_000):
            raw.sendall(b"X-Long: " + b"x" * 10_000 + b"\r\n")


def test_headers_are_limited_also_with_httptools(tmp_path):
    (tmp_path / "httptools.py").write_text("")  # its presence makes uvicorn prefer it
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from commonground.web import WebSettings\n"
        "from commonground.web.server import configured\n"
        "from uvicorn.protocols.http.h11_impl import H11Protocol\n"
        "config = configured(lambda: None, WebSettings())\n"
        "config.load()\n"
        "assert issubclass(config.http_protocol_class, H11Protocol), config.http_protocol_class\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert issubclass(configured(lambda: None, WebSettings()).http, H11Protocol)
