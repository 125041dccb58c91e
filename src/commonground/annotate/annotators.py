"""Annotators: invited by a link whose token is shown once, and how far each has come."""

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from commonground.annotate.checks import ConflictError, NotFoundError, checked_name
from commonground.annotate.database import Database
from commonground.annotate.database.tables import (
    AnnotatorRow,
    ItemRow,
    LabelRow,
    ProjectRow,
    SessionRow,
)
from commonground.annotate.database.tokens import hashed, new_secret
from commonground.annotate.projects import project_row
from commonground.annotate.protocols import Protocol, protocol_of


@dataclass(frozen=True, slots=True)
class Annotator:
    """Somebody who labels in one project.

    Attributes:
        open: Whether the invitation's link still lets them in.
    """

    id: int
    project: int
    name: str
    open: bool


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an annotator has come.

    Attributes:
        labels: How many labels hold.
        units: How many there will be.
        items: How many items the project has.
        resume: The first item that is not finished; None: all are.
    """

    labels: int
    units: int
    items: int
    resume: int | None


def invite(
    database: Database, project: int, name: str, *, now: datetime | None = None
) -> tuple[str, Annotator]:
    """Invite somebody; the token for the link is returned and stored nowhere.

    Raises:
        ConflictError: The project has an annotator of that name.
    """
    name, token = checked_name(name, "the annotator's name"), new_secret()
    with database.writing() as session:
        # Two invitations at once wait for each other here.
        session.execute(select(ProjectRow.id).where(ProjectRow.id == project).with_for_update())
        project_row(session, project)
        same = select(AnnotatorRow.id).where(
            AnnotatorRow.project_id == project, AnnotatorRow.name == name
        )
        if session.scalars(same).first() is not None:
            raise ConflictError(f"the project has an annotator {name!r} already")
        row = AnnotatorRow(
            project_id=project,
            name=name,
            token_hash=hashed(token),
            created_at=now or datetime.now(UTC),
        )
        session.add(row)
        session.flush()
        return token, _annotator(row)


def renew_invitation(database: Database, project: int, annotator: int) -> str:
    """A new link; the old one and the sessions that it started are over."""
    token = new_secret()
    _set_token(database, project, annotator, hashed(token))
    return token


def close_invitation(database: Database, project: int, annotator: int) -> None:
    """Let an annotator in no more; the labels stay."""
    _set_token(database, project, annotator, None)


def accept(database: Database, token: str) -> Annotator:
    """Who a link was made for.

    Raises:
        NotFoundError: The token is wrong, renewed or closed.
    """
    with database.reading() as session:
        row = session.scalars(
            select(AnnotatorRow).where(AnnotatorRow.token_hash == hashed(token))
        ).one_or_none()
        if row is None:
            raise NotFoundError("this invitation is not valid; ask for a new link")
        return _annotator(row)


def find_annotator(database: Database, annotator: int) -> tuple[Annotator, str, Protocol]:
    """An annotator with the project's name and protocol."""
    with database.reading() as session:
        row = session.get(AnnotatorRow, annotator)
        if row is None:
            raise NotFoundError("there is no such annotator")
        project = project_row(session, row.project_id)
        return _annotator(row), project.name, protocol_of(project.protocol)


def each_progress(database: Database, project: int) -> list[tuple[Annotator, Progress]]:
    """The annotators of a project in the order of their invitations, each with the progress."""
    with database.reading() as session:
        project_row(session, project)
        rows = session.scalars(
            select(AnnotatorRow).where(AnnotatorRow.project_id == project).order_by(AnnotatorRow.id)
        )
        return [(_annotator(row), progress_of(session, row)) for row in rows]


def progress_now(database: Database, annotator: int) -> Progress:
    """How far one annotator has come."""
    with database.reading() as session:
        row = session.get(AnnotatorRow, annotator)
        if row is None:
            raise NotFoundError("there is no such annotator")
        return progress_of(session, row)


def progress_of(session: Session, annotator: AnnotatorRow) -> Progress:
    """One annotator's progress, for neighbours."""
    given = (
        select(LabelRow.item_id, func.count().label("given"))
        .where(
            LabelRow.annotator_id == annotator.id,
            LabelRow.superseded_at.is_(None),
            LabelRow.value.is_not(None),
        )
        .group_by(LabelRow.item_id)
        .subquery()
    )
    done = func.coalesce(given.c.given, 0)
    of_project = (
        select(func.count(), func.coalesce(func.sum(ItemRow.units), 0), func.sum(done))
        .outerjoin(given, given.c.item_id == ItemRow.id)
        .where(ItemRow.project_id == annotator.project_id)
    )
    unfinished = (
        select(func.min(ItemRow.position))
        .outerjoin(given, given.c.item_id == ItemRow.id)
        .where(ItemRow.project_id == annotator.project_id, done < ItemRow.units)
    )
    items, units, labels = session.execute(of_project).one()
    return Progress(int(labels or 0), units, items, session.scalar(unfinished))


def _set_token(database: Database, project: int, annotator: int, token: str | None) -> None:
    with database.writing() as session:
        row = session.get(AnnotatorRow, annotator)
        if row is None or row.project_id != project:
            raise NotFoundError(f"project {project} has no such annotator")
        row.token_hash = token
        session.execute(delete(SessionRow).where(SessionRow.annotator_id == annotator))


def _annotator(row: AnnotatorRow) -> Annotator:
    return Annotator(row.id, row.project_id, row.name, row.token_hash is not None)
