"""Review: where annotators differ, what they flagged, and what is decided."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from sqlalchemy import Integer, and_, case, cast, func, literal, select
from sqlalchemy.orm import Session

from commonground.annotate.decisions import Decision, decision_of
from commonground.annotate.projects import project_row
from commonground.annotate.protocols import Unit
from commonground.annotate.units import find_units
from commonground.database import Database
from commonground.database.tables import (
    AnnotatorRow,
    DecisionRow,
    EventRow,
    ItemRow,
    LabelRow,
    RemarkRow,
)

Show = Literal["all", "disagreeing", "undecided", "flagged"]
Sort = Literal["position", "disagreement"]

_LEVELS: Final = {"P": 2, "PP": 1, "A": 0}


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """An item in the list: `shared` units have labels by two or more annotators."""

    position: int
    event: str
    system: str
    units: int
    shared: int
    differ: int  # shared units with different labels
    spread: int  # the largest distance between two labels of a unit
    undecided: int  # units that differ and are not decided
    decided: int
    flagged: int  # open flags: a decision resolves those of its unit
    comments: int


@dataclass(frozen=True, slots=True)
class ReviewCounts:
    """The sums over all items of a project."""

    items: int
    units: int
    shared: int
    differ: int
    undecided: int
    decided: int
    flagged: int
    comments: int


@dataclass(frozen=True, slots=True)
class ReviewUnit:
    """A unit with everybody's labels and remarks, by annotator in the order of invitation."""

    unit: Unit
    labels: Mapping[str, str]
    remarks: Mapping[str, tuple[bool, str]]  # flagged, comment
    decision: Decision | None

    @property
    def differs(self) -> bool:
        """Whether two annotators gave different labels."""
        return len(set(self.labels.values())) > 1

    @property
    def has_open_flag(self) -> bool:
        """Whether somebody flagged the unit and it is not decided."""
        return self.decision is None and any(flagged for flagged, _ in self.remarks.values())

    @property
    def agreed(self) -> str | None:
        """The label that two or more annotators gave and nobody contradicted."""
        return final_label(self.labels, None)


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """An item as the owner reviews it."""

    position: int
    event: str
    system: str
    narratives: tuple[tuple[str, str], ...]
    summary: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    units: tuple[ReviewUnit, ...]


def final_label(labels: Mapping[str, str], decision: Decision | None) -> str | None:
    """Return the decision or, without one, the label that at least two gave and none opposed."""
    if decision is not None:
        return decision.value
    values = set(labels.values())
    return values.pop() if len(labels) > 1 and len(values) == 1 else None


def review_rows(
    database: Database,
    project: int,
    show: Show = "all",
    sort: Sort = "position",
    *,
    most: int = 50,
    skip: int = 0,
) -> list[ReviewRow]:
    """Return some items of the list in its order."""
    with database.reading() as session:
        query = _list(session, project, show, sort).limit(most).offset(skip)
        return [ReviewRow(*row) for row in session.execute(query)]


def review_positions(database: Database, project: int, show: Show, sort: Sort) -> list[int]:
    """Return the positions of the whole list in its order, for the way to the next item."""
    with database.reading() as session:
        query = _list(session, project, show, sort)
        return list(session.scalars(query.with_only_columns(ItemRow.position)))


def review_counts(database: Database, project: int) -> ReviewCounts:
    """Return the sums over all items."""
    with database.reading() as session:
        rows = _list(session, project, "all", "position").order_by(None).subquery()
        names = ("units", "shared", "differ", "undecided", "decided", "flagged", "comments")
        sums = [func.coalesce(func.sum(rows.c[name]), 0) for name in names]
        return ReviewCounts(*map(int, session.execute(select(func.count(), *sums)).one()))


def review_item(database: Database, project: int, position: int) -> ReviewItem:
    """Return an item with all labels, remarks and decisions; raise NotFoundError without it."""
    with database.reading() as session:
        item, units, event = find_units(session, project, position)
        labels: dict[str, dict[str, str]] = {key: {} for key in units}
        for unit, name, value in session.execute(
            select(LabelRow.unit, AnnotatorRow.name, LabelRow.value)
            .join(AnnotatorRow, AnnotatorRow.id == LabelRow.annotator_id)
            .where(LabelRow.item_id == item.id, *_CURRENT)
            .order_by(AnnotatorRow.id)
        ):
            labels[unit][name] = value or ""
        remarks: dict[str, dict[str, tuple[bool, str]]] = {key: {} for key in units}
        for remark, name in session.execute(
            select(RemarkRow, AnnotatorRow.name)
            .join(AnnotatorRow, AnnotatorRow.id == RemarkRow.annotator_id)
            .where(RemarkRow.item_id == item.id, _SAYS_SOMETHING)
            .order_by(AnnotatorRow.id)
        ):
            remarks[remark.unit][name] = (remark.flagged, remark.comment)
        rows = session.scalars(select(DecisionRow).filter_by(item_id=item.id))
        decisions = {row.unit: decision_of(row) for row in rows}
        return ReviewItem(
            position,
            event.name,
            item.system,
            tuple((row["source"], row["text"]) for row in event.content["narratives"]),
            tuple(item.summary),
            tuple(map(tuple, event.content["references"])),
            tuple(
                ReviewUnit(unit, labels[key], remarks[key], decisions.get(key))
                for key, unit in units.items()
            ),
        )


