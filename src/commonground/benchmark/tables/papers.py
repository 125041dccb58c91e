"""The figures that the papers report, and how tables show figures."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from commonground.benchmark.study import Study
from commonground.metrics import registry
from commonground.score import Interval

Table = dict[str, Any]


class AbsentError(Exception):
    """The run lacks the data for a table; the message says which."""


def gold_standard(study: Study) -> str:
    """Return the name of the gold standard.

    Raises:
        AbsentError: The run has none.
    """
    if study.gold is None:
        raise AbsentError("no human scores: give labels, or scores and --gold")
    return study.gold


@cache
def papers() -> dict[str, Any]:
    """Return all figures, by table; each table names its source."""
    text = files("commonground.benchmark").joinpath("data/papers.json").read_text("utf-8")
    return dict(json.loads(text))


def source(table: str) -> str:
    """Return where the papers print a table.

    Example:
        >>> source("wilcoxon")
        'table 4 of 002'
    """
    return str(papers()[table]["source"])


def slashed(values: Iterable[float]) -> str | None:
    """Format several encoders' figures in one cell; None if there are none.

    Example:
        >>> slashed([0.65, 0.67])
        '.65/.67'
    """
    return "/".join(f"{value:.2f}".removeprefix("0") for value in values) or None


def heading(column: str) -> str:
    """Return the name of a column of a metric for people to read.

    Example:
        >>> heading("rouge1"), heading("sem-f1.minilm")
        ('ROUGE-1', 'SEM-F1 (minilm)')
    """
    name = registry.owner(column, registry.names()) or ""
    rest = column.removeprefix(name)
    if not name or not rest:
        return column.upper() if name else column
    return f"{name.upper()} ({rest[1:]})" if rest.startswith(".") else f"{name.upper()}-{rest}"


def shown_interval(interval: Interval | None) -> str | None:
    """Format an interval for a cell.

    Example:
        >>> shown_interval(Interval(0.25, 0.5))
        '0.250–0.500'
    """
    return None if interval is None else f"{interval.low:.3f}–{interval.high:.3f}"


def shown_p(p: float | None) -> str | None:
    """Format a p-value for a cell.

    Example:
        >>> shown_p(0.0004), shown_p(0.0312)
        ('< .001', '.031')
    """
    if p is None:
        return None
    return "< .001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


def ours_first(ours: Mapping[str, Any], papers: Mapping[str, Any]) -> list[tuple[str, str | None]]:
    """Pair our systems with the paper's of the same name; the paper's other systems follow.

    Example:
        >>> ours_first({"bart": 1, "lead": 2}, {"BART": 3, "T5": 4})
        [('bart', 'BART'), ('lead', None), ('', 'T5')]
    """
    named = {name.lower(): name for name in papers}
    rows: list[tuple[str, str | None]] = [(name, named.get(name.lower())) for name in ours]
    used = {theirs for _, theirs in rows}
    return rows + [("", name) for name in papers if name not in used]
