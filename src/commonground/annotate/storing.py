"""Store and delete projects in short transactions, so that saves of others never wait long.

A project is `storing`, `ready` or `deleting`; nobody sees one that is not ready. What a crash
leaves half stored or half deleted is removed by `purge_unfinished` when the server starts.
"""

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.orm import Session

from commonground.annotate.projects import (
    Prepared,
    PreparedEvent,
    Project,
    check_project,
    find_project,
    prepare,
    project_row,
)
from commonground.annotate.protocols import ConflictError
from commonground.database import OWNER, Database, UnavailableError, Viewer
from commonground.database.tables import (
    AnnotatorRow,
    EventRow,
    ItemRow,
    LabelRow,
    ProjectRow,
    SessionRow,
)
from commonground.io import Event, Prediction

T = TypeVar("T")

_ROWS_AT_ONCE: Final = 500
_PAUSE_SECONDS: Final = 0.05  # SQLite wakes those who wait by the clock, not by turn


def make_project(
    database: Database,
    name: str,
    protocol: str,
    events: Mapping[str, Event],
    predictions: Iterable[Prediction] = (),
    *,
    owner: Viewer = OWNER,
) -> Project:
    """Prepare and store a project; see `prepare` and `store_project`."""
    check_project(name, protocol)
    return store_project(database, name, prepare(protocol, events, predictions), owner=owner)


def store_project(
    database: Database,
    name: str,
    prepared: Prepared,
    *,
    owner: Viewer = OWNER,
    confirm: Callable[[], None] = lambda: None,
) -> Project:
    """Store a prepared project; it appears at once when it is complete.

    An exception, also from `confirm` just before the project appears, leaves nothing behind.
    """
    name = check_project(name, prepared.protocol)
    row = ProjectRow(
        name=name,
        protocol=prepared.protocol,
        created_at=datetime.now(UTC),
        state="storing",
        owner_id=owner.account,
    )
    with database.writing() as session:
        session.add(row)
    try:
        _store(database, row.id, prepared)
        with database.writing() as session:
            _claim(session, row.id).state = "ready"
            confirm()
    except BaseException:
        with contextlib.suppress(UnavailableError):  # the next start purges it
            _purge(database, row.id)
        raise
    return find_project(database, row.id)


def delete_project(database: Database, project: int) -> None:
    """Delete a project with its annotators and all their labels."""
    hide_project(database, project)
    _purge(database, project)


def hide_project(database: Database, project: int) -> None:
    """Take a project away from everybody at once; `purge_unfinished` then removes its rows."""
    with database.writing() as session:
        project_row(session, project).state = "deleting"
        annotators = select(AnnotatorRow.id).filter_by(project_id=project)
        # The update waits for saves that have begun; later ones find the project gone.
        session.execute(update(AnnotatorRow).filter_by(project_id=project).values(token_hash=None))
        session.execute(delete(SessionRow).where(SessionRow.annotator_id.in_(annotators)))


def purge_unfinished(database: Database, *states: str) -> None:
    """Remove projects that are `storing` or `deleting`; by default both, as after a crash."""
    with database.reading() as session:
        unfinished = ProjectRow.state.in_(states or ("storing", "deleting"))
        projects = session.scalars(select(ProjectRow.id).where(unfinished)).all()
    for project in projects:
        _purge(database, project)


def _store(database: Database, project: int, prepared: Prepared) -> None:
    events: list[int] = []
    inserted = insert(EventRow).returning(EventRow.id, sort_by_parameter_order=True)
    for batch in _batches(prepared.events):
        with database.writing() as session:
            _claim(session, project)
            events += session.scalars(inserted, [_event(project, event) for event in batch]).all()
    rows = [
        {
            "project_id": project,
            "event_id": events[item.event],
            "position": position,
            "system": item.system,
            "summary": item.summary,
            "units": item.units,
        }
        for position, item in enumerate(prepared.items, start=1)
    ]
    for some in _batches(rows):
        with database.writing() as session:
            _claim(session, project)
            session.execute(insert(ItemRow), some)


def _event(project: int, event: PreparedEvent) -> dict[str, Any]:
    narratives = [{"source": source, "text": text} for source, text in event.narratives]
    content = {"narratives": narratives, "references": event.references}
    return {"project_id": project, "name": event.name, "content": content}


def _claim(session: Session, project: int) -> ProjectRow:
    """Return the row of a project that is being stored; another server may have purged it."""
    row = session.get(ProjectRow, project)
    if row is None or row.state != "storing":
        raise ConflictError("another server on the same database removed the project; try again")
    return row


def _purge(database: Database, project: int) -> None:
    """Delete a hidden project bottom up, since a cascade would delete all of it at once."""
    with database.reading() as session:
        items = session.scalars(select(ItemRow.id).filter_by(project_id=project)).all()
        events = session.scalars(select(EventRow.id).filter_by(project_id=project)).all()
    # An item may have many labels, so their number decides how many items go at once.
    for batch in _batches(items, max(1, _ROWS_AT_ONCE // (1 + _labels_of(database, project)))):
        with database.writing() as session:
            session.execute(delete(ItemRow).where(ItemRow.id.in_(batch)))
    for batch in _batches(events):
        with database.writing() as session:
            session.execute(delete(EventRow).where(EventRow.id.in_(batch)))
    with database.writing() as session:
        session.execute(delete(ProjectRow).where(ProjectRow.id == project))


def _labels_of(database: Database, project: int) -> int:
    """Return the mean number of rows in `labels` for one item of a project."""
    with database.reading() as session:
        items = select(func.count()).select_from(ItemRow).filter_by(project_id=project)
        labels = (
            select(func.count())
            .select_from(LabelRow)
            .join(AnnotatorRow, AnnotatorRow.id == LabelRow.annotator_id)
            .where(AnnotatorRow.project_id == project)
        )
        return session.scalars(labels).one() // max(1, session.scalars(items).one())


def _batches(rows: Sequence[T], size: int = _ROWS_AT_ONCE) -> Iterator[Sequence[T]]:
    """Yield some rows at a time, with pauses in which others can write."""
    for start in range(0, len(rows), size):
        yield rows[start : start + size]
        if len(rows) > size:
            time.sleep(_PAUSE_SECONDS)
