"""A finished run folder, read: what tables, plots and leaderboards are made of."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

from commonground.agreement import GridStudy, Ratings, Scores, SentenceLabels
from commonground.benchmark.config import Config, Variant, read_config
from commonground.benchmark.people import Labels, gold_of, label_groups, people_scores
from commonground.benchmark.run import pyramid_file, read_pyramids, read_signatures, step_files
from commonground.errors import InputError
from commonground.io import Event, read_events, read_predictions, read_rows, read_text
from commonground.metrics import bootstrap_interval
from commonground.pyramid import GridPoint, Pyramid
from commonground.score import Interval

_Found = TypeVar("_Found")


class Study:
    """What a run folder holds, each part read when it is first asked for.

    Args:
        folder: The run.

    Raises:
        InputError: It is no run, or not finished.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.config: Config = read_config(self.folder)
        self._known: dict[str, Any] = {}
        left = [path for path in step_files(self.folder, self.config) if not path.exists()]
        if left:
            raise InputError(
                f"{self.folder}: is not finished ({left[0].name} is missing); "
                "give the same `benchmark run` command again"
            )

    @property
    def title(self) -> str:
        """What the run is called."""
        return self.config.title or self.folder.resolve().name

    @cached_property
    def events(self) -> dict[str, Event]:
        """The data set."""
        return read_events(self.folder / "events.jsonl")

    @cached_property
    def outputs(self) -> dict[str, dict[str, str]]:
        """Each system's summaries by id."""
        found: dict[str, dict[str, str]] = {}
        for one in read_predictions(self.folder / "outputs.jsonl"):
            found.setdefault(one.system, {})[one.id] = one.summary
        return found

    @cached_property
    def signatures(self) -> dict[str, str]:
        """The signature of each file of numbers."""
        return read_signatures(self.folder)

    @cached_property
    def _data(self) -> tuple[str, str]:
        inputs = json.loads(read_text(self.folder / "config.json"))["inputs"]
        name, sha256 = next(iter(inputs["events"].items()))
        return str(name), str(sha256)

    @property
    def data_name(self) -> str:
        """The name of the data set's file."""
        return self._data[0]

    @property
    def data_sha256(self) -> str:
        """What the data set is known by, whatever its name."""
        return self._data[1]

    @cached_property
    def scores(self) -> Scores:
        """All scores: computed, given, and people's."""
        steps = step_files(self.folder, self.config)
        files = [path for path in steps if path.parent.name == "scores"]
        rows = list(Scores.read(*files)) if files else []
        return Scores.of([*rows, *people_scores(self.folder, self._labels)])

    @cached_property
    def _labels(self) -> list[Labels]:
        return label_groups(self.folder)

    @property
    def sentence_labels(self) -> SentenceLabels | None:
        """Labels of protocol 2."""
        return next((one for one in self._labels if isinstance(one, SentenceLabels)), None)

    @property
    def ratings(self) -> list[Ratings]:
        """Labels of protocol 1: one score, two scores, or both."""
        return [one for one in self._labels if isinstance(one, Ratings)]

    @property
    def metrics(self) -> list[str]:
        """The metrics that were computed or given with scores against all references."""
        return list(dict.fromkeys(row.metric for row in self.scores if not row.reference))

    @property
    def gold(self) -> str | None:
        """The metric that stands for people's judgement."""
        return gold_of(self.metrics, self.config.gold)

    @property
    def machine_metrics(self) -> list[str]:
        """All metrics but people's."""
        return [
            name
            for name in self.metrics
            if not name.startswith(("human-", "rating-")) and name != self.gold
        ]

    @cached_property
    def baselines(self) -> list[dict[str, Any]]:
        """The random baselines: system, encoder, kind, mean, deviation."""
        files = sorted((self.folder / "baselines").glob("*.jsonl"))
        return [dict(row.values) for path in files for row in read_rows(path)]

    @cached_property
    def pyramids(self) -> dict[str, dict[str, Pyramid]]:
        """The pyramids by builder and event, the manual ones among them."""
        names = {str(Variant(one.builder, one.encoder)): one for one in self.config.variants}
        if (self.folder / "pyramids" / "manual.jsonl").exists():
            names = {"manual": Variant("manual"), **names}
        return {
            name: read_pyramids(self.folder / f"{pyramid_file(one)}.jsonl")
            for name, one in names.items()
        }

    @cached_property
    def grid(self) -> GridStudy | None:
        """The hyper-parameter study, where there is one."""
        path = self.folder / "grid" / "points.jsonl"
        if not path.exists():
            return None
        rows = [row.values for row in read_rows(path)]
        fields = GridPoint._fields
        return GridStudy.of(
            {GridPoint(*(row[key] for key in fields)): row["value"] for row in rows}
        )

    def once(self, name: str, make: Callable[[], _Found]) -> _Found:
        """What `make` gives, made once: tables and plots share the slow statistics."""
        if name not in self._known:
            self._known[name] = make()
        return cast(_Found, self._known[name])

    def values(self, metric: str) -> dict[str, list[float]]:
        """One metric's scores against all references, by system, the best system first."""
        systems, _, matrix = self.scores.pivot(metric)
        rows = {
            system: [float(value) for value in row[~np.isnan(row)]]
            for system, row in zip(systems, matrix, strict=True)
        }
        return dict(sorted(rows.items(), key=lambda pair: (-float(np.mean(pair[1])), pair[0])))


def interval_of(values: Sequence[float]) -> Interval:
    """The bootstrap interval of a mean, as the measures themselves give it."""
    (found,) = bootstrap_interval(np.array(values))
    return found


def shown_interval(interval: Interval | None) -> str | None:
    """An interval for a cell.

    Example:
        >>> shown_interval(Interval(0.25, 0.5))
        '0.250–0.500'
    """
    return None if interval is None else f"{interval.low:.3f}–{interval.high:.3f}"


def shown_p(p: float | None) -> str | None:
    """A p-value for a cell.

    Example:
        >>> shown_p(0.0004), shown_p(0.0312)
        ('< .001', '.031')
    """
    if p is None:
        return None
    return "< .001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


def ours_first(ours: Mapping[str, Any], papers: Mapping[str, Any]) -> list[tuple[str, str | None]]:
    """Our systems with the paper's of the same name, then the paper's that we do not have.

    Example:
        >>> ours_first({"bart": 1, "lead": 2}, {"BART": 3, "T5": 4})
        [('bart', 'BART'), ('lead', None), ('', 'T5')]
    """
    named = {name.lower(): name for name in papers}
    rows: list[tuple[str, str | None]] = [(name, named.get(name.lower())) for name in ours]
    used = {theirs for _, theirs in rows}
    return rows + [("", name) for name in papers if name not in used]
