"""The tasks of worker processes: functions `f(payload, report) -> plain values`, by name.

`payload` comes from the page; `report(share, "message")` shows progress to the user. Modules here
must not import FastAPI.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Task:
    """A task's function (`module:name`) and its time limit."""

    target: str
    seconds: float = 120.0


TASKS: Final = {
    "compare": Task("commonground.web.tasks.results:compare", seconds=600),
    "project": Task("commonground.web.tasks.files:project", seconds=600),
    "pyramid": Task("commonground.web.tasks.results:build_pyramid", seconds=300),
    "pyramid-scores": Task("commonground.web.tasks.results:score_class", seconds=300),
    "score": Task("commonground.web.tasks.results:score"),
    "text": Task("commonground.web.tasks.files:text", seconds=60),
}

WARM: Final = "commonground.web.tasks.results:warm"
