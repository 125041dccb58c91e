"""An item of a project by its position, with its units."""

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from commonground.annotate.projects import project_row
from commonground.annotate.protocols import NotFoundError, Unit, units_of
from commonground.database.tables import EventRow, ItemRow


def find_units(
    session: Session, project: int, position: int
) -> tuple[ItemRow, dict[str, Unit], EventRow]:
    """Return an item of a project that is ready, its units by key, and its event."""
    protocol = project_row(session, project).protocol
    query = select(ItemRow).filter_by(project_id=project, position=position)
    item = session.scalars(query).one_or_none()
    if item is None:
        raise NotFoundError(f"there is no item {position}")
    event = session.get_one(EventRow, item.event_id)
    content: dict[str, Any] = event.content
    units = units_of(protocol, item.summary, content["references"])
    return item, {unit.key: unit for unit in units}, event
