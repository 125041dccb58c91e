"""The confusion matrix: how often one annotator's label meets another's."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import aliased

from commonground.agreement import HIGHEST, LOWEST
from commonground.annotate.projects import project_row
from commonground.database import Database
from commonground.database.tables import AnnotatorRow, LabelRow

_LABELS: Final = ("P", "PP", "A")
_SCORES: Final = tuple(map(str, range(LOWEST, HIGHEST + 1)))


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of units by the label of one annotator (rows) and of the other (columns)."""

    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    @property
    def total(self) -> int:
        """The number of pairs of labels."""
        return sum(map(sum, self.counts))

    @property
    def agreeing(self) -> int:
        """The number of pairs of equal labels."""
        return sum(row[index] for index, row in enumerate(self.counts))


def confusion_matrix(
    database: Database, project: int, pair: tuple[int, int] | None = None
) -> Confusion:
    """Return the confusion of two annotators (ids), or of all pairs together.

    Of all pairs, every two labels of a unit count in both directions, so the matrix is symmetric.
    A project of written overlaps has no labels to confuse: its matrix is empty.
    """
    first, second, other = aliased(LabelRow), aliased(LabelRow), aliased(AnnotatorRow)
    same_unit = (first.item_id == second.item_id) & (first.unit == second.unit)
    query = (
        select(first.value, second.value, func.count())
        .join(second, same_unit & (first.annotator_id != second.annotator_id))
        .join(other, other.id == first.annotator_id)
        .where(other.project_id == project)
        .where(first.superseded_at.is_(None), second.superseded_at.is_(None))
        .where(first.value.is_not(None), second.value.is_not(None))
        .group_by(first.value, second.value)
    )
    if pair:
        query = query.where(first.annotator_id == pair[0], second.annotator_id == pair[1])
    with database.reading() as session:
        protocol = project_row(session, project).protocol
        if protocol == "overlap":
            return Confusion((), ())
        counts = {(one, two): number for one, two, number in session.execute(query)}
    labels = _LABELS if protocol == "sentences" else _SCORES
    return Confusion(
        labels, tuple(tuple(counts.get((one, two), 0) for two in labels) for one in labels)
    )
