"""Leaderboards over several runs."""

import math
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
    """Return the systems of all runs, best first by the first metric.

    Means on different data sets (by sha256) or with different signatures cannot be compared, so
    both give a warning.
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
    sign = -1 if all(study.higher_is_better(chosen[0]) for study in studies) else 1
    worst = {"mean": math.inf * sign}
    rows.sort(key=lambda r: (sign * r["scores"].get(chosen[0], worst)["mean"], r["system"]))
    signatures = dict.fromkeys(line for study in studies for line in _signatures(study).values())
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
    """Write the page, and return its content."""
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
        {"system": system, "run": study.title, "data": study.data_sha256[:12], "scores": by_metric}
        for system, by_metric in scores.items()
    ]


def _data(studies: Sequence[Study]) -> dict[str, dict[str, Any]]:
    data: dict[str, dict[str, Any]] = {}
    for study in studies:
        key = study.data_sha256[:12]
        name = f"{study.data_name} ({len(study.events)} events, {key[:6]})"
        data.setdefault(key, {"name": name, "events": len(study.events)})
    return data


def _warnings(studies: Sequence[Study], data: dict[str, dict[str, Any]]) -> list[str]:
    warnings = []
    if len(data) > 1:
        warnings.append("The runs are on different data sets; compare within a data set alone.")
    by_metric: dict[str, set[str]] = {}
    for study in studies:
        for name, line in _signatures(study).items():
            by_metric.setdefault(name.removeprefix("scores/"), set()).add(line)
    return warnings + [
        f"{metric}: the runs measured it in different ways (signatures below)."
        for metric, lines in sorted(by_metric.items())
        if len(lines) > 1
    ]


def _signatures(study: Study) -> dict[str, str]:
    """Return the signatures of scores against all references together."""
    return {
        name: line
        for name, line in study.signatures.items()
        if name.startswith("scores/") and not name.endswith(".references")
    }
