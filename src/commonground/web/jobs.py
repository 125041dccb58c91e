"""Jobs of the pages: a bounded queue, and the results until they are fetched."""

import json
import logging
import secrets
import threading
import time
import zlib
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal

from commonground.errors import CommongroundError, unknown_name
from commonground.web.security.failures import origin
from commonground.web.tasks import MAX_BYTES, TASKS, WARM, Task, TaskService
from commonground.workers import (
    DONE,
    FAILED,
    PROGRESS,
    Pool,
    ProcessEndedError,
    TimedOutError,
    WorkerProcess,
)

_KEPT_SECONDS: Final = 900.0  # how long a result waits to be fetched
_KEPT_JOBS: Final = 400
_KEPT_BYTES: Final = 64_000_000
_QUEUE_BYTES: Final = 200_000_000  # of all waiting jobs; a single job may be of any size
_MAX_CHARACTERS: Final = 2000  # of a message from a process
_START_SECONDS: Final = 180.0  # models are read from disk, on a machine that may be busy

# Jobs until a process is replaced, since the parser keeps every word that it has ever met. Each
# process has a higher limit than the last, so that they do not all reload at the same time.
_MAX_JOBS: Final = 1000
_MORE_JOBS: Final = 100

LOST = "The process that did this work ended unexpectedly. Try again."

State = Literal["queued", "running", "done", "failed", "cancelled"]

Then = Callable[[Any, Callable[[], None]], Any]
"""What the server does with a task's result: `then(result, settle)` returns the job's result.

It calls `settle` right before it does what cannot be undone: that raises `CancelledError` if the
job was cancelled meanwhile, and from then on the job cannot be cancelled.
"""

_log = logging.getLogger(__name__)


class CancelledError(Exception):
    """The job was cancelled before its result was used."""


class QueueFullError(CommongroundError):
    """The queue is full; `retry_after` is in seconds."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(
            f"The server is busy and its queue is full. Try again in {retry_after} seconds."
        )
        self.retry_after = retry_after


@dataclass(slots=True, eq=False)
class Job:
    """A piece of work and its state; only `Jobs` changes it."""

    id: str  # unguessable
    task: str
    owner: str  # the session that submitted the job; nobody else sees it
    payload: bytes  # the task's argument as JSON; dropped when the job ends
    then: Then | None = None
    settled: bool = False  # too late to cancel, even if the job has not ended yet
    state: State = "queued"
    progress: float = 0.0  # from 0 to 1
    message: str = ""
    error: str = ""
    version: int = 0  # grows with every change, so that a page can wait for the next one
    outcome: bytes = b""  # the result as compressed JSON, since most results are read once
    ended: float = 0.0  # by `time.monotonic`

    @property
    def result(self) -> Any:
        """The job's result; None unless it is done."""
        return json.loads(zlib.decompress(self.outcome)) if self.outcome else None

    @property
    def over(self) -> bool:
        """Whether nothing more will change."""
        return self.state in ("done", "failed", "cancelled")


