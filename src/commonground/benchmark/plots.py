"""The plots of a run, as far as its data allow."""

from pathlib import Path

from commonground.benchmark.measure import file_name, mean
from commonground.benchmark.study import Study
from commonground.benchmark.tables.papers import AbsentError, heading
from commonground.benchmark.tables.people import correlations, machine_agreements
from commonground.benchmark.tables.pyramid import unit_counts
from commonground.benchmark.tables.scores import reference_agreements
from commonground.metrics import registry
from commonground.report import (
    plot_contour,
    plot_distributions,
    plot_heat_map,
    plot_intervals,
    plot_pyramids,
)


def make_plots(study: Study, folder: str | Path) -> dict[str, Path]:
    """Draw the plots that the data allow; return the files by title.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    drawn: dict[str, Path] = {}
    for draw in (_distributions, _correlations, _references, _thresholds, _pyramids, _contour):
        try:
            drawn |= draw(study, folder)
        except AbsentError:
            continue  # the tables say why
    return drawn


def _distributions(study: Study, folder: Path) -> dict[str, Path]:
    """Draw each metric's columns of encoders, or its first column."""
    drawn = {}
    for name in [name for name in registry.names() if name in study.config.metrics]:
        encoded = [f"{name}.{encoder}" for encoder in study.config.encoders]
        columns = [column for column in encoded if column in study.metrics]
        if not columns:
            columns = [column for column in study.metrics if registry.owner(column, [name])][:1]
        for column in columns:
            chance: dict[str, list[float]] = {}
            for row in study.baselines(column):
                chance.setdefault(row["kind"].replace("-", " "), []).append(row["mean"]["f1"])
            title = f"{heading(column)} over events"
            path = folder / f"distribution-{file_name(column)}.png"
            baselines = {kind: mean(numbers) for kind, numbers in chance.items()}
            values = study.values(column)
            plot_distributions(
                values, path, title=title, label=heading(column), baselines=baselines
            )
            drawn[title] = path
    return drawn


def _correlations(study: Study, folder: Path) -> dict[str, Path]:
    rows = []
    for name, (pooled, *_) in correlations(study).items():
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
    agreements = reference_agreements(study)
    rows = [
        {**{f"{pair.first}-{pair.second}": pair.mean for pair in a.pairs}, "average": a.mean}
        for a in agreements.values()
    ]
    columns = [*dict.fromkeys(name for row in rows for name in row if name != "average"), "average"]
    values = [[*map(row.get, columns)] for row in rows]
    path, title = folder / "references.png", "Correlation between references, mean of systems"
    plot_heat_map(list(agreements), columns, values, path, title=title, label="Pearson's r")
    return {title: path}


def _thresholds(study: Study, folder: Path) -> dict[str, Path]:
    results = machine_agreements(study)
    columns = list(dict.fromkeys(result.thresholds for result in results))
    rows = list(dict.fromkeys((result.encoder, result.side) for result in results))
    drawn = {}
    for name, label in (("reward", "mean reward"), ("tau", "Kendall's τ")):
        cells = {(r.encoder, r.side, r.thresholds): getattr(r, f"mean_{name}") for r in results}
        values = [[cells.get((*row, column)) for column in columns] for row in rows]
        title = f"{registry.labelling().upper()}'s labels and people's: {label}"
        path = folder / f"thresholds-{name}.png"
        names = [", ".join(row) for row in rows]
        plot_heat_map(names, columns, values, path, title=title, label=label)
        drawn[title] = path
    return drawn


def _pyramids(study: Study, folder: Path) -> dict[str, Path]:
    if not study.pyramids:
        raise AbsentError
    counts = {
        name: {weight: count / len(group) for weight, count in unit_counts(group).items()}
        for name, group in study.pyramids.items()
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
