"""The contents of a finished run folder, for tables, plots and leaderboards."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from commonground.agreement import GridStudy, Ratings, Scores, SentenceLabels
from commonground.benchmark.config import Config, Variant, read_config
from commonground.benchmark.measure import (
    Labels,
    file_name,
    gold_of,
    label_groups,
    people_scores,
    read_pyramids,
)
from commonground.benchmark.run import read_signatures, step_files
from commonground.errors import InputError
from commonground.io import Event, read_events, read_json, read_predictions, read_rows
from commonground.metrics import bootstrap_interval, registry
from commonground.pyramid import GridPoint, Pyramid
from commonground.score import Interval


class Study:
    """The contents of a run folder, each read on first use.

    Args:
        folder: The run folder.
        chosen: The metrics, or `metric.column`, that tables and plots of metrics show (default:
            the main column of every metric).

    Raises:
        InputError: The folder is not a run, or the run is not finished.
    """

    def __init__(self, folder: str | Path, chosen: Sequence[str] = ()) -> None:
        self.folder = Path(folder)
        self.chosen = tuple(chosen)
        self.config: Config = read_config(self.folder)
        left = [path for path in step_files(self.folder, self.config) if not path.exists()]
        if left:
            raise InputError(
                f"{self.folder}: the run is not finished ({left[0].name} is missing); "
                "repeat the `benchmark run` command to resume it"
            )

    @property
    def title(self) -> str:
        """The name of the run."""
        return self.config.title or self.folder.resolve().name

    @cached_property
    def events(self) -> dict[str, Event]:
        """The data set."""
        return read_events(self.folder / "events.jsonl")

    @cached_property
    def outputs(self) -> dict[str, dict[str, str]]:
        """Each system's summaries by id."""
        outputs: dict[str, dict[str, str]] = {}
        for row in read_predictions(self.folder / "outputs.jsonl"):
            outputs.setdefault(row.system, {})[row.id] = row.summary
        return outputs

    @cached_property
    def signatures(self) -> dict[str, str]:
        """The signature of each file of numbers."""
        return read_signatures(self.folder)

    @cached_property
    def data(self) -> tuple[str, str]:
        """The name of the data set's file, and its sha256."""
        path = self.folder / "config.json"
        config = read_json(path)
        try:
            ((name, sha256),) = config["inputs"]["events"].items()
        except (AttributeError, KeyError, TypeError, ValueError):
            raise InputError(f"{path} is not the configuration of a run of this version") from None
        return str(name), str(sha256)

    @cached_property
    def scores(self) -> Scores:
        """All scores: computed, given, and human."""
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
        return next((group for group in self._labels if isinstance(group, SentenceLabels)), None)

    @property
    def ratings(self) -> list[Ratings]:
        """Labels of protocol 1: one score, two scores, or both."""
        return [group for group in self._labels if isinstance(group, Ratings)]

    @property
    def metrics(self) -> list[str]:
        """The metrics with scores against all references together."""
        return list(self.scores.others())

    @property
    def gold(self) -> str | None:
        """The gold standard."""
        return gold_of(self.scores.metrics, self.config.gold)

    @property
    def machine_metrics(self) -> list[str]:
        """The chosen metrics, or all but the human ones."""
        if self.chosen:
            return list(map(self.scores.resolve, self.chosen))
        return [
            name
            for name in self.metrics
            if not name.startswith(("human-", "rating-")) and name != self.gold
        ]

    @cached_property
    def pyramids(self) -> dict[str, dict[str, Pyramid]]:
        """The pyramids by builder and event, including the manual ones."""
        variants = [Variant(variant.builder, variant.encoder) for variant in self.config.variants]
        if (self.folder / "pyramids" / "manual.jsonl").exists():
            variants.insert(0, Variant("manual"))
        return {str(variant): read_pyramids(self.folder, variant) for variant in variants}

    @cached_property
    def grid(self) -> GridStudy | None:
        """The hyper-parameter study, if the run has one."""
        path = self.folder / "grid" / "points.jsonl"
        if not path.exists():
            return None
        values = {}
        for row in read_rows(path):
            *point, value = (row.values[key] for key in (*GridPoint._fields, "value"))
            values[GridPoint(*point)] = value
        return GridStudy.of(values)

    def baselines(self, metric: str) -> list[dict[str, Any]]:
        """Return the random baselines of a metric: rows of system, kind, mean, deviation."""
        path = self.folder / "baselines" / f"{file_name(metric)}.jsonl"
        return [dict(row.values) for row in read_rows(path)] if path.exists() else []

    def values(self, metric: str) -> dict[str, list[float]]:
        """Return one metric's scores against all references by system, best system first."""
        systems, _, matrix = self.scores.pivot(metric)
        rows = {
            system: [float(value) for value in row[~np.isnan(row)]]
            for system, row in zip(systems, matrix, strict=True)
        }
        sign = -1 if self.higher_is_better(metric) else 1
        return dict(sorted(rows.items(), key=lambda row: (sign * float(np.mean(row[1])), row[0])))

    def higher_is_better(self, metric: str) -> bool:
        """Return whether the better of two systems has the higher score."""
        name = registry.owner(metric, self.config.metrics)
        return name is None or registry.load(name).higher_is_better


def interval_of(values: Sequence[float]) -> Interval:
    """Return the bootstrap interval of a mean, as metrics do."""
    return bootstrap_interval(np.array(values))[0]
