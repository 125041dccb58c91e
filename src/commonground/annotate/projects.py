"""Projects: made from a data set and outputs, stored, listed and deleted."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from commonground.annotate.checks import NotFoundError, checked_name
from commonground.annotate.database import Database
from commonground.annotate.database.tables import EventRow, ItemRow, ProjectRow
from commonground.annotate.preparation import Prepared, PreparedEvent, prepare
from commonground.annotate.protocols import Protocol, protocol_of
from commonground.io import Event, Prediction


@dataclass(frozen=True, slots=True)
class Project:
    """A project as its owner sees it.

    Attributes:
        items: Number of items for each annotator.
        units: Number of labels that these take.
        created_at: In UTC.
    """

    id: int
    name: str
    protocol: Protocol
    items: int
    units: int
    created_at: datetime


def make_project(
    database: Database,
    name: str,
    protocol: str,
    events: Mapping[str, Event],
    predictions: Iterable[Prediction] = (),
    *,
    now: datetime | None = None,
) -> Project:
    """Make a project with events in the order of the data set, and systems in that of the file.

    Args:
        database: An open database.
        name: The name shown to people.
        protocol: One of `PROTOCOLS`.
        events: The data set. If the protocol judges outputs, events without any are skipped.
        predictions: The outputs; ignored by the protocol `overlap`.
        now: The current time, for tests.

    Raises:
        InputError: Data that the protocol shows is missing, or an output has no event.
    """
    check_project(name, protocol)
    return store_project(database, name, prepare(protocol, events, predictions), now=now)


def check_project(name: str, protocol: str) -> str:
    """Return a project's name as stored; raise InputError for a bad name or protocol."""
    protocol_of(protocol)
    return checked_name(name, "the project's name")


def store_project(
    database: Database,
    name: str,
    prepared: Prepared,
    *,
    confirm: Callable[[], None] = lambda: None,
    now: datetime | None = None,
) -> Project:
    """Store a prepared project.

    Args:
        database: An open database.
        name: The name shown to people.
        prepared: The result of `prepare`.
        confirm: Called before the commit; an exception from it rolls everything back.
        now: The current time, for tests.
    """
    name = check_project(name, prepared.protocol)
    with database.writing() as session:
        row = ProjectRow(name=name, protocol=prepared.protocol, created_at=now or datetime.now(UTC))
        session.add(row)
        session.flush()
        _store(session, row, prepared)
        project = _project(session, row)
        confirm()
        return project


def each_project(database: Database) -> list[Project]:
    """Return all projects, newest first."""
    with database.reading() as session:
        rows = session.scalars(select(ProjectRow).order_by(ProjectRow.id.desc()))
        return [_project(session, row) for row in rows]


def find_project(database: Database, project: int) -> Project:
    """Return a project, or raise NotFoundError."""
    with database.reading() as session:
        return _project(session, project_row(session, project))


def delete_project(database: Database, project: int) -> None:
    """Delete a project with its annotators and all their labels."""
    with database.writing() as session:
        session.delete(project_row(session, project))


def project_row(session: Session, project: int) -> ProjectRow:
    """Return the row of a project, or raise NotFoundError."""
    row = session.get(ProjectRow, project)
    if row is None:
        raise NotFoundError(f"there is no project {project}")
    return row


def _project(session: Session, row: ProjectRow) -> Project:
    totals = select(func.count(), func.coalesce(func.sum(ItemRow.units), 0))
    items, units = session.execute(totals.where(ItemRow.project_id == row.id)).one()
    return Project(row.id, row.name, protocol_of(row.protocol), items, units, row.created_at)


def _store(session: Session, project: ProjectRow, prepared: Prepared) -> None:
    # Bulk inserts: nobody else can write to SQLite meanwhile.
    events = session.scalars(
        insert(EventRow).returning(EventRow.id, sort_by_parameter_order=True),
        [
            {"project_id": project.id, "name": event.name, "content": _content(event)}
            for event in prepared.events
        ],
    ).all()
    session.execute(
        insert(ItemRow),
        [
            {
                "project_id": project.id,
                "event_id": events[item.event],
                "position": position,
                "system": item.system,
                "summary": item.summary,
                "units": item.units,
            }
            for position, item in enumerate(prepared.items, start=1)
        ],
    )


def _content(event: PreparedEvent) -> dict[str, Any]:
    narratives = [{"source": source, "text": text} for source, text in event.narratives]
    return {"narratives": narratives, "references": event.references}
