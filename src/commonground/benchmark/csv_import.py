"""A data set from a CSV table with one event per row (table 1 of paper 000)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from commonground.agreement import is_csv, read_tables
from commonground.errors import InputError, unknown_name
from commonground.io import Event, Narrative, Row

_SIDES: Final = ("left", "right")

# The default name of each column is what it holds.
COLUMNS: Final[Mapping[str, str]] = MappingProxyType(
    {
        name: name
        for name in (
            *("id", "theme", "theme-description"),
            *(f"{side}-{part}" for side in _SIDES for part in ("head", "context")),
        )
    }
)


def import_csv(
    path: str | Path,
    columns: Mapping[str, str] | None = None,
    references: Sequence[str] = (),
) -> list[Event]:
    """Read events from a CSV file with a header line.

    A narrative is its headline, if any, a blank line and its context. The references are the
    columns in `references`, in that order, then the theme description. The id is the column `id`,
    the theme, or the number of the row; duplicate ids get the number of the row. `columns` holds
    the column names that differ from `COLUMNS`.

    Raises:
        InputError: The file is not CSV, a column is missing, or a row has no context.
    """
    path = Path(path)
    if not is_csv(path):
        raise InputError(f"{path}: is not named .csv or .csv.gz")
    names = dict(COLUMNS)
    for key, name in (columns or {}).items():
        if key not in COLUMNS:
            raise unknown_name("column", key, COLUMNS)
        names[key] = name
    rows = read_tables([path])
    for name in (*(columns or {}).values(), *references):
        if name not in rows[0].values:
            raise unknown_name("column", name, rows[0].values)
    events: dict[str, Event] = {}
    for number, row in enumerate(rows, start=1):
        event = _event(row, names, references, number)
        if event.id in events:
            event = Event(f"{event.id}-{number}", event.narratives, event.references)
        events[event.id] = event
    return list(events.values())


def _event(row: Row, names: Mapping[str, str], references: Sequence[str], number: int) -> Event:
    narratives = []
    for side in _SIDES:
        head, context = _cell(row, names[f"{side}-head"]), _cell(row, names[f"{side}-context"])
        if not context:
            row.required(names[f"{side}-context"])
            raise row.wrong(f'"{names[f"{side}-context"]}" is blank')
        narratives.append(Narrative(side, f"{head}\n\n{context}" if head else context))
    texts = [_cell(row, name) for name in references]
    theme, about = _cell(row, names["theme"]), _cell(row, names["theme-description"])
    if about:
        texts.append(about)
    id_ = _cell(row, names["id"]) or theme or str(number)
    return Event(id_, tuple(narratives), tuple(texts))


def _cell(row: Row, name: str) -> str:
    """Return the text of a cell; empty if it is blank or the column is missing."""
    value = row.values.get(name)
    return "" if value is None else str(value).strip()
