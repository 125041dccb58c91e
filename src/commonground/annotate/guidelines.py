"""Guidelines of a project, in Markdown; each save is a new version."""

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import select

from commonground.annotate.projects import project_row
from commonground.annotate.protocols import ConflictError, checked_text
from commonground.database import Database
from commonground.database.tables import GuidelinesRow, ProjectRow


@dataclass(frozen=True, slots=True)
class Guidelines:
    """A version of a project's guidelines; an empty text removes them."""

    version: int  # from 1
    text: str
    saved_at: datetime


def save_guidelines(database: Database, project: int, text: str, after: int = 0) -> Guidelines:
    """Save a new version, unless the text equals the current one.

    Args:
        database: The database.
        project: The project.
        text: Markdown of up to 20,000 characters.
        after: The version that the writer had before them; 0 for none.

    Raises:
        ConflictError: Somebody saved another version meanwhile.
    """
    text = checked_text(text, "the text of the guidelines")
    with database.writing() as session:
        session.execute(select(ProjectRow.id).filter_by(id=project).with_for_update())
        project_row(session, project)
        newest = select(GuidelinesRow).filter_by(project_id=project)
        last = session.scalars(newest.order_by(GuidelinesRow.version.desc()).limit(1)).first()
        version = last.version if last else 0
        if version != after:
            raise ConflictError("somebody else saved a newer version; copy yours and reload")
        if last and last.text == text:
            return Guidelines(version, text, last.saved_at)
        now = datetime.now(UTC)
        row = GuidelinesRow(project_id=project, version=version + 1, text=text, saved_at=now)
        session.add(row)
        return Guidelines(row.version, text, now)


def guideline_versions(database: Database, project: int) -> list[Guidelines]:
    """Return all versions, newest first; the first one is current."""
    with database.reading() as session:
        project_row(session, project)
        rows = select(GuidelinesRow).filter_by(project_id=project)
        ordered = session.scalars(rows.order_by(GuidelinesRow.version.desc()))
        return [Guidelines(row.version, row.text, row.saved_at) for row in ordered]
