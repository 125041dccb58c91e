"""Systems ranked: by several metrics of one run with significance, or over several runs."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from string import ascii_lowercase
from typing import Any, Final

from commonground.agreement import Correction, Scores, compare_systems, resolve
from commonground.benchmark.measure import mean
from commonground.benchmark.study import Study, interval_of
from commonground.citation import bibtex
from commonground.errors import InputError, check_known
from commonground.frames import HasRows
from commonground.io import whole_file
from commonground.metrics import registry
from commonground.plain import Plain, to_plain
from commonground.report import leaderboard_page, tables_page, to_html, to_latex, to_markdown

SIGNIFICANCE: Final = 0.05
_LETTERS: Final = ascii_lowercase


@dataclass(frozen=True, slots=True)
class Standing(Plain):
    """One system by one metric: its mean over `items` inputs, and what it significantly beats.

    Rank 1 is the best; equal means share a rank.
    """

    mean: float
    rank: int
    beats: tuple[str, ...]
    items: int


@dataclass(frozen=True, slots=True, repr=False)
class Report(HasRows):
    """Systems compared by metrics; `print(report)` shows it.

    `standings` are by system, best first by the first metric, then by metric.

    Example:
        >>> scores = Scores.of(
        ...     (str(n), system, "f1", value + n / 100)
        ...     for n in range(8) for system, value in (("lead", 0.3), ("ours", 0.5 + n / 50))
        ... )
        >>> for line in str(Report.compare(scores)).splitlines()[:4]:
        ...     print(line)
        |     | system |          f1 |
        | :-- | :----- | ----------: |
        | a   | ours   | 0.605 (1) b |
        | b   | lead   |   0.335 (2) |
    """

    standings: Mapping[str, Mapping[str, Standing]]
    significance: float
    correction: str

    @classmethod
    def compare(
        cls,
        scores: Scores | Study | str | Path,
        systems: Sequence[str] = (),
        metrics: Sequence[str] = (),
        *,
        significance: float = SIGNIFICANCE,
        correction: Correction = "holm",
    ) -> "Report":
        """Compare systems pair by pair, on the inputs that both have; the first metric sorts them.

        `scores` may be the folder of a run. The p-values of each metric are corrected over pairs.

        Raises:
            InputError: An unknown system or metric, or fewer than two systems.
        """
        lower: set[str] = set()
        if not isinstance(scores, Scores):
            study = scores if isinstance(scores, Study) else Study(scores)
            scores = study.scores
            lower = {name for name in scores.metrics if not study.higher_is_better(name)}
        chosen = list(dict.fromkeys(map(scores.resolve, metrics))) or list(scores.others())
        scores = _selected(scores, systems, chosen)
        columns = {
            metric: _standings(scores, metric, significance, correction, metric in lower)
            for metric in chosen
        }
        every = {system for column in columns.values() for system in column}
        ranks = {system: standing.rank for system, standing in columns[chosen[0]].items()}
        order = sorted(every, key=lambda system: (ranks.get(system, 1e9), system))
        return cls(
            {
                system: {
                    metric: column[system] for metric, column in columns.items() if system in column
                }
                for system in order
            },
            significance,
            correction,
        )

    def table(self) -> dict[str, Any]:
        """Return a table; a cell is the mean, the rank and the marks."""
        systems = list(self.standings)
        lettered = len(systems) <= len(_LETTERS)
        marks = dict(zip(systems, _LETTERS if lettered else map(str, count(1)), strict=False))
        metrics = list(dict.fromkeys(m for standings in self.standings.values() for m in standings))

        def cell(standing: Standing | None) -> str:
            if standing is None:
                return "–"
            better = "".join(sorted(marks[name] for name in standing.beats))
            mark = better if lettered else f"> {len(standing.beats)}" if standing.beats else ""
            return f"{standing.mean:.3f} ({standing.rank}) {mark}".rstrip()

        rows = [
            [marks[system], system, *(cell(standings.get(metric)) for metric in metrics)]
            for system, standings in self.standings.items()
        ]
        what = "letters: the systems that this one beats" if lettered else "> n: it beats n systems"
        return {
            "title": "",
            "columns": ["", "system", *metrics],
            "rows": rows,
            "notes": [
                f"Mean (rank); {what} by Wilcoxon's signed-rank test at {self.significance:g}, "
                f"correction: {self.correction}."
            ],
        }

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, unrounded."""
        return {
            "significance": self.significance,
            "correction": self.correction,
            "systems": to_plain(self.standings),
        }

    def to_markdown(self) -> str:
        """Return the table as Markdown."""
        return to_markdown(self.table())

    def to_latex(self, caption: str = "Comparison of systems", label: str | None = None) -> str:
        """Return the table as a LaTeX float (packages booktabs, amssymb)."""
        return to_latex({**self.table(), "title": caption}, label=label)

    def to_html(self, path: str | Path | None = None, title: str = "Comparison of systems") -> str:
        """Return the table as HTML; with a path, also write a whole page there."""
        if path is not None:
            with whole_file(Path(path)) as stream:
                stream.write(tables_page(title, [self.table()]))
        return to_html(self.table())

    def cite(self) -> str:
        """Return BibTeX entries for the metrics that are compared, and for this software."""
        columns = dict.fromkeys(name for row in self.standings.values() for name in row)
        owners = [registry.owner(column, registry.names()) for column in columns]
        return bibtex(*(name.upper() for name in owners if name))

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return a row for each system and metric: mean, rank, beats, items."""
        return [
            {"system": system, "metric": metric, **standing.to_dict()}
            for system, standings in self.standings.items()
            for metric, standing in standings.items()
        ]

    def __repr__(self) -> str:
        return self.to_markdown()

    def _repr_html_(self) -> str:
        return self.to_html()


def _selected(scores: Scores, systems: Sequence[str], metrics: Sequence[str]) -> Scores:
    known = list(dict.fromkeys(row.system for row in scores))
    check_known("system", known, *systems)
    wanted = set(systems) or set(known)
    if len(wanted) < 2:
        raise InputError(f"a comparison needs two systems, not {len(wanted)}")
    rows = (row for row in scores if row.system in wanted and not row.reference)
    return Scores(tuple(row for row in rows if row.metric in metrics))


def _standings(
    scores: Scores, metric: str, significance: float, correction: Correction, lower: bool
) -> dict[str, Standing]:
    values: defaultdict[str, list[float]] = defaultdict(list)
    for row in scores:
        if row.metric == metric:
            values[row.system].append(row.value)
    means = {system: mean(numbers) for system, numbers in values.items()}
    beats: dict[str, list[str]] = {system: [] for system in values}
    sign = -1 if lower else 1
    if len(values) > 1:
        for pair in compare_systems(
            scores, metric, significance=significance, correction=correction
        ):
            if pair.outcome:
                names = (pair.first, pair.second)[:: pair.outcome * sign]
                beats[names[0]].append(names[1])
    return {
        system: Standing(
            value,
            1 + sum(sign * other > sign * value for other in means.values()),
            tuple(sorted(beats[system])),
            len(values[system]),
        )
        for system, value in means.items()
    }


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
    main = list(dict.fromkeys(name for study in studies for name in study.metrics))
    known = dict.fromkeys(name for study in studies for name in study.scores.metrics)
    chosen = [resolve(name, known) for name in metrics] or main
    data: dict[str, dict[str, Any]] = {}
    signatures: list[str] = []
    by_metric: dict[str, set[str]] = {}
    for study in studies:
        (file, sha256), events = study.data, len(study.events)
        name = f"{file} ({events} events, {sha256[:6]})"
        data.setdefault(sha256[:12], {"name": name, "events": events})
        for file, signature in study.signatures.items():
            if file.startswith("scores/") and not file.endswith(".references"):
                signatures.append(signature)
                by_metric.setdefault(file.removeprefix("scores/"), set()).add(signature)
    warnings = [
        f"{metric}: the runs measured it in different ways (signatures below)."
        for metric, lines in sorted(by_metric.items())
        if len(lines) > 1
    ]
    if len(data) > 1:
        warnings.insert(0, "The runs are on different data sets; compare within a data set alone.")
    rows = [row for study in studies for row in _rows(study, chosen)]
    sign = -1 if all(study.higher_is_better(chosen[0]) for study in studies) else 1
    worst = {"mean": math.inf * sign}
    rows.sort(key=lambda r: (sign * r["scores"].get(chosen[0], worst)["mean"], r["system"]))
    return {
        "title": title,
        "metrics": chosen,
        "data": data,
        "rows": rows,
        "signatures": list(dict.fromkeys(signatures)),
        "warnings": warnings,
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
        if metric not in study.scores.metrics:
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
        {"system": system, "run": study.title, "data": study.data[1][:12], "scores": by_metric}
        for system, by_metric in scores.items()
    ]
