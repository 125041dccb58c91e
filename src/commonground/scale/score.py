"""`commonground score` over any number of rows: the scores, and the means at the end."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.metrics import interval_fields, mean_intervals, normal_interval, resampled
from commonground.metrics.rouge import Rouge
from commonground.metrics.semf1 import SemF1
from commonground.plain import to_plain
from commonground.scale.work import Item, RowWork
from commonground.score import PRF, Interval, Signature, count_range

_PARTS = ("precision", "recall", "f1")

_MANTISSA_BITS = 53
_LOW_BITS = 26
_UNIT_BITS = 1200  # sums are counted in 2**-1200, which is finer than any double


class Score(RowWork):
    """SEM-F1, ROUGE or both of predictions with their references.

    Args:
        form: The format of the results.
        rouge: The ROUGE measure, or None.
        semf1: The arguments of `SemF1`, with the encoder by name, or None.
    """

    def __init__(self, form: str, *, rouge: Rouge | None, semf1: Mapping[str, str] | None) -> None:
        super().__init__(form)
        self._rouge = rouge
        self._semf1 = semf1
        self._measure: SemF1 | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_measure": None}  # each process loads its own

    def warm(self) -> None:
        """Load the encoder."""
        if self._semf1 and self._measure is None:
            self._measure = SemF1(**self._semf1)

    def signature(self) -> str:
        """Return all that the scores depend on, except for the texts."""
        self.warm()
        measures = {"sem-f1": self._measure, "rouge": self._rouge}
        fields = {
            f"{name}.{key}": value
            for name, measure in measures.items()
            if measure
            for key, value in measure.score("", [""]).signature.to_dict().items()
        }
        return "|".join(["score", *(f"{key}:{value}" for key, value in fields.items())])

    def results(self, items: Sequence[Item]) -> list[dict[str, Any]]:
        """Return the rows, as `--per-item` writes them."""
        self.warm()
        rows: list[dict[str, Any]] = [
            {"id": item.id, **({"system": item.content[0]} if item.content[0] else {})}
            for item in items
        ]
        summaries = [item.content[1] for item in items]
        references = [item.content[2] for item in items]
        if self._measure:
            for row, score in zip(rows, self._measure.each(summaries, references), strict=True):
                row["sem-f1"] = score.to_dict()
        if self._rouge:
            for row, counts in zip(rows, self._rouge.each(summaries, references), strict=True):
                row["rouge"] = counts.to_dict()
        return rows

    def notes(self, rows: Sequence[Mapping[str, Any]]) -> bytes:
        """Return the numbers and signatures by system and metric."""
        systems: dict[str, Any] = {}
        for row in rows:
            metrics = systems.setdefault(row.get("system", ""), {})
            for metric in ("sem-f1", "rouge"):
                if metric in row:
                    noted = metrics.setdefault(metric, {"signatures": {}, "numbers": {}})
                    noted["signatures"][row[metric]["signature"]] = True
                    for name, value in _numbers(metric, row[metric]):
                        noted["numbers"].setdefault(name, []).append(value)
        return json.dumps(systems).encode()


def _numbers(metric: str, score: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield the numbers of a score: `.f1` and `labelled.f1` of SEM-F1, `rouge1.f1` and so on."""
    if metric == "sem-f1":
        groups = {"": score, "labelled": score["labelled"]}
    else:
        groups = {kind: values for kind, values in score.items() if kind != "signature"}
    for group, values in groups.items():
        for part in _PARTS:
            yield f"{group}.{part}", values[part]


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
    """The values of one quantity, for the interval of their mean."""

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

    def normal(self) -> Interval:
        return normal_interval(self.items, self.total.value, self.squares.value, self.extremes)


@dataclass(slots=True)
class _Metric:
    """The sums of one system's scores by one metric."""

    items: int = 0
    signatures: dict[str, None] = field(default_factory=dict)
    sums: dict[str, ExactSum] = field(default_factory=dict)
    f1: dict[str, _Spread] = field(default_factory=dict)

    def add(self, noted: Mapping[str, Any]) -> None:
        self.signatures.update(dict.fromkeys(noted["signatures"]))
        for name, values in noted["numbers"].items():
            self.sums.setdefault(name, ExactSum()).add(values)
            group, _, part = name.rpartition(".")
            if part == "f1" and group != "labelled":
                self.f1.setdefault(group, _Spread()).add(values)
        self.items += len(next(iter(noted["numbers"].values())))

    def mean(self, group: str) -> PRF:
        return PRF(*(self.sums[f"{group}.{part}"].value / self.items for part in _PARTS))

    def intervals(self) -> dict[str, Interval]:
        if not resampled(self.items):
            return {group: spread.normal() for group, spread in self.f1.items()}
        columns = [np.concatenate(spread.values) for spread in self.f1.values()]
        return dict(zip(self.f1, mean_intervals(np.stack(columns, axis=1)), strict=True))

    def signature(self, **more: str) -> str:
        """Return the signature of the corpus from those of its items."""
        each = [signature.split("|") for signature in self.signatures]
        fields = [dict(part.partition(":")[::2] for part in parts[1:]) for parts in each]
        merged = {**fields[0], "refs": count_range({int(values["refs"]) for values in fields})}
        if "split" in merged:
            kinds = {kind for values in fields for kind in values["split"].split("/")}
            merged["split"] = "/".join(sorted(kinds, reverse=True))
        merged.pop("v")
        return str(Signature.of(each[0][0], **merged, **more, **interval_fields(self.items)))

    def semf1(self) -> dict[str, Any]:
        mean = self.mean("")
        return {
            "mean": mean.to_dict(),
            "f1_of_means": PRF.of(mean.precision, mean.recall).f1,
            "labelled": self.mean("labelled").to_dict(),
            "interval": self.intervals()[""].to_dict(),
            "items": self.items,
            "signature": self.signature(agg="mean-f1"),
        }

    def rouge(self) -> dict[str, Any]:
        return {
            "mean": {kind: self.mean(kind).to_dict() for kind in self.f1},
            "interval": to_plain(self.intervals()),
            "items": self.items,
            "signature": self.signature(),
        }


def totals(notes: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return means and intervals of every system, as `to_dict` of a corpus score does.

    Only the F1s of systems with few items are held in memory, for the bootstrap.

    Args:
        notes: The notes of every shard, in order.
    """
    systems: dict[str, dict[str, _Metric]] = {}
    for shard in notes:
        for system, metrics in shard.items():
            for metric, noted in metrics.items():
                systems.setdefault(system, {}).setdefault(metric, _Metric()).add(noted)
    return {
        system: {
            metric: sums.semf1() if metric == "sem-f1" else sums.rouge()
            for metric, sums in metrics.items()
        }
        for system, metrics in systems.items()
    }
