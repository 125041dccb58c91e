"""Scores of any metric as rows: id, system, metric, value."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.agreement.rows import has, name, number, read_tables
from commonground.errors import InputError, unknown_name
from commonground.io import Row

Floats = NDArray[np.float64]


class ScoreRow(NamedTuple):
    """What one metric says of one summary; `reference` where it saw that reference alone."""

    id: str
    system: str
    metric: str
    value: float
    reference: str = ""


class Pivot(NamedTuple):
    """One metric's values, systems x ids, both sorted; not-a-number where there is none."""

    systems: tuple[str, ...]
    ids: tuple[str, ...]
    matrix: Floats


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of any number of metrics, human ones among them.

    Example:
        >>> scores = Scores.of([("ferry", "lead", "rouge1", 0.5), ("storm", "lead", "rouge1", 0.3)])
        >>> scores.pivot("rouge1").matrix
        array([[0.5, 0.3]])
    """

    rows: tuple[ScoreRow, ...]

    @classmethod
    def of(cls, rows: Iterable[Sequence[Any]]) -> "Scores":
        """Scores from tuples (id, system, metric, value[, reference]); none may come twice."""
        found = [ScoreRow(*row) for row in rows]
        seen: set[tuple[str, ...]] = set()
        for row in found:
            if _key(row) in seen:
                raise InputError(f"two scores for {_called(row)}")
            seen.add(_key(row))
        return cls(tuple(found))

    @classmethod
    def read(cls, *paths: str | Path) -> "Scores":
        """Scores from CSV or JSONL files, `commonground score --per-item` files among them."""
        lines: dict[tuple[str, ...], Row] = {}
        found = []
        for row in read_tables(paths):
            for score in _scores(row):
                if _key(score) in lines:
                    before = lines[_key(score)]
                    where = "" if before.path == row.path else f"{before.path}, "
                    raise row.wrong(
                        f"the score for {_called(score)} stands already in {where}line "
                        f"{before.line}"
                    )
                lines[_key(score)] = row
                found.append(score)
        if not found:
            raise InputError(f"{', '.join(map(str, paths))}: has no scores")
        return cls(tuple(found))

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[ScoreRow]:
        return iter(self.rows)

    def __add__(self, other: "Scores") -> "Scores":
        return Scores.of([*self.rows, *other.rows])

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics in the order in which they first appear."""
        return tuple(dict.fromkeys(row.metric for row in self.rows))

    def others(self, gold: str | None = None) -> tuple[str, ...]:
        """All metrics but the gold standard that have scores against all references together."""
        there = dict.fromkeys(row.metric for row in self.rows if not row.reference)
        return tuple(name for name in there if name != gold)

    def references(self, metric: str) -> tuple[str, ...]:
        """The single references that a metric was taken against, in order of appearance."""
        return tuple(dict.fromkeys(row.reference for row in self._of(metric) if row.reference))

    def pivot(self, metric: str, reference: str = "") -> Pivot:
        """One metric as a matrix of systems x ids.

        Both are sorted, so that nothing depends on the order of the rows.

        Args:
            metric: Whose values.
            reference: Those against this reference alone; by default those against all together.
        """
        rows = [row for row in self._of(metric) if row.reference == reference]
        if not rows:
            one = f"against reference {reference!r}" if reference else "against all references"
            raise InputError(f"metric {metric!r} has no scores {one}")
        systems = sorted({row.system for row in rows})
        ids = sorted({row.id for row in rows})
        matrix = np.full((len(systems), len(ids)), np.nan)
        line = {system: place for place, system in enumerate(systems)}
        column = {id_: place for place, id_ in enumerate(ids)}
        for row in rows:
            matrix[line[row.system], column[row.id]] = row.value
        return Pivot(tuple(systems), tuple(ids), matrix)

    def matched(self, *metrics: str) -> tuple[tuple[str, ...], tuple[str, ...], list[Floats]]:
        """Several metrics on the systems and ids that all of them have: systems, ids, matrices."""
        pivots = [self.pivot(metric) for metric in metrics]
        systems = sorted(set.intersection(*(set(one.systems) for one in pivots)))
        ids = sorted(set.intersection(*(set(one.ids) for one in pivots)))
        if not systems or not ids:
            what = "system" if not systems else "id"
            raise InputError(f"the metrics {', '.join(metrics)} have no {what} in common")
        matrices = [
            one.matrix[
                np.ix_([one.systems.index(s) for s in systems], [one.ids.index(i) for i in ids])
            ]
            for one in pivots
        ]
        return tuple(systems), tuple(ids), matrices

    def to_rows(self) -> list[dict[str, Any]]:
        """Rows for a JSONL file."""
        return [
            {key: value for key, value in row._asdict().items() if value != ""} for row in self.rows
        ]

    def _of(self, metric: str) -> list[ScoreRow]:
        rows = [row for row in self.rows if row.metric == metric]
        if not rows:
            raise unknown_name("metric", metric, self.metrics)
        return rows


def _scores(row: Row) -> Iterator[ScoreRow]:
    system = name(row, "system") if has(row, "system") else ""
    id_ = name(row, "id")
    if "metric" not in row.values and "value" not in row.values:
        for metric, value in _per_item(row):
            yield ScoreRow(id_, system, metric, value)
        return
    metric = name(row, "metric")
    row.required("value")
    if has(row, "value"):  # a blank cell is a score that is missing
        reference = name(row, "reference") if has(row, "reference") else ""
        yield ScoreRow(id_, system, metric, number(row, "value"), reference)


def _per_item(row: Row) -> Iterator[tuple[str, float]]:
    """Yield the metrics of a row of `commonground score --per-item`.

    A metric counts by its F1, or by the F1 of each of its types; one without F1 by its numbers.
    """
    results = {key: value for key, value in row.values.items() if isinstance(value, Mapping)}
    scores = [score for key, value in results.items() for score in _numbers(key, value)]
    if not scores:
        row.required("metric")
    yield from scores


def _numbers(metric: str, score: Mapping[str, Any]) -> list[tuple[str, float]]:
    types = {metric: score} if "f1" in score else score
    f1 = [
        (name, float(numbers["f1"]))
        for name, numbers in types.items()
        if isinstance(numbers, Mapping) and isinstance(numbers.get("f1"), int | float)
    ]
    plain = {key: value for key, value in score.items() if isinstance(value, int | float)}
    names = {key: metric if len(plain) == 1 else f"{metric}.{key}" for key in plain}
    return f1 or [(names[key], float(value)) for key, value in plain.items()]


def _key(row: ScoreRow) -> tuple[str, ...]:
    return row.id, row.system, row.metric, row.reference


def _called(row: ScoreRow) -> str:
    against = f" against reference {row.reference!r}" if row.reference else ""
    return f"id {row.id!r}, system {row.system!r}, metric {row.metric!r}{against}"
