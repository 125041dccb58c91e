"""The parent's side of worker processes: start, send requests, kill, replace; a pool of them."""

import contextlib
import json
import math
import multiprocessing
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from commonground.errors import CommongroundError
from commonground.workers import child

T = TypeVar("T")

# Starting a process polls the children of all threads, and ending one waits for it: without a
# lock, two threads may wait for the same child, and one of them believe that it still runs.
_CHILDREN = threading.Lock()

_IDLE_SECONDS = 1.0  # after which an idle process that was killed is replaced


class ProcessEndedError(Exception):
    """The process ended before it replied."""


class TimedOutError(Exception):
    """The process did not reply in time."""


class WorkerError(CommongroundError):
    """A worker cannot work at all."""

    def __init__(self, message: str, exit_code: int = 1) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class WorkerProcess:
    """One process at a time. One thread sends it requests; any thread may kill it.

    Args:
        service: Handles the requests, in the process.
        threads: Number of threads that the process may use.
        max_requests: The process is replaced after this many.
        max_bytes: Size limit of a reply; a process that sends more is treated as ended.
        start_seconds: Time limit for the start of the process and of a request.
    """

    def __init__(
        self,
        service: child.Service,
        *,
        threads: int = 1,
        max_requests: float = math.inf,
        max_bytes: int | None = None,
        start_seconds: float | None = None,
    ) -> None:
        self._arguments = service, threads
        self.max_requests = max_requests
        self._max_bytes = max_bytes
        self._start_seconds = start_seconds
        self._killing = threading.Lock()
        self._closed = False
        self._process: BaseProcess | None = None
        self._pipe: Connection[bytes, bytes] | None = None
        self._requests = 0
        self._loaded = False
        self.folder = ""

    @property
    def pid(self) -> int | None:
        """The id of the current process."""
        return self._process.pid if self._process else None

    @property
    def is_ready(self) -> bool:
        """Whether the process has loaded its service and is alive; any thread may ask."""
        with _CHILDREN:  # which `end` takes to close the process
            process = self._process
            return self._loaded and process is not None and process.is_alive()

    def start(self) -> None:
        """Start a process unless one is alive and fit; return when it is ready for requests.

        Raises:
            WorkerError: The service could not be loaded.
            ProcessEndedError: The process ended while it loaded the service, or this is closed.
        """
        if self.is_ready and self._requests < self.max_requests:
            return
        self.end()
        if self._closed:
            raise ProcessEndedError
        self._requests = 0
        service, threads = self._arguments
        context = multiprocessing.get_context("spawn")  # a fork of a process with threads may hang
        self._pipe, theirs = context.Pipe()
        self.folder = tempfile.mkdtemp(prefix="commonground-")
        process = context.Process(
            target=child.main,
            args=(theirs, service, self.folder, threads),
            name="commonground-worker",
            daemon=True,
        )
        # Their end is closed here, so that the end of the process is the end of the pipe.
        with theirs, _CHILDREN, _interrupts_blocked():
            process.start()
        with self._killing:
            self._process = process
            if self._closed:
                process.kill()
        try:
            _check(*self.receive(self._deadline()))
        except BaseException:
            self.end()
            raise
        self._loaded = True

    def send(self, request: bytes, wanted: Callable[[], bool] = lambda: True) -> None:
        """Send a request; the process has begun to work on it when this returns.

        A process that was killed since its last request may still seem alive: if it does not
        answer, and the request is still `wanted`, another process gets it.
        """
        try:
            self._send(request)
        except ProcessEndedError:
            if not wanted():
                raise
            self.end()
            self._send(request)

    def ask(self, request: bytes) -> bytes:
        """Send a request and return the reply.

        Raises:
            WorkerError: The service raised an error.
            ProcessEndedError: The process ended before it replied.
        """
        self.send(request)
        return _check(*self.receive())

    def _send(self, request: bytes) -> None:
        self.start()
        assert self._pipe is not None
        self._requests += 1
        try:
            self._pipe.send_bytes(request)
        except OSError:
            raise ProcessEndedError from None
        self.receive(self._deadline())  # that it has begun

    def receive(self, deadline: float | None = None) -> tuple[bytes, bytes]:
        """Return the letter and the body of the next message.

        Raises:
            TimedOutError: None came before the deadline, in seconds of `time.monotonic`.
        """
        if self._pipe is None:
            raise ProcessEndedError
        try:
            left = None if deadline is None else deadline - time.monotonic()
            if (left is not None and left <= 0) or not self._pipe.poll(left):
                raise TimedOutError
            message = self._pipe.recv_bytes(self._max_bytes)
        except (EOFError, OSError):
            raise ProcessEndedError from None
        return message[:1], message[1:]

    def kill(self) -> None:
        """Kill the process; the thread that waits for it gets a ProcessEndedError."""
        with self._killing:
            if self._process is not None:
                self._process.kill()

    def close(self) -> None:
        """Kill the process, and start no other one."""
        self._closed = True
        self.kill()

    def end(self) -> None:
        """Kill the process, and remove its temporary files."""
        self._loaded = False
        with self._killing:  # a closed process cannot be killed: hide it from other threads first
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            with _CHILDREN:
                process.join()
                process.close()
        if self._pipe is not None:
            self._pipe.close()
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)
        self._pipe, self.folder = None, ""

    def _deadline(self) -> float | None:
        return None if self._start_seconds is None else time.monotonic() + self._start_seconds


class Pool:
    """Runs calls in threads, each with the worker process of its thread as the argument.

    (An executor of the standard library ends all work when one process dies, and cannot say
    which call killed it.)
    """

    def __init__(self, processes: Sequence[WorkerProcess]) -> None:
        self.processes = tuple(processes)
        self._calls: SimpleQueue[tuple[Future[Any], Callable[[WorkerProcess], Any]] | None]
        self._calls = SimpleQueue()
        self._threads = [
            threading.Thread(target=self._serve, args=(process,), daemon=True)
            for process in self.processes
        ]

    def start(self) -> None:
        """Start the processes; calls may be submitted before."""
        for thread in self._threads:
            thread.start()

    def submit(self, call: Callable[[WorkerProcess], T]) -> Future[T]:
        """Queue a call."""
        future: Future[T] = Future()
        self._calls.put((future, call))
        return future

    def is_ready(self) -> bool:
        """Return whether a process is ready; True if the pool has no processes."""
        return not self.processes or any(process.is_ready for process in self.processes)

    def close(self) -> None:
        """End all processes; calls that run or wait find theirs ended."""
        for process in self.processes:
            process.close()
            self._calls.put(None)
        for thread in self._threads:
            if thread.is_alive():
                thread.join()

    def _serve(self, process: WorkerProcess) -> None:
        while True:
            with contextlib.suppress(Exception):  # the next call tries again, and reports it
                process.start()
            try:
                queued = self._calls.get(timeout=_IDLE_SECONDS if process.is_ready else None)
            except Empty:
                continue
            if queued is None:
                break
            future, call = queued
            try:
                future.set_result(call(process))
            except BaseException as error:
                future.set_exception(error)
        process.end()


def _check(letter: bytes, body: bytes) -> bytes:
    if letter == child.FAILED:
        raise WorkerError(*json.loads(body))
    return body


@contextlib.contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Keep Ctrl-C from a process started within the block, which inherits the signal mask."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # which unblocks the signal when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
