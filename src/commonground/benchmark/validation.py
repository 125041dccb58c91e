"""What is wrong with a data set, all of it at once."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonground.errors import InputError
from commonground.io import Event, read_events


@dataclass(frozen=True, slots=True)
class Validation:
    """What a data set holds and what is wrong with it.

    Attributes:
        events: The events that could be read, by id.
        errors: Rows that could not, one line each with the file and the line.
        warnings: What can be read but makes a poor benchmark, one line each with the id.
    """

    events: dict[str, Event]
    errors: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def valid(self) -> bool:
        """Whether every row could be read, and there is one."""
        return not self.errors

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "events": len(self.events),
            "valid": self.valid,
            "errors": list(self.errors),
            "warnings": list(self.warnings),
        }


def validate(path: str | Path) -> Validation:
    """Read a data set to its end, whatever stands in it.

    Raises:
        InputError: The file as a whole cannot be read.
    """
    errors: list[InputError] = []
    events = read_events(path, errors.append)
    lines = [str(error) for error in errors]
    if not events and not lines:
        lines.append(f"{path}: has no events")
    warnings = [
        f"{event.id}: {what}" for event in events.values() for what in _doubts(event)
    ] + _uneven(events)
    return Validation(events, tuple(lines), tuple(warnings))


def _doubts(event: Event) -> list[str]:
    doubts = []
    if len(event.narratives) < 2:
        doubts.append(f"{len(event.narratives) or 'no'} narrative; an overlap needs two")
    for number, narrative in enumerate(event.narratives, start=1):
        if not narrative.text.strip():
            doubts.append(f"narrative {number} ({narrative.source}) is empty")
    if len({one.text.strip() for one in event.narratives}) < len(event.narratives):
        doubts.append("two narratives are the same text")
    if not event.references:
        doubts.append("no references")
    for number, reference in enumerate(event.references, start=1):
        if not reference.strip():
            doubts.append(f"reference {number} is empty (the annotator saw no overlap?)")
    return doubts


def _uneven(events: dict[str, Event]) -> list[str]:
    """References are compared by position, so their number should be the same everywhere."""
    counts = {len(event.references) for event in events.values() if event.references}
    if len(counts) < 2:
        return []
    numbers = ", ".join(map(str, sorted(counts)))
    return [f"events differ in their number of references ({numbers})"]
