"""What a leaderboard over several runs shows."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from commonground.benchmark.measure import mean
from commonground.benchmark.study import Study, interval_of
from commonground.errors import InputError
from commonground.io import whole_file
from commonground.report import leaderboard_page


def leaderboard(
    runs: Sequence[str | Path], metrics: Sequence[str] = (), title: str = "Leaderboard"
) -> dict[str, Any]:
    """The systems of all runs, best first by the first metric.

    Runs on the same data set are told by its sha256; means on different ones cannot be compared,
    and neither can those with different signatures, so both are said.

    Args:
        runs: Folders of runs.
        metrics: Which; by default all that any run has.
        title: The heading.
    """
    studies = [Study(run) for run in runs]
    if not studies:
        raise InputError("a leaderboard needs a run")
    known = list(dict.fromkeys(name for study in studies for name in study.metrics))
    chosen = list(metrics) or known
    for name in chosen:
        if name not in known:
            raise InputError(f"no run has the metric {name!r} (there are: {', '.join(known)})")
    data = _data(studies)
    rows = [row for study in studies for row in _rows(study, chosen)]
    rows.sort(key=lambda row: (-row["scores"].get(chosen[0], {"mean": -1})["mean"], row["system"]))
    signatures = dict.fromkeys(
        line
        for study in studies
        for name, line in study.signatures.items()
        if name.startswith("scores/") and not name.endswith(".references")
    )
    return {
        "title": title,
        "metrics": chosen,
        "data": data,
        "rows": rows,
        "signatures": list(signatures),
        "warnings": _warnings(studies, data),
    }


def write_leaderboard(
    path: str | Path,
    runs: Sequence[str | Path],
    metrics: Sequence[str] = (),
    title: str = "Leaderboard",
) -> dict[str, Any]:
    """Write the page; what it shows is returned."""
    board = leaderboard(runs, metrics, title)
    with whole_file(Path(path)) as stream:
        stream.write(leaderboard_page(board))
    return board


def _rows(study: Study, metrics: Sequence[str]) -> list[dict[str, Any]]:
    scores: dict[str, dict[str, Any]] = {system: {} for system in study.outputs}
    for metric in metrics:
        if metric not in study.metrics:
            continue
        for system, values in study.values(metric).items():
            interval = interval_of(values)
            scores.setdefault(system, {})[metric] = {
                "mean": mean(values),
                "low": interval.low,
                "high": interval.high,
                "items": len(values),
            }
    return [
        {"system": system, "run": study.title, "data": study.data_sha256[:12], "scores": found}
        for system, found in scores.items()
    ]


def _data(studies: Sequence[Study]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for study in studies:
        key = study.data_sha256[:12]
        name = f"{study.data_name} ({len(study.events)} events, {key[:6]})"
        found.setdefault(key, {"name": name, "events": len(study.events)})
    return found


def _warnings(studies: Sequence[Study], data: dict[str, dict[str, Any]]) -> list[str]:
    warnings = []
    if len(data) > 1:
        warnings.append("The runs are on different data sets; compare within a data set alone.")
    by_file: dict[str, set[str]] = {}
    for study in studies:
        for name, line in study.signatures.items():
            if name.startswith("scores/"):
                by_file.setdefault(name, set()).add(line)
    differing = sorted(name for name, lines in by_file.items() if len(lines) > 1)
    for name in differing:
        if not name.endswith(".references"):
            metric = name.removeprefix("scores/")
            warnings.append(f"{metric}: the runs measured it in different ways (signatures below).")
    return warnings
