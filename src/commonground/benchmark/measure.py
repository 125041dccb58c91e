"""The numbers of a run: scores, baselines, pyramids, and what people said.

A function named `..._rows` computes the rows of one file, and their signature.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from commonground.agreement import (
    GridTask,
    Overlaps,
    Ratings,
    ScoreRow,
    Scores,
    SentenceLabels,
    grid_study,
    human_scores,
    read_labels,
    resolve,
)
from commonground.benchmark.config import GIVEN, Config, Variant
from commonground.errors import InputError
from commonground.io import Event, read_rows
from commonground.metrics import Metric, PyramidMetric, column_value, registry
from commonground.pyramid import Pyramid
from commonground.score import Progress

Labels = Ratings | SentenceLabels | Overlaps
Item = tuple[str, str, Sequence[str]]  # id, summary, references
Rows = list[dict[str, Any]]

# The default gold standard is the first of these that a run has.
GOLD: Final = ("human-raw", "human-f1", "human-score")


@dataclass(frozen=True, slots=True)
class Material:
    """The events with references, and each system's summaries by id."""

    events: Mapping[str, Event]
    outputs: Mapping[str, Mapping[str, str]]

    def items(self, system: str) -> list[Item]:
        """Return a system's items in the order of the data set."""
        summaries = self.outputs[system]
        return [
            (id_, summaries[id_], event.references)
            for id_, event in self.events.items()
            if id_ in summaries and event.references
        ]

    def groups(self, metric: Metric[Any, Any], single: bool) -> dict[str, list[Item]]:
        """Return what a metric scores: all its targets together, or each non-empty one alone.

        The key is the number of the reference (empty for all together), a tab and the system.
        """
        groups: defaultdict[str, list[Item]] = defaultdict(list)
        for system in self.outputs:
            for id_, event in self.events.items():
                texts, summary = metric.targets(event), self.outputs[system].get(id_)
                if summary is None or not texts:
                    continue
                alone = {str(n): (text,) for n, text in enumerate(texts, 1) if text.strip()}
                for number, targets in alone.items() if single else [("", texts)]:
                    groups[f"{number}\t{system}"].append((id_, summary, targets))
        return groups


def metric_of(config: Config, name: str, encoder: str | None) -> Metric[Any, Any]:
    """Create a metric with the settings of a run."""
    settings = {"encoder": encoder, "splitter": config.splitter, "stemmer": config.stemmer}
    return registry.create_for_study(name, settings, config.options.get(name))


def metric_rows(
    material: Material,
    config: Config,
    name: str,
    encoder: str | None,
    single: bool,
    progress: Progress | None,
) -> tuple[Rows, str]:
    """Score every summary with all columns of a metric."""
    metric = metric_of(config, name, encoder)
    groups = material.groups(metric, single)
    if not groups:
        raise InputError(f"{name} needs {metric.against}, and no event has any")
    texts = {
        key: ([summary for _, summary, _ in items], [references for *_, references in items])
        for key, items in groups.items()
    }
    corpora = metric.corpora(texts, progress=progress)
    suffix = f".{encoder}" if encoder else ""
    rows = []
    for key, corpus in corpora.items():
        number, _, system = key.partition("\t")
        reference = {"reference": number} if single else {}
        for column_name, column in metric.study_columns(suffix).items():
            labels = {"system": system, "metric": column_name}
            for (id_, *_), item in zip(groups[key], corpus.items, strict=True):
                value = column_value(item, column)
                rows.append({"id": id_, **labels, "value": value, **reference})
    return rows, str(next(iter(corpora.values())).signature)


def baseline_rows(
    material: Material, config: Config, name: str, encoder: str | None, progress: Progress | None
) -> tuple[Rows, str]:
    """Compute the random baselines of a metric for each system."""
    metric = metric_of(config, name, encoder)
    rows: Rows = []
    signature = ""
    for done, system in enumerate(material.outputs, start=1):
        items = material.items(system)
        if len(items) > 1:
            _, summaries, references = zip(*items, strict=True)
            for baseline in metric.baselines(
                summaries, references, draws=config.draws, seed=config.seed
            ):
                signature = str(baseline.signature)
                rows.append({"system": system, "encoder": encoder, **baseline.to_dict()})
        if progress:
            progress(done, len(material.outputs))
    return rows, signature


def pyramid_rows(
    material: Material, config: Config, variant: Variant, progress: Progress | None
) -> tuple[Rows, str]:
    """Build a pyramid for each event that has references."""
    greedy = variant.builder == "edua-g"
    events = [event for event in material.events.values() if any(map(str.strip, event.references))]
    rows: Rows = []
    for event in events:
        pyramid = Pyramid.build(
            event.references,
            builder=variant.builder,
            encoder=variant.encoder,
            percentile=config.percentile,
            preset=config.preset,
            alpha=config.alpha if greedy else None,
            beta=config.beta if greedy else None,
            ideas=False,
        )
        rows.append({"id": event.id, "pyramid": pyramid.to_dict()})
        if progress:
            progress(len(rows), len(events))
    return rows, str(pyramid.signature) if events else ""


