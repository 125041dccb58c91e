"""The command line."""

import os
import signal
import sys
from types import FrameType
from typing import TYPE_CHECKING

from commonground.lazy import on_demand

if TYPE_CHECKING:
    from commonground.cli.app import run
else:
    __getattr__, __dir__ = on_demand(__name__, {"app": ["run"]})

__all__ = ["INTERRUPTED", "main", "run"]

INTERRUPTED = 130
"""The exit code after Ctrl-C."""


def main() -> None:
    """Run the command line and exit with its exit code."""
    # Ctrl-C during the imports should not show a traceback.
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # not under nohup
    if ours:
        signal.signal(signal.SIGINT, _leave)
    from commonground.cli import app

    if ours:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    app.main()


def _leave(number: int, frame: FrameType | None) -> None:
    """Exit at once: an exception here could be caught by any library being imported."""
    sys.stderr.write("commonground: interrupted\n")
    sys.stderr.flush()
    os._exit(INTERRUPTED)
