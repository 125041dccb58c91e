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
    "compare": Task("commonground.web._tasks.compare:compare", seconds=600),
    "project": Task("commonground.web._tasks.project:project", seconds=600),
    "pyramid": Task("commonground.web._tasks.pyramid:build", seconds=300),
    "pyramid-scores": Task("commonground.web._tasks.pyramid:score", seconds=300),
    "score": Task("commonground.web._tasks.score:score"),
    "text": Task("commonground.web._tasks.text:text", seconds=60),
}

WARM: Final = "commonground.web._tasks.warm:warm"
