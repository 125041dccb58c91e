"""A pool of worker processes, each driven by a thread of its own."""

import contextlib
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, TypeVar

from commonground.workers.process import WorkerProcess

T = TypeVar("T")


class Pool:
    """Runs calls in threads, each with the worker process of its thread as the argument.

    (An executor of the standard library ends all work when one process dies, and cannot say
    which call killed it.)

    Args:
        processes: Started with the pool.
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
            queued = self._calls.get()
            if queued is None:
                break
            future, call = queued
            try:
                future.set_result(call(process))
            except BaseException as error:
                future.set_exception(error)
        process.end()
