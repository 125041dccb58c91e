"""A worker process seen from the server: started, given work, ended, started again."""

import json
import multiprocessing
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from commonground.web.work import worker

_START_SECONDS = 180.0  # models are read from disk, on a machine that may be busy


class ProcessEndedError(Exception):
    """The process is gone in the middle of its work."""


class TooLongError(Exception):
    """The work was not done in time."""


class WorkerProcess:
    """One process at a time. One thread gives it work; any thread may `kill` it.

    Args:
        warm: A function (`module:name`) the process calls before it takes work.
        most: After so many jobs another process takes its place.
    """

    def __init__(self, warm: str | None, most: int) -> None:
        self._warm = warm
        self._most = most
        self._killing = threading.Lock()
        self._process: BaseProcess | None = None
        self._pipe: Connection[bytes, bytes] | None = None
        self._folder = ""
        self._given = 0

    @property
    def pid(self) -> int | None:
        """Of the process that is there now."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start a process, unless one is there and fit; return when it is ready for work."""
        fresh = self._given < self._most
        if fresh and self._process is not None and self._process.is_alive():
            return
        self.end()
        self._given = 0
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._folder = tempfile.mkdtemp(prefix="commonground-")
        process = context.Process(
            target=worker.main,
            args=(theirs, self._warm, self._folder),
            name="commonground-worker",
            daemon=True,
        )
        with theirs:  # closed here, so that the end of the process is the end of the pipe
            process.start()
        self._process = process  # only one that started can be ended
        self.receive(time.monotonic() + _START_SECONDS)

    def begin(
        self, target: str, seconds: float, payload: bytes, wanted: Callable[[], bool]
    ) -> None:
        """Give it work, which it has begun when this returns.

        A process that was ended from outside since its last work may not seem so yet: if it never
        answers, another gets the work.

        Args:
            target: The function, as `module:name`.
            seconds: How long it may take.
            payload: What it is given, as JSON.
            wanted: Whether the work is still to be done.
        """
        try:
            self.start()
            self._send(target, seconds, payload)
        except ProcessEndedError:
            if not wanted():
                raise
            self.end()
            self.start()
            self._send(target, seconds, payload)

    def _send(self, target: str, seconds: float, payload: bytes) -> None:
        if self._pipe is None:
            raise ProcessEndedError
        self._given += 1
        head = json.dumps([target, seconds])[:-1].encode()
        try:
            self._pipe.send_bytes(head + b"," + payload + b"]")
        except OSError:
            raise ProcessEndedError from None
        self.receive(time.monotonic() + _START_SECONDS)  # that it has begun

    def receive(self, deadline: float) -> tuple[bytes, bytes]:
        """The next message: its letter, and what should be JSON; no later than the deadline."""
        if self._pipe is None:
            raise ProcessEndedError
        try:
            left = deadline - time.monotonic()
            if left <= 0 or not self._pipe.poll(left):
                raise TooLongError
            message = self._pipe.recv_bytes(worker.MOST_BYTES)
        except (EOFError, OSError):
            raise ProcessEndedError from None
        return message[:1], message[1:]

    def kill(self) -> None:
        """End the process now; whoever waits for it learns that it ended."""
        with self._killing:
            if self._process is not None:
                self._process.kill()

    def end(self) -> None:
        """End the process and forget it, with all files that it left behind."""
        with self._killing:  # one that is closed cannot be killed: nobody else has it from here on
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.join()
            process.close()
        if self._pipe is not None:
            self._pipe.close()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._pipe, self._folder = None, ""
