"""The figures that the papers report."""

import json
from functools import cache
from importlib.resources import files
from typing import Any


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


def slashed(values: dict[str, float], digits: int = 2) -> str:
    """Format several encoders' figures in one cell.

    Example:
        >>> slashed({"P-v1": 0.65, "STSB": 0.67})
        '.65/.67'
    """
    return "/".join(f"{value:.{digits}f}".removeprefix("0") for value in values.values())
