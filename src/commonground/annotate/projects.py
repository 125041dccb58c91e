"""Projects: made from a data set and outputs, with annotators invited by links."""

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
        items: How many items each annotator is shown.
        units: How many labels that takes.
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
    """Make a project: events in the data set's order, and within one the systems in the file's.

    Args:
        database: Where.
        name: For people.
        protocol: One of `PROTOCOLS`.
        events: The data set. With outputs, events without any are left out.
        predictions: The outputs; the protocol `overlap` needs none.
        now: For tests.

    Raises:
        InputError: What the protocol shows is not there, or an output's event is not.
    """
    check_project(name, protocol)
    return store_project(database, name, prepare(protocol, events, predictions), now=now)


def check_project(name: str, protocol: str) -> str:
    """The name as it is stored, of a project that is still to be prepared.

    Raises:
        InputError: It is no name, or there is no such protocol.
    """
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
    """Store what `prepare` worked out.

    Args:
        database: Where.
        name: For people.
        prepared: The rest of it.
        confirm: Called when all is written and nothing committed; what it raises ends it so.
        now: For tests.
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
    """All projects, the newest first."""
    with database.reading() as session:
        rows = session.scalars(select(ProjectRow).order_by(ProjectRow.id.desc()))
        return [_project(session, row) for row in rows]


def find_project(database: Database, project: int) -> Project:
    """One project.

    Raises:
        NotFoundError: There is none of that number.
    """
    with database.reading() as session:
        return _project(session, project_row(session, project))


def delete_project(database: Database, project: int) -> None:
    """Take a project away with its annotators and all their labels."""
    with database.writing() as session:
        session.delete(project_row(session, project))


def project_row(session: Session, project: int) -> ProjectRow:
    """The row of a project, for neighbours."""
    row = session.get(ProjectRow, project)
    if row is None:
        raise NotFoundError(f"there is no project {project}")
    return row


def _project(session: Session, row: ProjectRow) -> Project:
    counted = select(func.count(), func.coalesce(func.sum(ItemRow.units), 0))
    items, units = session.execute(counted.where(ItemRow.project_id == row.id)).one()
    return Project(row.id, row.name, protocol_of(row.protocol), items, units, row.created_at)


def _store(session: Session, project: ProjectRow, prepared: Prepared) -> None:
    # Plain rows, many at once: nobody else can write to SQLite meanwhile.
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
