"""Annotators: their invitation links and their progress."""

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import case, delete, func, select
from sqlalchemy.orm import Session

from commonground.annotate.projects import project_row
from commonground.annotate.protocols import (
    ConflictError,
    NotFoundError,
    Protocol,
    checked_name,
    protocol_of,
)
from commonground.database import Database, hashed, new_secret
from commonground.database.tables import (
    AnnotatorRow,
    ItemRow,
    LabelRow,
    ProjectRow,
    SessionRow,
)


@dataclass(frozen=True, slots=True)
class Annotator:
    """An annotator of one project; `open` says whether the invitation link still works."""

    id: int
    project: int
    name: str
    open: bool
    invited_at: datetime

    @property
    def key(self) -> str:
        """The name of unsent labels in a browser; each invitation has its own."""
        return f"{self.project}-{self.id}-{self.invited_at.isoformat()}"


@dataclass(frozen=True, slots=True)
class Progress:
    """The number of labels given, of labels in total, and of items in the project."""

    labels: int
    units: int
    items: int
    resume: int | None  # the first unfinished item; None if all are finished


def invite(database: Database, project: int, name: str) -> tuple[str, Annotator]:
    """Return the token for a new annotator's link, of which only the hash is stored.

    Raises:
        ConflictError: The project already has an annotator with this name.
    """
    name, token = checked_name(name, "the annotator's name"), new_secret()
    with database.writing() as session:
        # The lock makes simultaneous invitations wait for each other.
        session.execute(select(ProjectRow.id).where(ProjectRow.id == project).with_for_update())
        project_row(session, project)
        namesakes = select(AnnotatorRow).filter_by(project_id=project, name=name)
        if session.scalars(namesakes).first() is not None:
            raise ConflictError(f"the project already has an annotator {name!r}")
        row = AnnotatorRow(
            project_id=project,
            name=name,
            token_hash=hashed(token),
            created_at=datetime.now(UTC),
        )
        session.add(row)
        session.flush()
        return token, _annotator(row)


def renew_invitation(database: Database, project: int, annotator: int) -> str:
    """Return a new token; the old link and its sessions end, and the quota starts again."""
    token = new_secret()
    _set_token(database, project, annotator, hashed(token))
    return token


def close_invitation(database: Database, project: int, annotator: int) -> None:
    """Close the link and its sessions; the labels stay."""
    _set_token(database, project, annotator, None)


def accept(database: Database, token: str) -> Annotator:
    """Return the annotator of a link; raise NotFoundError if it is wrong, renewed or closed."""
    with database.reading() as session:
        rows = select(AnnotatorRow).filter_by(token_hash=hashed(token))
        row = session.scalars(rows).one_or_none()
        if row is None:
            raise NotFoundError("this invitation link is not valid; ask for a new one")
        return _annotator(row)


def find_annotator(database: Database, annotator: int) -> tuple[Annotator, str, Protocol]:
    """Return an annotator with the name and protocol of the project."""
    with database.reading() as session:
        row = annotator_row(session, annotator)
        project = project_row(session, row.project_id)
        return _annotator(row), project.name, protocol_of(project.protocol)


def each_progress(database: Database, project: int) -> list[tuple[Annotator, Progress]]:
    """Return the annotators of a project with their progress, in the order of invitation."""
    with database.reading() as session:
        project_row(session, project)
        rows = select(AnnotatorRow).filter_by(project_id=project).order_by(AnnotatorRow.id)
        return [(_annotator(row), progress_of(session, row)) for row in session.scalars(rows)]


def progress_now(database: Database, annotator: int) -> Progress:
    """Return the progress of one annotator."""
    with database.reading() as session:
        return progress_of(session, annotator_row(session, annotator))


def annotator_row(session: Session, annotator: int, *, locked: bool = False) -> AnnotatorRow:
    """Return the row of an annotator; `locked` makes two tabs save one after the other."""
    row = session.get(AnnotatorRow, annotator, with_for_update=locked or None)
    if row is None:
        raise NotFoundError("this annotator does not exist")
    return row


def progress_of(session: Session, annotator: AnnotatorRow) -> Progress:
    """Return the progress of an annotator within an open session."""
    labels_by_item = (
        select(LabelRow.item_id, func.count().label("labels"))
        .where(
            LabelRow.annotator_id == annotator.id,
            LabelRow.superseded_at.is_(None),
            LabelRow.value.is_not(None),
        )
        .group_by(LabelRow.item_id)
        .subquery()
    )
    done = func.coalesce(labels_by_item.c.labels, 0)
    query = (
        select(
            func.coalesce(func.sum(done), 0),
            func.coalesce(func.sum(ItemRow.units), 0),
            func.count(),
            func.min(case((done < ItemRow.units, ItemRow.position))),
        )
        .outerjoin(labels_by_item, labels_by_item.c.item_id == ItemRow.id)
        .where(ItemRow.project_id == annotator.project_id)
    )
    labels, units, items, resume = session.execute(query).one()
    return Progress(int(labels), units, items, resume)


def _set_token(database: Database, project: int, annotator: int, token: str | None) -> None:
    with database.writing() as session:
        row = session.get(AnnotatorRow, annotator)
        if row is None or row.project_id != project:
            raise NotFoundError(f"project {project} does not have this annotator")
        row.token_hash, row.saves, row.characters = token, 0, 0
        session.execute(delete(SessionRow).where(SessionRow.annotator_id == annotator))


def _annotator(row: AnnotatorRow) -> Annotator:
    return Annotator(row.id, row.project_id, row.name, row.token_hash is not None, row.created_at)
