"""Attacks by slowness: requests that never come to their end, and very many at once."""

import asyncio

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient
from uvicorn.server import ServerState

from commonground.web import WebSettings
from commonground.web.security.middleware import BodyLimit
from commonground.web.server import configured


@pytest.fixture
def app():
    app = FastAPI()

    @app.post("/echo")
    async def echo(request: Request) -> int:
        return len(await request.body())

    app.add_middleware(BodyLimit)
    return app


async def _connected(app, tmp_path, talk):
    """What `talk(reader, writer)` finds at a server on a real socket."""
    config = configured(app, WebSettings(data=tmp_path))
    config.load()
    state = ServerState()

    def protocol():
        return config.http_protocol_class(config=config, server_state=state, app_state={})

    server = await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", 0)
    async with server:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        try:
            async with asyncio.timeout(20):
                return await talk(reader, writer)
        finally:
            writer.close()


WHOLE = b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc"


@pytest.mark.parametrize(
    "sent", [b"", b"POST /echo HTTP/1.1\r\nHost: lo", WHOLE, WHOLE + b"POST /echo HT"]
)
def test_a_connection_without_a_request_is_closed(app, tmp_path, monkeypatch, sent):
    monkeypatch.setattr("commonground.web.connections.HEAD_SECONDS", 0.1)

    async def talk(reader, writer):
        writer.write(sent)
        return await reader.read()  # until the server closes it

    answer = asyncio.run(_connected(app, tmp_path, talk))
    assert answer.count(b"200 OK") == sent.count(b"abc")


def test_headers_that_drip_get_no_more_time(app, tmp_path, monkeypatch):
    monkeypatch.setattr("commonground.web.connections.HEAD_SECONDS", 0.2)

    async def talk(reader, writer):
        closed = asyncio.ensure_future(reader.read())
        writer.write(b"GET / HTTP/1.1\r\n")
        while not closed.done():
            writer.write(b"X: y\r\n")
            await asyncio.sleep(0.02)
        return closed

    asyncio.run(_connected(app, tmp_path, talk))


def test_a_request_at_work_is_not_closed(app, tmp_path, monkeypatch):
    monkeypatch.setattr("commonground.web.connections.HEAD_SECONDS", 0.1)

    async def talk(reader, writer):
        writer.write(WHOLE[:-2])
        await asyncio.sleep(0.3)
        writer.write(WHOLE[-2:])
        return await reader.readline()

    assert b"200 OK" in asyncio.run(_connected(app, tmp_path, talk))


def test_a_body_that_never_ends_is_answered(app, tmp_path, monkeypatch):
    monkeypatch.setattr("commonground.web.security.middleware.QUIET_SECONDS", 0.1)

    async def talk(reader, writer):
        writer.write(WHOLE[:-2])
        return await reader.readline()

    assert b" 408 " in asyncio.run(_connected(app, tmp_path, talk))


def test_a_body_that_drips_is_answered_too(app, tmp_path, monkeypatch):
    monkeypatch.setattr("commonground.web.security.middleware.WHOLE_SECONDS", 0.2)

    async def talk(reader, writer):
        writer.write(WHOLE.replace(b": 3", b": 3000")[:-3])
        answered = asyncio.ensure_future(reader.readline())
        while not answered.done():
            writer.write(b"x")
            await asyncio.sleep(0.02)
        return await answered

    assert b" 408 " in asyncio.run(_connected(app, tmp_path, talk))


def test_an_honest_body_is_read(app):
    assert TestClient(app).post("/echo", content=b"abc").json() == 3


def test_there_is_a_most_of_connections(app, tmp_path):
    assert configured(app, WebSettings(data=tmp_path)).limit_concurrency == 256