def pyramid_score_rows(
    folder: Path, material: Material, variant: Variant, progress: Progress | None
) -> tuple[Rows, str]:
    """Score every summary by the pyramid of its event."""
    pyramids = read_pyramids(folder, variant)
    rows: Rows = []
    signature = ""
    for done, (id_, pyramid) in enumerate(pyramids.items(), start=1):
        hard = variant.method or "preset" in pyramid.signature.to_dict()
        scorer = pyramid.scorer(variant.method, variant.encoder if hard else None)
        for system, summaries in material.outputs.items():
            if id_ not in summaries:
                continue
            score = scorer.score(summaries[id_])
            signature = str(score.signature)
            for column in PyramidMetric.columns:
                metric, value = pyramid_metric(variant, column), column_value(score, column)
                rows.append({"id": id_, "system": system, "metric": metric, "value": value})
        if progress:
            progress(done, len(pyramids))
    return rows, signature


def file_name(name: str) -> str:
    """Return a name that any file system takes."""
    return quote(name, safe=" @+=,()")


def pyramid_file(variant: Variant) -> str:
    """Return the path of a variant's pyramids in the run, without the ending."""
    encoder = None if variant.builder in GIVEN else variant.encoder
    return f"pyramids/{file_name(str(Variant(variant.builder, encoder)))}"


def read_pyramids(folder: Path, variant: Variant) -> dict[str, Pyramid]:
    """Read a variant's pyramids, by event."""
    rows = read_rows(folder / f"{pyramid_file(variant)}.jsonl")
    return {row.identifier(): Pyramid.from_dict(row.required("pyramid")) for row in rows}


def pyramid_metric(variant: Variant, column: str) -> str:
    """Return the name of a pyramid's score among the metrics of a run."""
    return f"pyramid.{variant}.{column}"


def label_groups(folder: Path) -> list[Labels]:
    """Read label files of one kind together, since each annotator may have a file."""
    groups: dict[str, list[Path]] = {}
    for path in _files(folder / "labels"):
        labels = read_labels(path)
        kind = type(labels).__name__
        if isinstance(labels, Ratings):
            kind += " of one" if "score" in labels.values else " of two"
        groups.setdefault(kind, []).append(path)
    return [read_labels(*paths) for paths in groups.values()]


def people_scores(folder: Path, labels: Iterable[Labels]) -> list[ScoreRow]:
    """Return the given scores, and those from labels."""
    files = _files(folder / "given")
    rows = list(Scores.read(*files)) if files else []
    for group in labels:
        if isinstance(group, SentenceLabels):
            rows += human_scores(group)
        elif isinstance(group, Ratings):
            # Ratings of precision and recall differ from those computed from labels.
            names = {f"human-{side}": f"rating-{side}" for side in ("precision", "recall")}
            rows += [
                row._replace(metric=names.get(row.metric, row.metric))
                for row in human_scores(group)
            ]
    return rows


def gold_of(metrics: Iterable[str], named: str | None) -> str | None:
    """Return the gold standard: the named metric, or the first of `GOLD` among the metrics.

    Raises:
        InputError: The named metric is missing.
    """
    known = list(metrics)
    if named:
        return resolve(named, known, "gold standard")
    return next((name for name in GOLD if name in known), None)


def grid_rows(
    folder: Path, material: Material, named: str | None, progress: Progress | None
) -> tuple[Rows, str]:
    """Run the hyper-parameter study of `edua-g` on the events with human scores."""
    rows = people_scores(folder, label_groups(folder))
    gold = gold_of(dict.fromkeys(row.metric for row in rows), named)
    if gold is None:
        raise InputError("a hyper-parameter study needs human scores: give labels or scores")
    tasks = []
    for id_, event in material.events.items():
        scores = {row.system: row.value for row in rows if (row.id, row.metric) == (id_, gold)}
        summaries = {
            system: outputs[id_]
            for system, outputs in material.outputs.items()
            if id_ in outputs and system in scores
        }
        if len(summaries) > 2 and any(map(str.strip, event.references)):
            tasks.append(GridTask(id_, event.references, summaries, scores))
    if not tasks:
        raise InputError("a hyper-parameter study needs an event with three systems' human scores")
    study = grid_study(tasks, progress=progress)
    points: Rows = [{**point._asdict(), "value": value} for point, value in study.values.items()]
    return points, f"GRID|builder:edua-g|match:wmin|gold:{gold}|topics:{len(tasks)}"


def _files(folder: Path) -> list[Path]:
    """Return the copied files without hidden parts of an interrupted copy."""
    return sorted(path for path in folder.iterdir() if not path.name.startswith("."))


def mean(values: Sequence[float]) -> float:
    """Return the mean, the same in any order."""
    return fsum(values) / len(values)
