"""`commonground score` over any number of rows: the scores, and the means at the end."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.metrics import (
    Metric,
    column_value,
    mean_intervals,
    normal_interval,
    registry,
    resampled,
)
from commonground.scale.work import Item, RowWork
from commonground.score import Interval, Signature

Metrics = Mapping[str, Metric[Any, Any]]

_MANTISSA_BITS = 53
_LOW_BITS = 26
_UNIT_BITS = 1200  # sums are counted in 2**-1200, which is finer than any double


class Score(RowWork):
    """Scores predictions against their references, by metrics with their options."""

    def __init__(self, form: str, metrics: Mapping[str, Mapping[str, Any]]) -> None:
        super().__init__(form)
        self._options = metrics

    @cached_property
    def models(self) -> Metrics:
        """The metrics by name."""
        return {name: registry.create(name, **options) for name, options in self._options.items()}

    def signature(self) -> str:
        """Return all that the scores depend on besides the texts."""
        fields = {
            f"{name}.{key}": value
            for name, metric in self.models.items()
            for key, value in metric.signature("", [""]).to_dict().items()
        }
        return "|".join(["score", *(f"{key}:{value}" for key, value in fields.items())])

    def results(self, items: Sequence[Item]) -> list[dict[str, Any]]:
        """Return the rows that `--per-item` writes too."""
        rows: list[dict[str, Any]] = [
            {"id": item.id, **({"system": item.content[0]} if item.content[0] else {})}
            for item in items
        ]
        summaries = [item.content[1] for item in items]
        references = [item.content[2] for item in items]
        for name, metric in self.models.items():
            for row, score in zip(rows, metric.each(summaries, references), strict=True):
                row[name] = score.to_dict()
        return rows

    def notes(self, rows: Sequence[Mapping[str, Any]]) -> bytes:
        """Return the numbers and signatures as JSON, by system and metric."""
        systems: dict[str, Any] = {}
        for row in rows:
            notes = systems.setdefault(row.get("system", ""), {})
            for name, metric in self.models.items():
                note = notes.setdefault(name, {"signatures": {}, "numbers": {}})
                note["signatures"][row[name]["signature"]] = True
                for column in metric.columns:
                    value = column_value(row[name], column)
                    note["numbers"].setdefault(column, []).append(value)
        return json.dumps(systems).encode()


class ExactSum:
    """A sum of doubles without rounding: `math.fsum` over all values, a part at a time."""

    def __init__(self) -> None:
        self._total = 0

    def add(self, values: Sequence[float] | NDArray[np.float64]) -> None:
        """Add more values."""
        mantissas, exponents = np.frexp(np.asarray(values, dtype=np.float64))
        whole = (mantissas * 2.0**_MANTISSA_BITS).astype(np.int64)
        for exponent in np.unique(exponents):
            part = whole[exponents == exponent]
            # In two parts, so that the sums of billions fit into 64 bits.
            high, low = int((part >> _LOW_BITS).sum()), int((part & ((1 << _LOW_BITS) - 1)).sum())
            shift = int(exponent) - _MANTISSA_BITS + _UNIT_BITS
            self._total += ((high << _LOW_BITS) + low) << shift

    @property
    def value(self) -> float:
        """The sum as a double, rounded once."""
        return self._total / (1 << _UNIT_BITS)


@dataclass(slots=True)
class _Spread:
    """The values of one column, for the interval of their mean."""

    items: int = 0
    total: ExactSum = field(default_factory=ExactSum)
    squares: ExactSum = field(default_factory=ExactSum)
    extremes: tuple[float, float] = (math.inf, -math.inf)
    values: list[NDArray[np.float64]] = field(default_factory=list)

    def add(self, values: Sequence[float]) -> None:
        new = np.array(values)
        self.items += len(new)
        self.total.add(new)
        self.squares.add(np.square(new))
        low, high = self.extremes
        self.extremes = min(low, float(new.min())), max(high, float(new.max()))
        if resampled(self.items):
            self.values.append(new)
        else:
            self.values.clear()  # the sums are enough

    def interval(self) -> Interval:
        if resampled(self.items):
            return mean_intervals(np.concatenate(self.values))[0]
        return normal_interval(self.items, self.total.value, self.squares.value, self.extremes)


@dataclass(slots=True)
class _Total:
    """The sums of one system's scores by one metric."""

    metric: Metric[Any, Any]
    items: int = 0
    signatures: dict[str, None] = field(default_factory=dict)
    sums: dict[str, ExactSum] = field(default_factory=dict)
    spreads: dict[str, _Spread] = field(default_factory=dict)

    def add(self, note: Mapping[str, Any]) -> None:
        self.signatures.update(dict.fromkeys(note["signatures"]))
        main = set(self.metric.main_columns.values())
        for column, values in note["numbers"].items():
            self.sums.setdefault(column, ExactSum()).add(values)
            if column in main:
                self.spreads.setdefault(column, _Spread()).add(values)
        self.items += len(next(iter(note["numbers"].values())))

    def to_dict(self) -> dict[str, Any]:
        corpus = self.metric.combine(
            (),
            {column: total.value / self.items for column, total in self.sums.items()},
            {column: spread.interval() for column, spread in self.spreads.items()},
            self.metric.corpus_signature(map(_signature, self.signatures), self.items),
        )
        return {**corpus.to_dict(), "items": self.items}


def totals(notes: Iterable[Mapping[str, Any]], metrics: Metrics) -> dict[str, dict[str, Any]]:
    """Return means and intervals of every system, as `to_dict` of a corpus gives them.

    `notes` are those of every shard, in order. Memory holds only the main columns of systems with
    few items, for the bootstrap.
    """
    systems: dict[str, dict[str, _Total]] = {}
    for shard in notes:
        for system, by_metric in shard.items():
            for name, note in by_metric.items():
                known = systems.setdefault(system, {})
                known.setdefault(name, _Total(metrics[name])).add(note)
    return {
        system: {name: total.to_dict() for name, total in by_metric.items()}
        for system, by_metric in systems.items()
    }


def _signature(line: str) -> Signature:
    measure, *parts = line.split("|")
    fields = (part.partition(":") for part in parts)
    return Signature(measure, tuple((key, value) for key, _, value in fields))
