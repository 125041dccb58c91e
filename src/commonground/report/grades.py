"""Points as they are shown, and the marks of a class as a histogram."""

from collections.abc import Mapping, Sequence
from math import floor, fsum
from typing import Final

from commonground.report.page import render

_WIDTH: Final = 40


def shown_points(points: Sequence[float]) -> list[float]:
    """Round points to tenths that add up to the rounded sum, by the largest remainders.

    Example:
        >>> shown_points([1.25, 1.25, 0.0])
        [1.3, 1.2, 0.0]
    """
    tenths = [round(10 * value, 6) for value in points]
    shown = [floor(value) for value in tenths]
    left = round(10 * float(f"{fsum(points):.1f}")) - sum(shown)
    by_remainder = sorted(range(len(shown)), key=lambda index: shown[index] - tenths[index])
    for index in by_remainder[: max(left, 0)]:
        shown[index] += 1
    return [value / 10 for value in shown]


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
