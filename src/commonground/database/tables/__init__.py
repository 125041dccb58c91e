"""All tables. A change here needs a migration; a test compares the two."""

from commonground.database.tables.annotation import (
    AnnotatorRow,
    EventRow,
    ItemRow,
    LabelRow,
    ProjectRow,
)
from commonground.database.tables.base import Base
from commonground.database.tables.pages import KeptRow, SessionRow

__all__ = [
    "AnnotatorRow",
    "Base",
    "EventRow",
    "ItemRow",
    "KeptRow",
    "LabelRow",
    "ProjectRow",
    "SessionRow",
]
