"""Scores of any metric as rows: id, system, metric, value."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from commonground.agreement.coefficients import Floats
from commonground.agreement.rows import check_once, has, name, number, read_tables
from commonground.errors import InputError, unknown_name
from commonground.frames import HasRows, frame_rows
from commonground.io import Row


class ScoreRow(NamedTuple):
    """The score of one summary by one metric, against all references or one `reference`."""

    id: str
    system: str
    metric: str
    value: float
    reference: str = ""


class Pivot(NamedTuple):
    """One metric's values, systems x ids, both sorted; NaN for a missing score."""

    systems: tuple[str, ...]
    ids: tuple[str, ...]
    matrix: Floats


@dataclass(frozen=True, slots=True)
class Scores(HasRows):
    """The scores of any number of metrics, including human ones.

    Example:
        >>> scores = Scores.of([("ferry", "lead", "rouge1", 0.5), ("storm", "lead", "rouge1", 0.3)])
        >>> scores.pivot("rouge1").matrix
        array([[0.5, 0.3]])
    """

    rows: tuple[ScoreRow, ...]

    @classmethod
    def of(cls, rows: Iterable[Sequence[Any]]) -> "Scores":
        """Return scores from tuples (id, system, metric, value[, reference]) without duplicates."""
        scores = [ScoreRow(*row) for row in rows]
        seen: set[tuple[str, ...]] = set()
        for score in scores:
            if _key(score) in seen:
                raise InputError(f"two scores for {_called(score)}")
            seen.add(_key(score))
        return cls(tuple(scores))

    @classmethod
    def read(cls, *paths: str | Path) -> "Scores":
        """Read scores from CSV or JSONL files, also those of `commonground score --per-item`."""
        seen: dict[tuple[str, ...], Row] = {}
        scores = []
        for row in read_tables(paths):
            for score in _scores(row):
                check_once(row, seen, _key(score), f"the score for {_called(score)}")
                scores.append(score)
        if not scores:
            raise InputError(f"{', '.join(map(str, paths))}: has no scores")
        return cls(tuple(scores))

    @classmethod
    def from_dataframe(
        cls,
        df: object,
        *,
        id: str = "id",
        system: str = "system",
        metric: str = "metric",
        value: str = "value",
        reference: str = "reference",
        metrics: Sequence[str] | None = None,
    ) -> "Scores":
        """Return scores from a data frame of pandas or polars.

        A long table has one score per row, in the column `value`. A wide one has a column per
        metric: name them in `metrics`. A missing value is a missing score.

        Args:
            df: The data frame.
            id: The column that names the event.
            system: The column that names the system; without it there is one system.
            metric: The column that names the metric of a long table.
            value: The column of numbers of a long table.
            reference: The column that names a single reference, if there is one.
            metrics: The columns of numbers of a wide table.

        Raises:
            InputError: No data frame, a missing column, a value that is no number, two scores
                for the same summary, or no scores.
        """
        if isinstance(metrics, str):
            raise InputError(f"metrics must be a list of columns, got one; write [{metrics!r}]")
        wide = None if metrics is None else list(metrics)
        columns = [metric, value] if wide is None else wide
        rows = frame_rows(df, [id, *columns], _WIDE if wide is None else "")
        scores = []
        for index, row in enumerate(rows):
            named = [(row[metric], value)] if wide is None else [(one, one) for one in wide]
            key = _cell(row, id, index), _cell(row, system, index)
            against = _cell(row, reference, index)
            for scored, column in named:
                if row[column] is not None:
                    scores.append(ScoreRow(*key, str(scored), _number(row, column, index), against))
        if not scores:
            raise InputError("df has no scores")
        return cls.of(scores)

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return a row for each score."""
        rows = [row._asdict() for row in self.rows]
        if not any(row["reference"] for row in rows):
            rows = [{key: row[key] for key in row if key != "reference"} for row in rows]
        return rows

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[ScoreRow]:
        return iter(self.rows)

    def __add__(self, other: "Scores") -> "Scores":
        return Scores.of([*self.rows, *other.rows])

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics and their columns, in order of first appearance."""
        return tuple(dict.fromkeys(row.metric for row in self.rows))

    def others(self, gold: str | None = None) -> tuple[str, ...]:
        """Return all metrics but the gold standard with scores against all references together.

        A column of another metric (`rouge1.recall` beside `rouge1`) is left out.
        """
        metrics = dict.fromkeys(row.metric for row in self.rows if not row.reference)
        return tuple(name for name in main_names(metrics) if name != gold)

    def resolve(self, metric: str) -> str:
        """Return the name in these scores of `metric` or `metric.column`.

        The column `f1` is the metric itself, and the metric that owns a column may lead:
        `rouge1`, `rouge1.f1` and `rouge.rouge1.f1` are the same.

        Raises:
            InputError: The scores have no such metric.
        """
        return resolve(metric, self.metrics)

    def references(self, metric: str) -> tuple[str, ...]:
        """Return the single references of a metric, in order of appearance."""
        return tuple(dict.fromkeys(row.reference for row in self._of(metric) if row.reference))

    def pivot(self, metric: str, reference: str = "") -> Pivot:
        """Return one metric as a matrix; `reference` is a single one (default: all together)."""
        rows = [row for row in self._of(metric) if row.reference == reference]
        if not rows:
            against = f"reference {reference!r}" if reference else "all references"
            raise InputError(f"metric {metric!r} has no scores against {against}")
        systems = sorted({row.system for row in rows})
        ids = sorted({row.id for row in rows})
        matrix = np.full((len(systems), len(ids)), np.nan)
        lines, columns = ({key: index for index, key in enumerate(keys)} for keys in (systems, ids))
        for row in rows:
            matrix[lines[row.system], columns[row.id]] = row.value
        return Pivot(tuple(systems), tuple(ids), matrix)

    def matched(self, *metrics: str) -> tuple[tuple[str, ...], tuple[str, ...], list[Floats]]:
        """Return the systems and ids that all metrics have, and each metric's matrix of them."""
        systems, ids, matrices = common([self.pivot(metric) for metric in metrics])
        if not systems or not ids:
            what = "system" if not systems else "id"
            raise InputError(f"the metrics {', '.join(metrics)} have no {what} in common")
        return systems, ids, matrices

    def to_rows(self) -> list[dict[str, Any]]:
        """Return rows for a JSONL file."""
        return [
            {key: value for key, value in row._asdict().items() if value != ""} for row in self.rows
        ]

    def _of(self, metric: str) -> list[ScoreRow]:
        name = self.resolve(metric)
        return [row for row in self.rows if row.metric == name]