_CURRENT: Final = (LabelRow.superseded_at.is_(None), LabelRow.value.is_not(None))
_SAYS_SOMETHING: Final = RemarkRow.flagged.is_(True) | (RemarkRow.comment != "")


# The queries are Any: SQLAlchemy 2.0 and 2.1 spell their types differently.
def _list(session: Session, project: int, show: Show, sort: Sort) -> Any:
    """Return the query for the columns of `ReviewRow`."""
    labelled = _by_item(project, project_row(session, project).protocol).subquery()
    decided = (
        select(DecisionRow.item_id, func.count().label("decided"))
        .group_by(DecisionRow.item_id)
        .subquery()
    )
    is_open = RemarkRow.flagged.is_(True) & DecisionRow.id.is_(None)
    of_unit = and_(DecisionRow.item_id == RemarkRow.item_id, DecisionRow.unit == RemarkRow.unit)
    remarked = (
        select(
            RemarkRow.item_id,
            func.sum(case((is_open, 1), else_=0)).label("flagged"),
            func.sum(case((RemarkRow.comment != "", 1), else_=0)).label("comments"),
        )
        .outerjoin(DecisionRow, of_unit)
        .group_by(RemarkRow.item_id)
        .subquery()
    )
    names = ("shared", "differ", "spread", "undecided")
    counts = {name: func.coalesce(labelled.c[name], 0).label(name) for name in names}
    flagged = func.coalesce(remarked.c.flagged, 0).label("flagged")
    query = (
        select(
            *(ItemRow.position, EventRow.name, ItemRow.system, ItemRow.units.label("units")),
            *counts.values(),
            func.coalesce(decided.c.decided, 0).label("decided"),
            flagged,
            func.coalesce(remarked.c.comments, 0).label("comments"),
        )
        .join(EventRow, EventRow.id == ItemRow.event_id)
        .outerjoin(labelled, labelled.c.item_id == ItemRow.id)
        .outerjoin(decided, decided.c.item_id == ItemRow.id)
        .outerjoin(remarked, remarked.c.item_id == ItemRow.id)
        .where(ItemRow.project_id == project)
    )
    filters = {
        "disagreeing": counts["differ"] > 0,
        "undecided": counts["undecided"] > 0,
        "flagged": flagged > 0,
    }
    if show in filters:
        query = query.where(filters[show])
    if sort == "disagreement":
        share = counts["differ"] * 1.0 / func.nullif(counts["shared"], 0)
        order = (func.coalesce(share, 0).desc(), counts["spread"].desc())
        return query.order_by(*order, ItemRow.position)
    return query.order_by(ItemRow.position)


def _by_item(project: int, protocol: str) -> Any:
    """Return the query for how many units of an item are shared, differ and are undecided."""
    level: Any = literal(0)
    if protocol == "sentences":
        level = case(_LEVELS, value=LabelRow.value)
    elif protocol != "overlap":
        level = cast(LabelRow.value, Integer)
    units = (
        select(
            LabelRow.item_id,
            LabelRow.unit,
            func.count().label("labels"),
            func.count(LabelRow.value.distinct()).label("values"),
            (func.max(level) - func.min(level)).label("spread"),
        )
        .join(ItemRow, ItemRow.id == LabelRow.item_id)
        .where(ItemRow.project_id == project, *_CURRENT)
        .group_by(LabelRow.item_id, LabelRow.unit)
        .subquery()
    )
    of_unit = and_(DecisionRow.item_id == units.c.item_id, DecisionRow.unit == units.c.unit)
    differs = units.c["values"] > 1
    return (
        select(
            units.c.item_id,
            func.sum(case((units.c.labels > 1, 1), else_=0)).label("shared"),
            func.sum(case((differs, 1), else_=0)).label("differ"),
            func.max(units.c.spread).label("spread"),
            func.sum(case((differs & DecisionRow.id.is_(None), 1), else_=0)).label("undecided"),
        )
        .outerjoin(DecisionRow, of_unit)
        .group_by(units.c.item_id)
    )