class Jobs:
    """Work for a number of processes; at most `queue` jobs wait.

    Each process calls the function `warm` (`module:name`) first.
    """

    def __init__(
        self, workers: int, queue: int, tasks: Mapping[str, Task] = TASKS, warm: str | None = WARM
    ) -> None:
        self._max_queue = queue
        self._tasks = tasks
        self._lock = threading.RLock()
        self._queue: deque[Job] = deque()
        self._running: dict[str, WorkerProcess] = {}
        self._jobs: dict[str, Job] = {}
        self._ended: deque[Job] = deque()
        self._seconds = 2.0  # running average of a job's duration
        self._pool = Pool(
            [
                WorkerProcess(
                    TaskService(warm),
                    max_requests=_MAX_JOBS + _MORE_JOBS * number,
                    max_bytes=MAX_BYTES,
                    start_seconds=_START_SECONDS,
                )
                for number in range(workers)
            ]
        )

    def start(self) -> None:
        """Start the processes; jobs may be submitted at once."""
        self._pool.start()

    def is_ready(self) -> bool:
        """Return whether a process has loaded the models and can take a job."""
        return self._pool.is_ready()

    def close(self) -> None:
        """End all processes; jobs that run or wait are cancelled."""
        with self._lock:
            for job in list(self._jobs.values()):
                self._end(job, "cancelled")
        self._pool.close()

    def submit(
        self, task: str, payload: Mapping[str, Any], owner: str, then: Then | None = None
    ) -> Job:
        """Queue a job that only the session `owner` may see; raise QueueFullError if it cannot.

        `then` runs in a thread of this process; an error that it raises fails the job.
        """
        if task not in self._tasks:
            raise unknown_name("task", task, self._tasks)
        job = Job(secrets.token_urlsafe(16), task, owner, json.dumps(payload).encode(), then)
        with self._lock:
            self._forget()
            size = len(job.payload) + sum(len(waiting.payload) for waiting in self._queue)
            too_large = self._queue and size > _QUEUE_BYTES
            if len(self._queue) >= self._max_queue or too_large:
                rounds = 1 + len(self._queue) / max(1, len(self._pool.processes))
                raise QueueFullError(max(1, min(60, round(rounds * self._seconds))))
            self._jobs[job.id] = job
            self._queue.append(job)
        self._pool.submit(partial(self._work, job=job))
        return job

    def get(self, job_id: str, owner: str) -> Job | None:
        """Return a job if it exists and belongs to this session."""
        with self._lock:
            self._forget()
            job = self._jobs.get(job_id)
        return job if job is not None and job.owner == owner else None

    def ahead(self, job: Job) -> int:
        """Return the number of jobs that wait before this one."""
        with self._lock:
            return self._queue.index(job) if job in self._queue else 0

    def cancel(self, job: Job) -> bool:
        """End a job and the process that works on it; return False if the job is settled."""
        with self._lock:
            if job.over or job.settled:
                return not job.settled
            self._end(job, "cancelled")
            if job in self._queue:
                self._queue.remove(job)
            # Under the lock, so that the process cannot have begun another job.
            if process := self._running.get(job.id):
                process.kill()
            return True

    def _work(self, process: WorkerProcess, job: Job) -> None:
        with self._lock:
            if job.over:
                return
            self._queue.remove(job)
            job.state, job.message, job.version = "running", "Starting", job.version + 1
            self._running[job.id] = process
        began = time.monotonic()
        task = self._tasks[job.task]
        request = json.dumps([task.target, task.seconds])[:-1].encode() + b"," + job.payload + b"]"
        try:
            process.send(request, lambda: not job.over)
            if job.over:  # cancelled before there was a process to kill
                raise ProcessEndedError
            deadline = time.monotonic() + task.seconds
            while self._receive(job, *process.receive(deadline)):
                pass
        except ProcessEndedError:
            self._end(job, "failed", error=LOST)
            process.end()
        except TimedOutError:
            process.end()
            error_message = f"This took longer than {task.seconds:.0f} seconds and was ended."
            self._end(job, "failed", error=error_message)
        except Exception as error:  # no process could be started, or its message is invalid
            self._fail(job, error)
            process.end()
        with self._lock:
            del self._running[job.id]
            self._seconds += (time.monotonic() - began - self._seconds) / 8

    def _receive(self, job: Job, letter: bytes, body: bytes) -> bool:
        """Handle a message of the process; return whether more will come.

        Raises:
            ValueError: The message is invalid, so the process can no longer be trusted.
        """
        content = json.loads(body)
        if letter == PROGRESS:
            share, message = min(1.0, max(0.0, float(content[0]))), str(content[1])
            with self._lock:
                job.progress, job.message = share, message[:_MAX_CHARACTERS]
                job.version += 1
            return True
        if letter == DONE:
            self._finish(job, content, body)
        elif letter == FAILED:
            self._end(job, "failed", error=str(content[0])[:_MAX_CHARACTERS])
        else:
            raise ValueError(f"unknown message {letter!r}")
        return False

    def _finish(self, job: Job, result: Any, outcome: bytes) -> None:
        """Do what is to be done with a result, and end the job."""

        def settle() -> None:
            with self._lock:
                if job.over:
                    raise CancelledError
                job.settled = True

        then = job.then  # cancelling removes it
        try:
            if then is not None:
                outcome = json.dumps(then(result, settle)).encode()
            self._end(job, "done", outcome=zlib.compress(outcome, level=1))
        except CancelledError:
            pass
        except CommongroundError as error:
            self._end(job, "failed", error=str(error)[:_MAX_CHARACTERS])
        except Exception as error:  # the database may be down; the process is not to blame
            self._fail(job, error)

    def _fail(self, job: Job, error: Exception) -> None:
        kind = type(error).__name__  # no message, which could quote the user's texts
        _log.warning("a job of the kind %r failed: %s", job.task, origin(error))
        self._end(job, "failed", error=f"The server could not do this work ({kind}). Try again.")

    def _end(self, job: Job, state: State, error: str = "", outcome: bytes = b"") -> None:
        with self._lock:
            if job.over or (job.settled and state == "cancelled"):
                return
            job.state, job.error, job.outcome = state, error, outcome
            job.payload, job.then = b"", None
            job.version += 1
            job.ended = time.monotonic()
            self._ended.append(job)

    def _forget(self) -> None:
        """Drop jobs that ended long ago, and the oldest if they are too many or too large."""
        now, size = time.monotonic(), sum(len(job.outcome) for job in self._ended)
        while self._ended and (
            now - self._ended[0].ended > _KEPT_SECONDS
            or len(self._ended) > _KEPT_JOBS
            or size > _KEPT_BYTES
        ):
            old = self._ended.popleft()
            size -= len(old.outcome)
            del self._jobs[old.id]
