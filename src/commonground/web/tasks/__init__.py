"""What worker processes can do, by name: a function `f(payload, report) -> plain values` each.

`payload` is what the page submitted; `report(share, "words")` tells the user how far it is.
Modules here may import the whole of commonground and nothing of FastAPI.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Task:
    """Where a task's function is (`module:name`), and how long it may take."""

    target: str
    seconds: float = 120.0


TASKS: Final = {
    "compare": Task("commonground.web.tasks.compare:compare", seconds=600),
    "project": Task("commonground.web.tasks.project:project", seconds=600),
    "pyramid": Task("commonground.web.tasks.pyramid:build", seconds=300),
    "pyramid-scores": Task("commonground.web.tasks.pyramid:score", seconds=300),
    "score": Task("commonground.web.tasks.score:score"),
    "text": Task("commonground.web.tasks.text:text", seconds=60),
}

WARM: Final = "commonground.web.tasks.warm:warm"
