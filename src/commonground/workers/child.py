"""The child's side of a worker process: serve one request at a time until the parent is gone.

Messages are bytes: a letter, then a body. Only the service knows what its bodies mean, so a
parent that must not unpickle what a worker sends can use JSON.
"""

import contextlib
import json
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from multiprocessing import connection, parent_process
from pathlib import Path
from typing import Protocol

from threadpoolctl import threadpool_limits

from commonground.errors import CommongroundError

READY, BEGUN, PROGRESS, DONE, FAILED = b"r", b"b", b"p", b"d", b"f"

_NO_MEMORY = FAILED + json.dumps(["This needs more memory than is available.", 1]).encode()

Report = Callable[[float, str], None]
"""Progress callback: the share that is done, from 0 to 1, and a message for people."""

_THREAD_VARIABLES = (
    "COMMONGROUND_THREADS",
    "MKL_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "RAYON_NUM_THREADS",
)


class Service(Protocol):
    """What a worker process does. It is pickled, and loads its models in the process."""

    def warm(self) -> None:
        """Load the models; an error here fails the start of the process."""
        ...

    def __call__(self, request: bytes, report: Report) -> bytes:
        """Return the body of the reply."""
        ...


def main(
    pipe: "connection.Connection[bytes, bytes]", service: Service, folder: str, threads: int
) -> None:
    """Serve the requests that come through the pipe.

    `folder` is for temporary files, and is removed with this process.
    """
    tempfile.tempdir = folder
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which kills us
    threading.Thread(target=_exit_with_parent, args=(folder,), daemon=True).start()
    limit_threads(threads)

    def report(share: float, message: str) -> None:
        pipe.send_bytes(PROGRESS + json.dumps([share, message]).encode())

    with contextlib.suppress(EOFError, OSError):  # of the pipe
        pipe.send_bytes(_reply(READY, service.warm))
        while True:
            request = pipe.recv_bytes()
            pipe.send_bytes(BEGUN)
            reply = _reply(DONE, lambda: service(request, report))  # noqa: B023
            pipe.send_bytes(reply)
            if reply == _NO_MEMORY:
                return  # libraries may be half-way through anything; a new process takes over


def _reply(letter: bytes, call: Callable[[], bytes | None]) -> bytes:
    """Return what the call returns; after an error, its message and exit code as JSON."""
    exit_code = 1
    try:
        return letter + (call() or b"")
    except CommongroundError as error:
        message, exit_code = str(error), error.exit_code
    except MemoryError:
        return _NO_MEMORY
    except Exception as error:
        message = " ".join(f"The work failed: {type(error).__name__}: {error}".split())
    return FAILED + json.dumps([message, exit_code]).encode()


def limit_threads(threads: int) -> None:
    """Limit the threads of this process: others work on the other cores."""
    # The environment for libraries loaded later, the call for those already loaded.
    os.environ |= dict.fromkeys(_THREAD_VARIABLES, str(threads))
    os.environ["TOKENIZERS_PARALLELISM"] = "false" if threads == 1 else "true"
    threadpool_limits(threads)


@contextlib.contextmanager
def memory_limit(more: int) -> Iterator[None]:
    """Raise MemoryError if the process grows by more than `more` bytes within the block.

    No-op outside Linux: other systems have no limit that holds.
    """
    if sys.platform != "linux":
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    ceilings = [used + more, *(limit for limit in before if limit != resource.RLIM_INFINITY)]
    resource.setrlimit(resource.RLIMIT_AS, (min(ceilings), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def _exit_with_parent(folder: str) -> None:
    """Exit, and leave no file behind, when the parent has ended for whatever reason."""
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)
