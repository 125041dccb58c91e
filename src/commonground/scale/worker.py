"""What runs in a worker process: one chunk at a time, until the parent goes away."""

import contextlib
import os
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TypeAlias

from threadpoolctl import threadpool_limits

from commonground.errors import CommongroundError
from commonground.scale.work import Work

READY, DONE, FAILED = "ready", "done", "failed"

Trouble: TypeAlias = tuple[str, int]
"""Why a worker cannot go on, and the exit code. (Errors of ours need not survive pickling.)"""

_THREADS = (
    "COMMONGROUND_THREADS",
    "MKL_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "RAYON_NUM_THREADS",
)


class WorkerError(CommongroundError):
    """A worker cannot work at all."""


def check(trouble: Trouble | None) -> None:
    """Raise what a worker says of its trouble, if it has any."""
    if trouble is None:
        return
    text, exit_code = trouble
    error = WorkerError(text)
    error.exit_code = exit_code
    raise error


def main(pipe: "Connection[object, object]", work: Work, threads: int) -> None:
    """Load the models, then work on what comes through the pipe.

    Args:
        pipe: To the parent; its end is ours.
        work: What is done to every chunk.
        threads: How many this process may use.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us
    limit_threads(threads)
    with contextlib.suppress(EOFError, OSError):  # of the pipe
        said = _tried(READY, work.warm)
        pipe.send(said)
        while said[0] != FAILED:
            said = _tried(DONE, work, pipe.recv())
            pipe.send(said)


def _tried(done: str, task: Callable[..., object], *given: object) -> tuple[str, object]:
    """What came of a task, or why nothing can."""
    try:
        return done, task(*given)
    except CommongroundError as error:
        return FAILED, (str(error), error.exit_code)
    except Exception as error:
        reason = " ".join(f"unexpected {type(error).__name__}: {error}".split())
        return FAILED, (f"a worker process cannot go on: {reason}", 1)


def limit_threads(threads: int) -> None:
    """Keep this process to so many threads: others are at work on the other cores."""
    # The environment for libraries that are loaded from now on, the limit for those that are.
    for name in _THREADS:
        os.environ[name] = str(threads)
    os.environ["TOKENIZERS_PARALLELISM"] = "false" if threads == 1 else "true"
    threadpool_limits(threads)
