"""The command line: `commonground score`, `commonground models` and their neighbours."""

import os
import signal
import sys
from types import FrameType

__all__ = ["INTERRUPTED", "main", "run"]

INTERRUPTED = 130
"""The exit code after Ctrl-C."""


def main() -> None:
    """Run the command line and leave with its exit code."""
    # The first half second goes into imports, and who presses Ctrl-C then wants no traceback.
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # not so under nohup
    if ours:
        signal.signal(signal.SIGINT, _leave)
    from commonground.cli import running

    if ours:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    running.main()


def run(arguments: list[str]) -> int:
    """Run one command; the exit code is what comes back."""
    from commonground.cli import running

    return running.run(arguments)


def _leave(number: int, frame: FrameType | None) -> None:
    """End at once: an exception from here could end up inside of any library."""
    sys.stderr.write("commonground: interrupted\n")
    sys.stderr.flush()
    os._exit(INTERRUPTED)
