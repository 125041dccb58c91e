"""Quotas: what one annotator may save, so that a link cannot be used to fill the disk."""

from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from commonground.database.tables import AnnotatorRow, ItemRow, ProjectRow
from commonground.errors import InputError

_BASE: Final = (1_000, 2_000_000)  # saves and characters
_PER_UNIT: Final = (10, 5_000)
# A text is saved at every pause in writing, and may have 20,000 characters.
_PER_TEXT: Final = (50, 40_000)
_MAX_CHARACTERS: Final = 100_000_000


class QuotaError(InputError):
    """The annotator has saved too often or too much; `status` is for the HTTP response."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(f"{message} Nothing you saved is lost. Ask the owner for a new link.")
        self.status = status


def limits(protocol: str, units: int) -> tuple[int, int]:
    """Return the most saves and characters of one annotator.

    Example:
        >>> limits("sentences", 44), limits("overlap", 10)
        ((1440, 2220000), (1500, 2400000))
    """
    saves, characters = _PER_TEXT if protocol == "overlap" else _PER_UNIT
    return _BASE[0] + saves * units, min(_BASE[1] + characters * units, _MAX_CHARACTERS)


def count_save(session: Session, who: AnnotatorRow, characters: int) -> None:
    """Count one save of a locked annotator, or raise QuotaError.

    A new link starts the count again, so the owner can let a diligent annotator continue.
    """
    units = select(func.coalesce(func.sum(ItemRow.units), 0)).filter_by(project_id=who.project_id)
    protocol = session.get_one(ProjectRow, who.project_id).protocol
    saves, most = limits(protocol, session.scalars(units).one())
    if who.saves + 1 > saves:
        raise QuotaError(f"You have used up your {saves:,} saves in this project.", 429)
    if who.characters + characters > most:
        raise QuotaError(f"Your texts exceed {most:,} characters in this project.", 413)
    who.saves += 1
    who.characters += characters
