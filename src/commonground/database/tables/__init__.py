"""All tables. A change here needs a migration; a test compares the two."""

from commonground.database.tables.accounts import AccountRow, AuditRow, SettingRow, ShareRow
from commonground.database.tables.annotation import (
    AnnotatorRow,
    DecisionRow,
    EventRow,
    GuidelinesRow,
    ItemRow,
    LabelRow,
    ProjectRow,
    RemarkRow,
)
from commonground.database.tables.base import Base
from commonground.database.tables.pages import SavedRow, SessionRow

__all__ = [
    "AccountRow",
    "AnnotatorRow",
    "AuditRow",
    "Base",
    "DecisionRow",
    "EventRow",
    "GuidelinesRow",
    "ItemRow",
    "LabelRow",
    "ProjectRow",
    "RemarkRow",
    "SavedRow",
    "SessionRow",
    "SettingRow",
    "ShareRow",
]
