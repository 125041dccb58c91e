"""All errors and warnings of a data set at once."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonground.errors import InputError
from commonground.io import Event, read_events


@dataclass(frozen=True, slots=True)
class Validation:
    """The events of a data set, its errors and its warnings.

    Attributes:
        events: The readable events, by id.
        errors: One line for each unreadable row, with the file and the line.
        warnings: One line for each weakness as a benchmark, with the id.
    """

    events: dict[str, Event]
    errors: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def valid(self) -> bool:
        """Whether there are rows, and all are readable."""
        return not self.errors

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "events": len(self.events),
            "valid": self.valid,
            "errors": list(self.errors),
            "warnings": list(self.warnings),
        }


def validate(path: str | Path) -> Validation:
    """Read a data set to its end and report all problems.

    Raises:
        InputError: The file cannot be read.
    """
    errors: list[InputError] = []
    events = read_events(path, errors.append)
    lines = [str(error) for error in errors]
    if not events and not lines:
        lines.append(f"{path}: has no events")
    warnings = [
        f"{event.id}: {what}" for event in events.values() for what in _problems(event)
    ] + _uneven(events)
    return Validation(events, tuple(lines), tuple(warnings))


def _problems(event: Event) -> list[str]:
    problems = []
    if len(event.narratives) < 2:
        problems.append(f"{len(event.narratives) or 'no'} narrative; an overlap needs two")
    for number, narrative in enumerate(event.narratives, start=1):
        if not narrative.text.strip():
            problems.append(f"narrative {number} ({narrative.source}) is empty")
    if len({one.text.strip() for one in event.narratives}) < len(event.narratives):
        problems.append("two narratives are the same text")
    if not event.references:
        problems.append("no references")
    for number, reference in enumerate(event.references, start=1):
        if not reference.strip():
            problems.append(f"reference {number} is empty (the annotator saw no overlap?)")
    return problems


def _uneven(events: dict[str, Event]) -> list[str]:
    """Warn if events differ in their number of references, which are compared by position."""
    counts = {len(event.references) for event in events.values() if event.references}
    if len(counts) < 2:
        return []
    numbers = ", ".join(map(str, sorted(counts)))
    return [f"events differ in their number of references ({numbers})"]
