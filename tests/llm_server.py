"""A local endpoint that misbehaves on purpose, for tests."""

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = "sk-not-to-be-seen-4711"


class LlmServer:
    """Answers each request as `script` says, one word a request, and then as `usual` says.

    Words: "fine", an HTTP status ("429", "500", "401"), "half" (breaks off in the middle),
    "garbage" (no JSON), "empty" (JSON without a text), "hang" (no answer until the end), "drop"
    (closes without a word), "drip-headers" and "drip-body" (a fine reply in the end, but with a
    byte now and then before it), "cut" (a fine reply that was cut off). `answer` turns the
    messages into the text of a fine reply, `usage` is what it says of tokens; `messages` are
    taken instead of such a text, as long as there are any.
    """

    def __init__(self):
        self.script, self.usual = [], "fine"
        self.answer = lambda messages: "The ferry ran aground on Saturday."
        self.usage = {"prompt_tokens": 100, "completion_tokens": 7}
        self.messages, self.requests, self.keys = [], [], []
        self.retry_after = None
        self.most_at_once = self._now = 0
        self.gate = None  # a barrier that fine answers wait at, to be sure that they overlap
        self.over = threading.Event()
        self.dripping, self.hung_up = threading.Event(), threading.Event()  # on a drip
        self.lock = threading.Lock()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    @contextlib.contextmanager
    def running(self):
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                outer.handle(self)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self.over.set()
            self.server.shutdown()
            self.server.server_close()

    def handle(self, request):
        body = json.loads(request.rfile.read(int(request.headers["Content-Length"])))
        with self.lock:
            self.requests.append(body)
            self.keys.append(request.headers["Authorization"])
            word = self.script.pop(0) if self.script else self.usual
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
        try:
            self._reply(request, word, body)
        finally:
            with self.lock:
                self._now -= 1

    def _reply(self, request, word, body):
        if word == "hang":
            self.over.wait(30)
        elif word == "drop":
            request.close_connection = True
        elif word.isdecimal():
            told = {"error": {"message": f"no,\nnot with {request.headers['Authorization']}"}}
            self._send(request, int(word), json.dumps(told).encode())
        elif word.startswith("drip"):
            self._drip(request, word, json.dumps(self._fine(body["messages"])).encode())
        elif word == "garbage":
            self._send(request, 200, b"<html>busy</html>")
        elif word == "empty":
            self._send(request, 200, b'{"choices": []}')
        else:
            if self.gate:
                self.gate.wait(20)
            reason = "length" if word == "cut" else "stop"
            content = json.dumps(self._fine(body["messages"], reason)).encode()
            self._send(request, 200, content, len(content) + (50 if word == "half" else 0))

    def _fine(self, messages, reason="stop"):
        said = self.messages.pop(0) if self.messages else {"content": self.answer(messages)}
        message = {"role": "assistant", **said}
        return {
            "choices": [{"message": message, "finish_reason": reason}],
            "usage": self.usage,
        }

    def _drip(self, request, word, content):
        head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(content) + 200}\r\n".encode()
        first = head + (b"X-Slow: " if word == "drip-headers" else b"\r\n")
        last = (b"\r\n\r\n" + b" " * 200 if word == "drip-headers" else b"") + content
        request.close_connection = True
        try:
            request.wfile.write(first)
            for _ in range(200):
                request.wfile.write(b" ")
                self.dripping.set()
                self.over.wait(0.02)
            request.wfile.write(last)
        except OSError:
            self.hung_up.set()

    def _send(self, request, status, content, length=None):
        request.send_response(status)
        request.send_header("Content-Type", "application/json")
        request.send_header("Content-Length", str(length or len(content)))
        if self.retry_after:
            request.send_header("Retry-After", self.retry_after)
        request.end_headers()
        request.wfile.write(content)
        request.wfile.flush()
        request.close_connection = True
