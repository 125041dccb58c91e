"""People's judgements in a run folder: labels, scores that were given, and which is the gold."""

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

# Where no gold standard is named, the first of these that there is.
GOLD: Final = ("human-raw", "human-f1", "human-score")


def label_groups(folder: Path) -> list[Labels]:
    """Label files of one kind read together, since each annotator may have a file."""
    groups: dict[str, list[Path]] = {}
    for path in _files(folder / "labels"):
        found = read_labels(path)
        kind = type(found).__name__
        if isinstance(found, Ratings):
            kind += " of one" if "score" in found.values else " of two"
        groups.setdefault(kind, []).append(path)
    return [read_labels(*paths) for paths in groups.values()]


def people_scores(folder: Path, labels: Iterable[Labels]) -> list[ScoreRow]:
    """The scores that were given, and those that follow from labels."""
    given = _files(folder / "given")
    rows = list(Scores.read(*given)) if given else []
    for one in labels:
        if isinstance(one, SentenceLabels):
            rows += list(human_scores(one))
        elif isinstance(one, Ratings):
            # Ratings of precision and recall must not pass for those from labels.
            rows += [row._replace(metric=_renamed(row.metric)) for row in human_scores(one)]
    return rows


def gold_of(metrics: Iterable[str], named: str | None) -> str | None:
    """The metric that stands for people's judgement: the one that was named, or the first known.

    Raises:
        InputError: The one that was named is not there.
    """
    there = list(metrics)
    if named and named not in there:
        raise unknown_name("gold standard", named, there)
    return named or next((name for name in GOLD if name in there), None)


def grid_rows(
    folder: Path, material: Material, named: str | None, progress: Progress | None
) -> tuple[Rows, str]:
    """The hyper-parameter study of `edua-g` on the events that people judged."""
    rows = people_scores(folder, label_groups(folder))
    gold = gold_of(dict.fromkeys(row.metric for row in rows), named)
    if gold is None:
        raise InputError("a hyper-parameter study needs human scores: give labels or scores")
    tasks = []
    for id_, event in material.events.items():
        scores = {row.system: row.value for row in rows if (row.id, row.metric) == (id_, gold)}
        summaries = {
            system: mine[id_]
            for system, mine in material.outputs.items()
            if id_ in mine and system in scores
        }
        if len(summaries) > 2 and any(map(str.strip, event.references)):
            tasks.append(GridTask(id_, event.references, summaries, scores))
    if not tasks:
        raise InputError("a hyper-parameter study needs an event with three systems' human scores")
    study = grid_study(tasks, progress=progress)
    found: Rows = [{**point._asdict(), "value": value} for point, value in study.values.items()]
    return found, f"GRID|builder:edua-g|match:wmin|gold:{gold}|topics:{len(tasks)}"


def _files(folder: Path) -> list[Path]:
    """What was copied there; a run that was killed may leave a hidden half behind."""
    return sorted(path for path in folder.iterdir() if not path.name.startswith("."))


def _renamed(metric: str) -> str:
    return metric if metric == "human-score" else metric.replace("human-", "rating-")
