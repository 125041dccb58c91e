"""A server in a thread of this process, on a real socket of this machine."""

import contextlib
import socket
import threading

import httpx
import uvicorn

from commonground.database import start_session
from commonground.web import WebSettings, create_app
from commonground.web.server import configured


class Live:
    """A running server; `port` is where it listens."""

    def __init__(self, app, settings, server):
        self.app, self.settings, self.server = app, settings, server
        self.port = settings.port
        self.address = f"http://127.0.0.1:{self.port}"

    @property
    def database(self):
        return self.app.state.database

    def cookie(self, role="owner", annotator=None):
        """Start a session; its `Cookie` header and its token."""
        secret, session = start_session(self.database, role, annotator)
        return f"{self.settings.cookie}={secret}", session.csrf

    def browser(self, role="owner", annotator=None, timeout=20):
        """A browser that is logged in."""
        cookie, token = self.cookie(role, annotator)
        headers = {"Origin": self.address, "Cookie": cookie, "X-CSRF-Token": token}
        return httpx.Client(base_url=self.address, headers=headers, timeout=timeout)

    def connected(self, sent=b"", buffer=4096):
        """A raw connection with a small receive buffer, on which something is sent."""
        raw = socket.socket()
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        raw.settimeout(20)
        raw.connect(("127.0.0.1", self.port))
        raw.sendall(sent)
        return raw

    def request(self, path, *headers):
        """The bytes of a GET request by the owner."""
        lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", *headers]
        return ("\r\n".join([*lines, f"Cookie: {self.cookie()[0]}"]) + "\r\n\r\n").encode()


@contextlib.contextmanager
def live(data, **settings):
    """Run a server without workers until the block ends."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        settings = WebSettings(
            **{
                "data": data,
                "workers": 0,
                "token": None,
                "port": listening.getsockname()[1],
                **settings,
            }
        )
        app = create_app(settings)
        server = uvicorn.Server(configured(app, settings))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield Live(app, settings, server)
        finally:
            server.should_exit = server.force_exit = True
            thread.join()
