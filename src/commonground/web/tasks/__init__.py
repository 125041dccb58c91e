"""Tasks of worker processes: functions `f(payload, report) -> plain values`, by name.

`payload` comes from the page; `report(share, "message")` shows progress to the user. Modules here
must not import FastAPI.

Requests and replies are JSON, never pickles: a worker reads files of strangers, and what it sends
must stay data for the server even if one of those files gained control of the worker.
"""

import contextlib
import faulthandler
import gc
import json
import os
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from commonground.errors import InputError
from commonground.text import forget
from commonground.workers import Report

MAX_BYTES: Final = 64_000_000
"""Size limit of a reply."""


@dataclass(frozen=True, slots=True)
class Task:
    """A task's function (`module:name`) and its time limit."""

    target: str
    seconds: float = 120.0


TASKS: Final = {
    "class": Task("commonground.web.tasks.files:students", seconds=60),
    "compare": Task("commonground.web.tasks.results:compare", seconds=600),
    "project": Task("commonground.web.tasks.projects:project", seconds=600),
    "project-preview": Task("commonground.web.tasks.projects:preview", seconds=120),
    "pyramid": Task("commonground.web.tasks.results:build_pyramid", seconds=300),
    "pyramid-scores": Task("commonground.web.tasks.results:score_class", seconds=300),
    "score": Task("commonground.web.tasks.results:score"),
    "systems": Task("commonground.web.tasks.systems:score_systems", seconds=600),
    "text": Task("commonground.web.tasks.files:text", seconds=60),
}

WARM: Final = "commonground.web.tasks.results:warm"


@dataclass(frozen=True, slots=True)
class TaskService:
    """Calls the task that a request `[target, seconds, payload]` names."""

    load: str | None  # a function (`module:name`) that loads what tasks need

    def warm(self) -> None:
        """Load what tasks need; a task that cannot do without it will report the error."""
        if self.load:
            with contextlib.suppress(Exception):
                _function(self.load)()
        gc.freeze()  # models stay for good, so the collector need not visit them again

    def __call__(self, request: bytes, report: Report) -> bytes:
        """Return the task's result as JSON."""
        target, seconds, payload = json.loads(request)
        with Path(os.devnull).open("w") as nowhere:
            # A C thread, which also ends a task that never releases the interpreter, and even
            # when the server that would have killed it is gone.
            faulthandler.dump_traceback_later(seconds + 5, exit=True, file=nowhere)
            try:
                result = _function(target)(payload, report)
                text = json.dumps(
                    result, allow_nan=False, ensure_ascii=False, separators=(",", ":")
                )
                # No response could hold half of a surrogate pair.
                reply = text.encode("utf-8", "replace")
            finally:
                faulthandler.cancel_dump_traceback_later()
                forget()  # so that memory stays flat
        if len(reply) >= MAX_BYTES:
            raise InputError(f"The result is larger than {MAX_BYTES / 1e6:.0f} MB. Use less text.")
        return reply


def _function(target: str) -> Any:
    module, name = target.split(":")
    return getattr(import_module(module), name)
