"""The marks of a class as a histogram."""

from collections.abc import Mapping
from typing import Final

from commonground.report.page import render

_WIDTH: Final = 40


def histogram_text(counts: Mapping[str, int]) -> list[str]:
    """Return a line with a bar for each mark; a bar is never wider than 40 characters.

    Example:
        >>> histogram_text({"A": 2, "B": 0})
        ['A  ██ 2', 'B   0']
    """
    wide = max(map(len, counts))
    most = max(counts.values())
    scale = min(1, _WIDTH / most) if most else 1
    return [
        f"{mark:<{wide}}  {'█' * max(round(count * scale), bool(count))} {count}"
        for mark, count in counts.items()
    ]


def histogram_html(counts: Mapping[str, int]) -> str:
    """Return a table with a bar for each mark."""
    return render("histogram.html", counts=counts, most=max([1, *counts.values()]))
