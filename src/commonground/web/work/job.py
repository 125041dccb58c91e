"""A piece of work and what is known of it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from commonground.errors import CommongroundError

State = Literal["queued", "running", "done", "failed", "cancelled"]

Then = Callable[[Any, Callable[[], None]], Any]
"""What the server does with a task's result: `then(result, settle)` gives the job's result.

It calls `settle` right before it does what cannot be taken back: that raises `CancelledError`
where the job was cancelled meanwhile, and from then on the job cannot be.
"""


class CancelledError(Exception):
    """The job was cancelled before its result was used."""


class QueueFullError(CommongroundError):
    """More work is waiting than the server takes on; `retry_after` is in seconds."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(
            "The server is busy: as much work is waiting as it takes on. "
            f"Try again in {retry_after} seconds."
        )
        self.retry_after = retry_after


@dataclass(slots=True)
class Job:
    """What the pool knows of one piece of work; only the pool changes it.

    Attributes:
        id: Unguessable.
        task: A name in `TASKS`.
        owner: The session that asked; nobody else sees the job.
        payload: What the task is given, as JSON; dropped when the work ends.
        then: What the server does with the result.
        settled: Whether it is too late to cancel, whether or not the job is over yet.
        state: Where it stands.
        progress: The share that is done, from 0 to 1.
        message: What is being done, for people.
        error: Why it failed, in one line for people.
        version: Grows with every change, so that a page can wait for the next one.
        outcome: The result as JSON, kept packed since most results are read once.
        ended: When it ended, on the clock of the pool.
    """

    id: str
    task: str
    owner: str
    payload: bytes
    then: Then | None = None
    settled: bool = False
    state: State = "queued"
    progress: float = 0.0
    message: str = ""
    error: str = ""
    version: int = 0
    outcome: bytes = b""
    ended: float = 0.0

    @property
    def result(self) -> Any:
        """What the task returned; None unless the job is done."""
        return json.loads(self.outcome) if self.outcome else None

    @property
    def over(self) -> bool:
        """Whether nothing more will change."""
        return self.state in ("done", "failed", "cancelled")
