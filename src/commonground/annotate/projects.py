"""Projects: prepared from a data set and outputs, found and listed."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from commonground.annotate.protocols import (
    NO_TEXT,
    NotFoundError,
    Protocol,
    checked_name,
    protocol_of,
    units_of,
)
from commonground.database import Database, Viewer, visible
from commonground.database.tables import ItemRow, ProjectRow
from commonground.errors import InputError
from commonground.io import Event, Prediction
from commonground.text import sentences


@dataclass(frozen=True, slots=True)
class Project:
    """A project as its owner sees it."""

    id: int
    name: str
    protocol: Protocol
    items: int  # number of items for each annotator
    units: int  # number of labels that these take
    created_at: datetime


@dataclass(frozen=True, slots=True)
class PreparedEvent:
    """What annotators see of an event: `(source, text)` pairs, or sentences of references."""

    name: str
    narratives: list[tuple[str, str]]
    references: list[list[str]]


@dataclass(frozen=True, slots=True)
class PreparedItem:
    """An item; `event` is an index into the events, `units` the number of labels."""

    event: int
    system: str
    summary: list[str]
    units: int


@dataclass(frozen=True, slots=True)
class Prepared:
    """A project without a name, as plain values that can come from another process."""

    protocol: str
    events: list[PreparedEvent]
    items: list[PreparedItem]


def check_project(name: str, protocol: str) -> str:
    """Return a project's name as stored; raise InputError for a bad name or protocol."""
    protocol_of(protocol)
    return checked_name(name, "the project's name")


def prepare(
    protocol: str,
    events: Mapping[str, Event],
    predictions: Iterable[Prediction] = (),
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Prepared:
    """Check the data and split it into sentences, which is the slow part of making a project.

    Items follow the order of the data set, and those of one event the order of the outputs.

    Args:
        protocol: One of `PROTOCOLS`.
        events: The data set. If the protocol judges outputs, events without any are skipped.
        predictions: The outputs; ignored by the protocol `overlap`.
        progress: Called with the number of prepared events and their total, once the outputs
            are read.

    Raises:
        InputError: Data that the protocol shows is missing, or an output has no event.
    """
    rules = protocol_of(protocol)
    outputs = _outputs(rules, events, predictions)
    _check(rules, outputs)
    shown = {output.event.id: output.event for output in outputs}
    prepared: list[PreparedEvent] = []
    for event in shown.values():
        prepared.append(_event(event, rules))
        if progress:
            progress(len(prepared), len(shown))
    indices = {name: index for index, name in enumerate(shown)}
    items = []
    for event, system, summary in outputs:
        index = indices[event.id]
        units = units_of(protocol, summary, prepared[index].references)
        items.append(PreparedItem(index, system, summary, len(units)))
    return Prepared(protocol, prepared, items)


def each_project(database: Database, viewer: Viewer | None = None) -> list[Project]:
    """Return projects, newest first: all, or those that a viewer may see."""
    query = select(ProjectRow).filter_by(state="ready").order_by(ProjectRow.id.desc())
    if viewer is not None:
        query = query.where(visible(ProjectRow, viewer))
    with database.reading() as session:
        return [_project(session, row) for row in session.scalars(query)]


def find_project(database: Database, project: int) -> Project:
    """Return a project, or raise NotFoundError."""
    with database.reading() as session:
        return _project(session, project_row(session, project))


def project_row(session: Session, project: int) -> ProjectRow:
    """Return the row of a project that is ready, or raise NotFoundError."""
    row = session.get(ProjectRow, project)
    if row is None or row.state != "ready":
        raise NotFoundError(f"there is no project {project}")
    return row


def _project(session: Session, row: ProjectRow) -> Project:
    totals = select(func.count(), func.coalesce(func.sum(ItemRow.units), 0))
    items, units = session.execute(totals.where(ItemRow.project_id == row.id)).one()
    return Project(row.id, row.name, protocol_of(row.protocol), items, units, row.created_at)


class _Output(NamedTuple):
    event: Event
    system: str
    summary: list[str]


def _outputs(
    rules: Protocol, events: Mapping[str, Event], predictions: Iterable[Prediction]
) -> list[_Output]:
    if not events:
        raise InputError("the data set has no events")
    if not rules.outputs:
        return [_Output(event, "", []) for event in events.values()]
    by_event: dict[str, list[_Output]] = {name: [] for name in events}
    for row in predictions:
        if row.id not in events:
            where = row.place or f"outputs, line {row.line}"
            raise InputError(f"{where}: id {row.id!r} is not in the data set")
        output = _Output(events[row.id], row.system.strip(), sentences(row.summary))
        by_event[row.id].append(output)
    outputs = [output for group in by_event.values() for output in group]
    if not outputs:
        raise InputError(f"the protocol {rules.name!r} needs outputs, and there are none")
    return outputs


def _check(rules: Protocol, outputs: list[_Output]) -> None:
    # Label files strip the blanks around ids and systems.
    seen: set[tuple[str, str]] = set()
    for output in outputs:
        where, key = f"id {output.event.id!r}", (output.event.id.strip(), output.system)
        if key in seen:
            by = f" by {output.system!r}" if output.system else ""
            raise InputError(f"{where}{by} appears twice (ignoring blanks)")
        seen.add(key)
        if rules.narratives and not output.event.narratives:
            raise InputError(f"{where} has no texts, which {rules.name!r} needs")
        if rules.references and not output.event.references:
            raise InputError(f"{where} has no references, which {rules.name!r} needs")
        narratives = (text for row in output.event.narratives for text in (row.source, row.text))
        if any(map(NO_TEXT.search, (*key, *output.summary, *output.event.references, *narratives))):
            raise InputError(f"{where} has invalid characters (NUL or half a surrogate pair)")


def _event(event: Event, rules: Protocol) -> PreparedEvent:
    if rules.references:
        return PreparedEvent(event.id.strip(), [], [sentences(text) for text in event.references])
    return PreparedEvent(event.id.strip(), [(row.source, row.text) for row in event.narratives], [])
