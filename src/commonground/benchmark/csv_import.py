"""A data set from a CSV table with a row an event and named columns (table 1 of paper 000)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from commonground.agreement import is_csv, read_tables
from commonground.errors import InputError, unknown_name
from commonground.io import Event, Narrative, Row

# What a column holds, and the name it has unless another is given.
COLUMNS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "id": "id",
        "theme": "theme",
        "theme-description": "theme-description",
        "left-head": "left-head",
        "left-context": "left-context",
        "right-head": "right-head",
        "right-context": "right-context",
    }
)
_SIDES: Final = ("left", "right")


def import_csv(
    path: str | Path,
    columns: Mapping[str, str] | None = None,
    references: Sequence[str] = (),
) -> list[Event]:
    """Read events from a CSV file with a header line.

    A narrative is its headline, a blank line and its context; the headline may be missing. The
    references are the columns in `references`, in that order, and then the theme description. The
    id is the column of that name, or the theme, or where neither is there the number of the row;
    ids that would come twice get a number.

    Args:
        path: The file.
        columns: Other names than those in `COLUMNS`, by what they hold.
        references: Columns with the overlaps that annotators wrote.

    Raises:
        InputError: No CSV, a column that is not there, or a row without a context.
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
    _check_columns(rows, [*(columns or {}).values(), *references])
    events: dict[str, Event] = {}
    for number, row in enumerate(rows, start=1):
        event = _event(row, names, references, number)
        if event.id in events:
            event = Event(f"{event.id}-{number}", event.narratives, event.references)
        events[event.id] = event
    return list(events.values())


def _check_columns(rows: Sequence[Row], asked: Sequence[str]) -> None:
    there = rows[0].values
    for name in asked:
        if name not in there:
            raise unknown_name("column", name, there)


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
    """The text of a cell; nothing where it is blank or its column is not there."""
    value = row.values.get(name)
    return "" if value is None else str(value).strip()
