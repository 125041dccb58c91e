"""The papers' own figures, to stand beside ours."""

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def papers() -> dict[str, Any]:
    """All figures, by table; each table says where it is printed."""
    text = files("commonground.benchmark").joinpath("data/papers.json").read_text("utf-8")
    return dict(json.loads(text))


def source(table: str) -> str:
    """Where the papers print a table.

    Example:
        >>> source("wilcoxon")
        'table 4 of 002'
    """
    return str(papers()[table]["source"])


def slashed(values: dict[str, float], digits: int = 2) -> str:
    """Several encoders' figures in one cell.

    Example:
        >>> slashed({"P-v1": 0.65, "STSB": 0.67})
        '.65/.67'
    """
    return "/".join(f"{value:.{digits}f}".removeprefix("0") for value in values.values())