def resolve(metric: str, known: Collection[str], what: str = "metric") -> str:
    """Return the known name of `metric` or `metric.column`, or raise InputError.

    A part that only one known name has, such as the encoder of a run, may be left out.

    Example:
        >>> resolve("rouge1.f1", ["rouge1"]), resolve("rouge.rouge1.recall", ["rouge1.recall"])
        ('rouge1', 'rouge1.recall')
        >>> resolve("sem-f1.recall", ["rouge1", "sem-f1.minilm", "sem-f1.minilm.recall"])
        'sem-f1.minilm.recall'
    """
    without = metric.partition(".")[2]
    for form in (metric, metric.removesuffix(".f1"), without, without.removesuffix(".f1")):
        if form in known:
            return form
    for form in (metric, metric.removesuffix(".f1")):
        fuller = [name for name in known if form in _shortened(name)]
        if len(fuller) == 1:
            return fuller[0]
        if fuller:
            raise InputError(f"{what} {metric!r} is ambiguous: {', '.join(fuller)}")
    raise unknown_name(what, metric, list(known))


def main_names(names: Iterable[str]) -> list[str]:
    """Leave out the columns of other names: `rouge1.recall` if there is `rouge1`."""
    known = list(names)
    every = set(known)
    return [one for one in known if every.isdisjoint(_beginnings(one))]


