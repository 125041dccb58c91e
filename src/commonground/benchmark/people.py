"""Human judgements in a run folder: labels, given scores, and the gold standard."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

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
)
from commonground.benchmark.measure import Material, Progress, Rows
from commonground.errors import InputError, unknown_name

Labels = Ratings | SentenceLabels | Overlaps

# The default gold standard is the first of these that a run has.
GOLD: Final = ("human-raw", "human-f1", "human-score")


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
            rows += [row._replace(metric=_renamed(row.metric)) for row in human_scores(group)]
    return rows


def gold_of(metrics: Iterable[str], named: str | None) -> str | None:
    """Return the gold standard: the named metric, or the first of `GOLD` among the metrics.

    Raises:
        InputError: The named metric is missing.
    """
    known = list(metrics)
    if named and named not in known:
        raise unknown_name("gold standard", named, known)
    return named or next((name for name in GOLD if name in known), None)


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


def _renamed(metric: str) -> str:
    return metric if metric == "human-score" else metric.replace("human-", "rating-")
