"""What runs in a worker process: one chunk at a time, until the parent goes away."""

import contextlib
import os
import signal
from multiprocessing.connection import Connection

from threadpoolctl import threadpool_limits

from commonground.errors import CommongroundError
from commonground.scale._work import Work

READY, DONE, FAILED = "ready", "done", "failed"

_THREADS = (
    "COMMONGROUND_THREADS",
    "MKL_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "RAYON_NUM_THREADS",
)


def main(pipe: "Connection[object, object]", work: Work, threads: int) -> None:
    """Load the models, then work on what comes through the pipe.

    Args:
        pipe: To the parent; its end is ours.
        work: What is done to every chunk.
        threads: How many this process may use.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us
    limit_threads(threads)
    with contextlib.suppress(EOFError, OSError):
        try:
            work.warm()
            pipe.send((READY, None))
            while True:
                pipe.send((DONE, work(pipe.recv())))  # type: ignore[arg-type]
        except CommongroundError as error:
            pipe.send((FAILED, (str(error), error.exit_code)))


def limit_threads(threads: int) -> None:
    """Keep this process to so many threads: others are at work on the other cores."""
    # The environment for libraries that are loaded from now on, the limit for those that are.
    for name in _THREADS:
        os.environ[name] = str(threads)
    os.environ["TOKENIZERS_PARALLELISM"] = "false" if threads == 1 else "true"
    threadpool_limits(threads)
