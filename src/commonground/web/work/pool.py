"""The pool: a bounded queue of jobs, and a thread for each process that does them."""

import json
import logging
import secrets
import threading
import time
from collections import deque
from collections.abc import Mapping
from typing import Any, Final

from commonground.errors import CommongroundError, unknown_name
from commonground.web.tasks import TASKS, WARM, Task
from commonground.web.work.job import CancelledError, Job, QueueFullError, State, Then
from commonground.web.work.process import ProcessEndedError, TooLongError, WorkerProcess
from commonground.web.work.worker import DONE, FAILED, PROGRESS

_KEPT_SECONDS: Final = 900.0  # a result waits so long to be fetched
_KEPT_JOBS: Final = 400
_KEPT_BYTES: Final = 64_000_000
_WAITING_BYTES: Final = 200_000_000  # of all that waits; a single job may be of any size
_MOST_LETTERS: Final = 2000  # of what a process says to people

# Of one process, since the parser keeps every word that it has ever met. Each next one is given
# more, so that they do not all load the models again at the same time.
_MOST_JOBS: Final = 1000
_MORE_JOBS: Final = 100

LOST = "The process that did this work ended unexpectedly. Try again."

_log = logging.getLogger(__name__)


class Jobs:
    """Work for processes, seen by those who asked for it.

    Args:
        workers: How many processes.
        queue: How many jobs may wait; one more is a `QueueFullError`.
        tasks: What can be done, by name.
        warm: A function (`module:name`) each process calls first.
    """

    def __init__(
        self,
        workers: int,
        queue: int,
        tasks: Mapping[str, Task] = TASKS,
        warm: str | None = WARM,
    ) -> None:
        self._most = queue
        self._tasks = tasks
        self._changed = threading.Condition()
        self._queue: deque[Job] = deque()
        self._running: dict[str, WorkerProcess] = {}
        self._jobs: dict[str, Job] = {}
        self._ended: deque[Job] = deque()
        self._closing = False
        self._seconds = 2.0  # how long a job takes, roughly and of late
        self._workers = [
            WorkerProcess(warm, _MOST_JOBS + _MORE_JOBS * number) for number in range(workers)
        ]
        self._threads = [
            threading.Thread(target=self._serve, args=(one,), daemon=True) for one in self._workers
        ]

    def start(self) -> None:
        """Start the processes; jobs may come at once."""
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """End all processes; jobs that run or wait are cancelled."""
        with self._changed:
            self._closing = True
            for job in list(self._jobs.values()):
                self._end(job, "cancelled")
            for worker in self._workers:
                worker.kill()
            self._changed.notify_all()
        for thread in self._threads:
            if thread.is_alive():
                thread.join()

    def submit(
        self, task: str, payload: Mapping[str, Any], owner: str, then: Then | None = None
    ) -> Job:
        """Queue a piece of work.

        Args:
            task: A name in `TASKS`.
            payload: Plain values, as JSON has them.
            owner: Who may see the job: the id of a session.
            then: What this process does with the result, in a thread of the pool. What it raises
                fails the job.

        Raises:
            QueueFullError: Too much is waiting already.
        """
        if task not in self._tasks:
            raise unknown_name("task", task, self._tasks)
        job = Job(secrets.token_urlsafe(16), task, owner, json.dumps(payload).encode(), then)
        with self._changed:
            self._forget()
            waiting = sum(len(one.payload) for one in self._queue)
            too_large = self._queue and waiting + len(job.payload) > _WAITING_BYTES
            if len(self._queue) >= self._most or too_large:
                several = max(1, len(self._workers))
                rounds = 1 + len(self._queue) / several
                raise QueueFullError(max(1, min(60, round(rounds * self._seconds))))
            self._jobs[job.id] = job
            self._queue.append(job)
            self._changed.notify()
        return job

    def get(self, job_id: str, owner: str) -> Job | None:
        """A job, if it is there and this session's own."""
        with self._changed:
            self._forget()
            job = self._jobs.get(job_id)
        return job if job is not None and job.owner == owner else None

    def ahead(self, job: Job) -> int:
        """How many jobs wait before this one."""
        with self._changed:
            return self._queue.index(job) if job in self._queue else 0

    def cancel(self, job: Job) -> bool:
        """End a job, and the process that is at it; one that is over or settled stays as it is.

        Returns:
            False where it is too late: what cannot be taken back is done or being done.
        """
        with self._changed:
            if job.over or job.settled:
                return not job.settled
            self._end(job, "cancelled")
            if job in self._queue:
                self._queue.remove(job)
            # Under the lock, so that the process cannot have gone on to the job of another.
            if worker := self._running.get(job.id):
                worker.kill()
            return True

    def _serve(self, worker: WorkerProcess) -> None:
        while not self._closing:
            try:
                worker.start()
            except Exception:  # memory or handles may be short too, for a while
                worker.end()  # tried again with the next job, which is told if that fails too
            job = self._next(worker)
            if job is not None:
                self._work(worker, job)
        worker.end()

    def _next(self, worker: WorkerProcess) -> Job | None:
        with self._changed:
            while not self._queue and not self._closing:
                self._changed.wait()
            if self._closing:
                return None
            job = self._queue.popleft()
            job.state, job.message, job.version = "running", "Starting", job.version + 1
            self._running[job.id] = worker
            return job

    def _work(self, worker: WorkerProcess, job: Job) -> None:
        began = time.monotonic()
        task = self._tasks[job.task]
        try:
            worker.begin(task.target, task.seconds, job.payload, lambda: not job.over)
            if job.over:  # cancelled when there was no process to be ended yet
                raise ProcessEndedError
            deadline = time.monotonic() + task.seconds
            while self._heard(job, *worker.receive(deadline)):
                pass
        except ProcessEndedError:
            self._end(job, "failed", error=LOST)
            worker.end()
        except TooLongError:
            worker.end()
            words = f"This took longer than {task.seconds:.0f} seconds and was ended."
            self._end(job, "failed", error=words)
        except Exception as error:  # no process could be started, or this one says what is no JSON
            self._fail(job, error)
            worker.end()
        with self._changed:
            del self._running[job.id]
            self._seconds += (time.monotonic() - began - self._seconds) / 8

    def _heard(self, job: Job, kind: bytes, body: bytes) -> bool:
        """Take in what the process says of a job; whether there is more to come.

        Raises:
            ValueError: It makes no sense, so that the process is not to be trusted any more.
        """
        said = json.loads(body)
        if kind == PROGRESS:
            share, words = min(1.0, max(0.0, float(said[0]))), str(said[1])[:_MOST_LETTERS]
            with self._changed:
                job.progress, job.message = share, words
                job.version += 1
            return True
        if kind == DONE:
            self._follow(job, said, body)
        elif kind == FAILED:
            self._end(job, "failed", error=str(said)[:_MOST_LETTERS])
        else:
            raise ValueError(f"a message of the kind {kind!r}")
        return False

    def _follow(self, job: Job, found: Any, outcome: bytes) -> None:
        """Do what is to be done with a result, and end the job with what comes of it."""

        def settle() -> None:
            with self._changed:
                if job.over:
                    raise CancelledError
                job.settled = True

        then = job.then  # which cancelling takes away
        try:
            if then is not None:
                outcome = json.dumps(then(found, settle)).encode()
            self._end(job, "done", outcome=outcome)
        except CancelledError:
            pass
        except CommongroundError as error:
            self._end(job, "failed", error=str(error)[:_MOST_LETTERS])
        except Exception as error:  # the database may be down; the process is not to blame
            self._fail(job, error)

    def _fail(self, job: Job, error: Exception) -> None:
        kind = type(error).__name__
        _log.warning("a job of the kind %r failed: %s: %s", job.task, kind, error)
        words = f"The server could not do this work ({kind}). Try again."
        self._end(job, "failed", error=words)

    def _end(self, job: Job, state: State, error: str = "", outcome: bytes = b"") -> None:
        with self._changed:
            if job.over or (job.settled and state == "cancelled"):
                return
            job.state, job.error, job.outcome = state, error, outcome
            job.payload, job.then = b"", None
            job.version += 1
            job.ended = time.monotonic()
            self._ended.append(job)

    def _forget(self) -> None:
        """Drop what ended long ago, and the oldest where there is too much."""
        now, size = time.monotonic(), sum(len(job.outcome) for job in self._ended)
        while self._ended and (
            now - self._ended[0].ended > _KEPT_SECONDS
            or len(self._ended) > _KEPT_JOBS
            or size > _KEPT_BYTES
        ):
            old = self._ended.popleft()
            size -= len(old.outcome)
            del self._jobs[old.id]