_WIDE = "; for a table with a column per metric, name them: metrics=[...]"


def _shortened(dotted: str) -> set[str]:
    """Return the name without each of its parts but the first."""
    parts = dotted.split(".")
    return {".".join((*parts[:at], *parts[at + 1 :])) for at in range(1, len(parts))}


def _beginnings(dotted: str) -> Iterator[str]:
    parts = dotted.split(".")
    return (".".join(parts[:end]) for end in range(1, len(parts)))


def _cell(row: Mapping[str, Any], column: str, index: int) -> str:
    """Return a name; "" if the table does not have the column."""
    if column in row and row[column] is None:
        raise InputError(f"row {index} of df has no {column!r}")
    return str(row.get(column, ""))


def _number(row: Mapping[str, Any], column: str, index: int) -> float:
    try:
        return float(row[column])
    except (TypeError, ValueError):
        raise InputError(
            f"row {index} of df: {column!r} must be a number, not {row[column]!r}"
        ) from None


def common(pivots: Sequence[Pivot]) -> tuple[tuple[str, ...], tuple[str, ...], list[Floats]]:
    """Return the systems and ids that all pivots have, sorted, and the matrices of these."""
    systems = set.intersection(*(set(pivot.systems) for pivot in pivots))
    ids = set.intersection(*(set(pivot.ids) for pivot in pivots))
    matrices = [
        pivot.matrix[np.ix_([s in systems for s in pivot.systems], [i in ids for i in pivot.ids])]
        for pivot in pivots
    ]
    return tuple(sorted(systems)), tuple(sorted(ids)), matrices


def _scores(row: Row) -> Iterator[ScoreRow]:
    """Yield the scores of a row: one metric, or all of a row of `commonground score --per-item`."""
    system = name(row, "system") if has(row, "system") else ""
    id_ = name(row, "id")
    if "metric" not in row.values and "value" not in row.values:
        results = {key: value for key, value in row.values.items() if isinstance(value, Mapping)}
        scores = [score for key, value in results.items() for score in _numbers(key, value)]
        if not scores:
            row.required("metric")
        yield from (ScoreRow(id_, system, *score) for score in scores)
        return
    metric = name(row, "metric")
    row.required("value")
    if has(row, "value"):  # a blank cell is a missing score
        reference = name(row, "reference") if has(row, "reference") else ""
        yield ScoreRow(id_, system, metric, number(row, "value"), reference)


def _numbers(metric: str, score: Mapping[str, Any]) -> list[tuple[str, float]]:
    """Return all numbers of a score; the F1 of a metric or of a type has the name alone.

    Example:
        >>> _numbers("rouge", {"rouge1": {"recall": 0.4, "f1": 0.5}})
        [('rouge1', 0.5), ('rouge1.recall', 0.4)]
    """
    types = {metric: score} if "f1" in score else score
    found = {
        name: numbers
        for name, numbers in types.items()
        if isinstance(numbers, Mapping) and isinstance(numbers.get("f1"), int | float)
    }
    if found:
        named = [(name, "f1", numbers["f1"]) for name, numbers in found.items()]
        named += [(name, *pair) for name, numbers in found.items() for pair in _flat(numbers)]
        every = {name if key == "f1" else f"{name}.{key}": value for name, key, value in named}
    else:
        plain = {key: value for key, value in score.items() if isinstance(value, int | float)}
        every = {metric if len(plain) == 1 else f"{metric}.{key}": plain[key] for key in plain}
    return [(name, float(value)) for name, value in every.items()]


def _flat(numbers: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, float]]:
    for key, value in numbers.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{key}.")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield f"{before}{key}", value


def _key(row: ScoreRow) -> tuple[str, ...]:
    return row.id, row.system, row.metric, row.reference


def _called(row: ScoreRow) -> str:
    against = f" against reference {row.reference!r}" if row.reference else ""
    return f"id {row.id!r}, system {row.system!r}, metric {row.metric!r}{against}"
