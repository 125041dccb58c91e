"""What runs in a worker process: one task at a time, until the server goes away.

Messages are bytes, a letter and then JSON, and never pickles: a worker reads files of strangers,
and what it sends must stay data for the server even if one of them gained control of it.
"""

import contextlib
import faulthandler
import json
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from multiprocessing import connection, parent_process
from pathlib import Path
from typing import Any

from commonground.text import forget

MOST_BYTES = 64_000_000
"""Of one message to the server."""

READY, BEGUN, PROGRESS, DONE, FAILED = b"r", b"b", b"p", b"d", b"f"

Report = Callable[[float, str], None]
TaskFunction = Callable[[Mapping[str, Any], Report], Any]


def main(pipe: "connection.Connection[bytes, bytes]", warm: str | None, folder: str) -> None:
    """Serve tasks that come through the pipe.

    Args:
        pipe: To the server.
        warm: A function to call first (`module:name`), which loads what tasks need.
        folder: For temporary files; the server takes it away with this process.
    """
    tempfile.tempdir = folder
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us
    threading.Thread(target=_end_with_server, args=(folder,), daemon=True).start()
    _one_thread()
    if warm:
        with contextlib.suppress(Exception):  # a task that cannot do without will say what is wrong
            function(warm)()
    pipe.send_bytes(READY)
    with contextlib.suppress(EOFError, OSError), Path(os.devnull).open("w") as nowhere:
        while True:
            target, seconds, payload = json.loads(pipe.recv_bytes())
            pipe.send_bytes(BEGUN)
            # A thread of C, which ends a task that would never let Python have a turn, even when
            # the server that would have done it is gone.
            faulthandler.dump_traceback_later(seconds + 5, exit=True, file=nowhere)
            pipe.send_bytes(_outcome(pipe, target, payload))
            faulthandler.cancel_dump_traceback_later()
            forget()  # so that memory stays flat


def function(target: str) -> Any:
    """The function that `module:name` means."""
    module, name = target.split(":")
    return getattr(import_module(module), name)


@contextlib.contextmanager
def memory_limit(more: int) -> Iterator[None]:
    """Let the process grow by so many bytes at most within the block; MemoryError beyond.

    Only Linux has such a limit that holds; elsewhere it does nothing.
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


def _outcome(pipe: "connection.Connection[bytes, bytes]", target: str, payload: Any) -> bytes:
    from commonground.errors import CommongroundError

    def report(share: float, words: str) -> None:
        pipe.send_bytes(PROGRESS + json.dumps([share, words]).encode())

    try:
        found = function(target)(payload, report)
        written = json.dumps(found, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
        message = DONE + written.encode("utf-8", "surrogatepass")
        if len(message) > MOST_BYTES:
            most = f"{MOST_BYTES / 1e6:.0f} MB"
            return FAILED + json.dumps(f"This comes to more than {most}; give it less.").encode()
        return message
    except CommongroundError as error:
        return FAILED + json.dumps(str(error)).encode()
    except MemoryError:
        return FAILED + json.dumps("This needs more memory than the server gives.").encode()
    except Exception as error:
        words = f"The work failed: {type(error).__name__}: {error}"
        return FAILED + json.dumps(" ".join(words.split())).encode()


def _one_thread() -> None:
    """As many processes as cores are at work already; threads in them would only wait."""
    os.environ["COMMONGROUND_THREADS"] = "1"
    from threadpoolctl import threadpool_limits

    threadpool_limits(1)


def _end_with_server(folder: str) -> None:
    """End this process when the server has ended, however it did, and leave no file behind."""
    server = parent_process()
    if server is not None:
        connection.wait([server.sentinel])
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)
