"""The plots of a run, as far as its data allow."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from commonground.benchmark.measure import mean
from commonground.benchmark.study import Study
from commonground.benchmark.tables.people import correlations, machine_agreements
from commonground.benchmark.tables.pyramid import unit_counts
from commonground.benchmark.tables.scores import AbsentError, reference_agreements
from commonground.report import (
    plot_contour,
    plot_distributions,
    plot_heat_map,
    plot_intervals,
    plot_pyramids,
)

Draw = Callable[[Study, Path], dict[str, Path]]


def make_plots(study: Study, folder: str | Path) -> dict[str, Path]:
    """Draw the plots that the data allow; return the files by title.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    drawn: dict[str, Path] = {}
    for draw in _ALL:
        try:
            drawn |= draw(study, folder)
        except AbsentError:
            continue  # the tables say why
    return drawn


def _distributions(study: Study, folder: Path) -> dict[str, Path]:
    found = {}
    for encoder in study.config.encoders:
        metric = f"sem-f1.{encoder}"
        if metric not in study.metrics:
            continue
        chance: dict[str, list[float]] = {}
        for row in study.baselines:
            if row["encoder"] == encoder:
                chance.setdefault(row["kind"].replace("-", " "), []).append(row["mean"]["f1"])
        title = f"SEM-F1 over events ({encoder})"
        path = folder / f"distribution-{Path(encoder).name}.png"
        values = study.values(metric)
        baselines = {kind: mean(numbers) for kind, numbers in chance.items()}
        plot_distributions(values, path, title=title, label="SEM-F1", baselines=baselines)
        found[title] = path
    if "rouge1" in study.metrics:
        title, path = "ROUGE-1 over events", folder / "distribution-rouge1.png"
        plot_distributions(study.values("rouge1"), path, title=title, label="ROUGE-1 F1")
        found[title] = path
    return found


def _correlations(study: Study, folder: Path) -> dict[str, Path]:
    if study.gold is None:
        raise AbsentError
    rows = []
    for name, (pooled, *_) in correlations(study, study.gold).items():
        if pooled.value is not None:
            reach = pooled.interval
            low, high = (reach.low, reach.high) if reach else (None, None)
            rows.append((name, pooled.value, low, high))
    rows.sort(key=lambda row: (-row[1], row[0]))
    path = folder / "correlation.png"
    title = f"Correlation with {study.gold}"
    label = "Pearson's r over all summaries, 95% interval"
    plot_intervals(rows, path, title=title, label=label)
    return {title: path}


def _references(study: Study, folder: Path) -> dict[str, Path]:
    found = reference_agreements(study)
    if not found:
        raise AbsentError
    pairs = dict.fromkeys(
        f"{pair.first}-{pair.second}" for one in found.values() for pair in one.pairs
    )
    means = [{f"{p.first}-{p.second}": p.mean for p in one.pairs} for one in found.values()]
    values = [
        [*map(by_pair.get, pairs), one.mean]
        for by_pair, one in zip(means, found.values(), strict=True)
    ]
    path, title = folder / "references.png", "Correlation between references, mean of systems"
    columns = [*pairs, "average"]
    plot_heat_map(list(found), columns, values, path, title=title, label="Pearson's r")
    return {title: path}


def _thresholds(study: Study, folder: Path) -> dict[str, Path]:
    found = machine_agreements(study)
    columns = list(dict.fromkeys(one.thresholds for one in found))
    rows = list(dict.fromkeys((one.encoder, one.side) for one in found))
    drawn = {}
    for name, label in (("reward", "mean reward"), ("tau", "Kendall's τ")):
        cells = {
            (one.encoder, one.side, one.thresholds): getattr(one, f"mean_{name}") for one in found
        }
        values = [[cells.get((*row, column)) for column in columns] for row in rows]
        title = f"SEM-F1's labels and people's: {label}"
        path = folder / f"thresholds-{name}.png"
        names = [", ".join(row) for row in rows]
        plot_heat_map(names, columns, values, path, title=title, label=label)
        drawn[title] = path
    return drawn


def _pyramids(study: Study, folder: Path) -> dict[str, Path]:
    if not study.pyramids:
        raise AbsentError
    counts = {
        name: {weight: count / len(some) for weight, count in unit_counts(some).items()}
        for name, some in study.pyramids.items()
    }
    path, title = folder / "pyramids.png", "Content units by weight, means over events"
    plot_pyramids(counts, path, title=title)
    return {title: path}


def _contour(study: Study, folder: Path) -> dict[str, Path]:
    if study.grid is None:
        raise AbsentError
    surface = study.grid.contour()
    # Contours need numbers everywhere and two levels of both parameters.
    if (
        any(cell is None for row in surface["z"] for cell in row)
        or min(len(surface["x"]), len(surface["y"])) < 2
    ):
        raise AbsentError
    path, title = folder / "contour.png", "Correlation with people over the parameters of edua-g"
    plot_contour(
        surface["x"],
        surface["y"],
        surface["z"],
        path,
        title=title,
        names=(surface["x_label"], f"{surface['y_label']} of similarities"),
        label="Pearson's r, mean over topics",
    )
    return {title: path}


_ALL: Final[tuple[Draw, ...]] = (
    _distributions,
    _correlations,
    _references,
    _thresholds,
    _pyramids,
    _contour,
)
