"""Projects: made from a data set and outputs, with annotators invited by links."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from commonground.annotate._checks import NO_TEXT, NotFoundError, checked_name
from commonground.annotate.database import Database
from commonground.annotate.database.tables import EventRow, ItemRow, ProjectRow
from commonground.annotate.protocols import Protocol, protocol_of, units_of
from commonground.errors import InputError
from commonground.io import Event, Prediction
from commonground.text import sentences


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


@dataclass(frozen=True, slots=True)
class _Item:
    event: Event
    system: str
    summary: list[str]


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
    name, asked = checked_name(name, "the project's name"), protocol_of(protocol)
    items = _items(asked, events, predictions)
    _check(asked, items)
    # All that takes long is done before the one place where labels of others wait.
    shown = {item.event.id: item.event for item in items}
    contents = {id_: _content(event, asked.references) for id_, event in shown.items()}
    counts = [
        len(units_of(asked.name, item.summary, contents[item.event.id]["references"]))
        for item in items
    ]
    with database.writing() as session:
        project = ProjectRow(name=name, protocol=asked.name, created_at=now or datetime.now(UTC))
        session.add(project)
        session.flush()
        _store(session, project, items, contents, counts)
        return _project(session, project)


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


def _items(
    asked: Protocol, events: Mapping[str, Event], predictions: Iterable[Prediction]
) -> list[_Item]:
    if not events:
        raise InputError("the data set has no events")
    if not asked.outputs:
        return [_Item(event, "", []) for event in events.values()]
    by_event: dict[str, list[_Item]] = {id_: [] for id_ in events}
    for one in predictions:
        if one.id not in events:
            raise InputError(f"outputs, line {one.line}: id {one.id!r} is not in the data set")
        item = _Item(events[one.id], one.system.strip(), sentences(one.summary))
        by_event[one.id].append(item)
    items = [item for some in by_event.values() for item in some]
    if not items:
        raise InputError(f"the protocol {asked.name!r} needs outputs, and there are none")
    return items


def _check(asked: Protocol, items: list[_Item]) -> None:
    # Label files know ids and systems without the blanks around them.
    seen: set[tuple[str, str]] = set()
    for item in items:
        where, key = f"id {item.event.id!r}", (item.event.id.strip(), item.system)
        if key in seen:
            by = f" by {item.system!r}" if item.system else ""
            raise InputError(f"{where}{by} is there twice but for blanks")
        seen.add(key)
        if asked.narratives and not item.event.narratives:
            raise InputError(f"{where} has no narratives, which {asked.name!r} shows")
        if asked.references and not item.event.references:
            raise InputError(f"{where} has no references, which {asked.name!r} needs")
        narratives = (text for one in item.event.narratives for text in (one.source, one.text))
        texts = (*key, *item.summary, *item.event.references, *narratives)
        if any(map(NO_TEXT.search, texts)):
            raise InputError(f"{where} has characters that are no text (NUL or half a character)")


def _store(
    session: Session,
    project: ProjectRow,
    items: list[_Item],
    contents: Mapping[str, dict[str, Any]],
    counts: list[int],
) -> None:
    rows = {
        id_: EventRow(project_id=project.id, name=id_.strip(), content=content)
        for id_, content in contents.items()
    }
    session.add_all(rows.values())
    session.flush()
    session.add_all(
        ItemRow(
            project_id=project.id,
            event_id=rows[item.event.id].id,
            position=position,
            system=item.system,
            summary=item.summary,
            units=units,
        )
        for position, (item, units) in enumerate(zip(items, counts, strict=True), start=1)
    )


def _content(event: Event, references: bool) -> dict[str, Any]:
    """What is stored is what is shown: where the references stay hidden, they are not there."""
    return {
        "narratives": []
        if references
        else [{"source": one.source, "text": one.text} for one in event.narratives],
        "references": [sentences(text) for text in event.references] if references else [],
    }
