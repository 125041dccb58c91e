"""Plots of studies, from plain values to PNG or SVG files (by the name's ending).

They need matplotlib, which the extra [plots] brings. Figures are drawn without a display and hold
no date, so that the same values give the same file.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from commonground.errors import MissingExtraError
from commonground.report.tables import shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Readable with any kind of colour vision, on paper too.
_BLUE: Final = "#2f6fb3"
_ORANGE: Final = "#d1701c"
_GREY: Final = "#8a8f99"
_SCALE: Final = "cividis"

_ROW: Final = 0.32  # inches a row of names


def plot_distributions(
    values: Mapping[str, Sequence[float]],
    path: str | Path,
    *,
    title: str,
    label: str,
    baselines: Mapping[str, float] | None = None,
) -> None:
    """How the scores of each system are spread over events: box, points and mean.

    Args:
        values: The scores by system, the first on top.
        path: Where the picture goes.
        title: Above the picture.
        label: Below the axis.
        baselines: Values drawn as lines across all systems, by name.
    """
    figure, axes = _figure(len(values))
    names = list(values)[::-1]
    rows = [list(values[name]) for name in names]
    axes.boxplot(
        rows,
        orientation="horizontal",
        widths=0.55,
        showmeans=True,
        meanprops={"marker": "D", "markerfacecolor": _ORANGE, "markeredgecolor": _ORANGE},
        medianprops={"color": _BLUE},
        flierprops={"marker": ".", "markeredgecolor": _GREY},
    )
    axes.set_yticks(range(1, len(names) + 1), names)
    for number, (name, value) in enumerate((baselines or {}).items()):
        style = ("--", ":", "-.")[number % 3]
        axes.axvline(value, color=_ORANGE, linestyle=style, linewidth=1, label=name)
    if baselines:
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize="small", frameon=False)
    _finish(figure, axes, path, title, label)


def plot_intervals(
    rows: Sequence[tuple[str, float, float | None, float | None]],
    path: str | Path,
    *,
    title: str,
    label: str,
) -> None:
    """Values with their intervals, one below the other: (name, value, low, high)."""
    figure, axes = _figure(len(rows))
    for place, (_, value, low, high) in enumerate(reversed(rows)):
        if low is not None and high is not None:
            axes.plot([low, high], [place, place], color=_BLUE, linewidth=2, solid_capstyle="butt")
        axes.plot([value], [place], marker="o", color=_BLUE, markersize=6)
    axes.axvline(0, color=_GREY, linewidth=0.8)
    axes.set_yticks(range(len(rows)), [name for name, *_ in reversed(rows)])
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.set_xlim(right=1.02)
    _finish(figure, axes, path, title, label)


def plot_heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float | None]],
    path: str | Path,
    *,
    title: str,
    label: str,
) -> None:
    """A matrix as colours with the numbers in them; None is left blank."""
    figure, axes = _figure(len(rows), width=max(8, 1.8 + 0.85 * len(columns)))
    numbers = [[float("nan") if cell is None else cell for cell in row] for row in values]
    image = axes.imshow(numbers, cmap=_SCALE, aspect="auto")
    there = [cell for row in values for cell in row if cell is not None]
    middle = (min(there) + max(there)) / 2 if there else 0.0
    for y, row in enumerate(values):
        for x, cell in enumerate(row):
            if cell is not None:
                colour = "white" if cell < middle else "black"  # the scale starts dark
                axes.text(x, y, shown(cell, 2), ha="center", va="center", color=colour)
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(length=0)
    figure.colorbar(image, ax=axes, shrink=0.9).set_label(label)
    axes.grid(visible=False)
    _finish(figure, axes, path, title, "")


def plot_pyramids(
    counts: Mapping[str, Mapping[int, float]], path: str | Path, *, title: str
) -> None:
    """Units by weight: for each way to build them a pyramid of centred bars."""
    weights = sorted({weight for one in counts.values() for weight in one})
    widest = max((value for one in counts.values() for value in one.values()), default=1)
    figure, several = _figures(len(counts), rows=len(weights))
    for axes, (name, one) in zip(several, counts.items(), strict=True):
        for weight in weights:
            value = one.get(weight, 0)
            axes.barh(weight, value, left=-value / 2, height=0.8, color=_BLUE)
            inside = value > 0.25 * widest or value == 0
            axes.text(
                0 if inside else value / 2 + 0.03 * widest,
                weight,
                f"{value:.3g}",
                ha="center" if inside else "left",
                va="center",
                color="white" if inside and value else "black",
            )
        axes.set_xlim(-0.62 * widest, 0.62 * widest)
        axes.set_title(name, fontsize="medium")
        axes.set_yticks(weights)
        axes.set_xticks([])
        axes.grid(visible=False)
        axes.spines[["top", "right", "bottom"]].set_visible(False)
    several[0].set_ylabel("weight")
    figure.suptitle(title)
    _save(figure, path)


def plot_contour(
    x: Sequence[float],
    y: Sequence[float],
    values: Sequence[Sequence[float]],
    path: str | Path,
    *,
    title: str,
    names: tuple[str, str],
    label: str,
) -> None:
    """A surface over two parameters as filled contours: a row of `values` for each `y`."""
    figure, axes = _figure(12, width=7)
    surface = axes.contourf(x, y, values, levels=12, cmap=_SCALE)
    points = [(a, b) for b in y for a in x]
    axes.plot(*zip(*points, strict=True), ".", color="white", markersize=2)
    figure.colorbar(surface, ax=axes).set_label(label)
    axes.set_ylabel(names[1])
    axes.grid(visible=False)
    _finish(figure, axes, path, title, names[0])


def _pyplot() -> Any:
    try:
        import matplotlib
        import matplotlib.figure
    except ImportError:
        raise MissingExtraError("a plot", "plots") from None
    return matplotlib


def _figure(rows: int, width: float = 8) -> tuple["Figure", "Axes"]:
    # No pyplot: it would keep figures and look for a display.
    figure = _pyplot().figure.Figure(figsize=(width, 1.3 + _ROW * max(rows, 3)), layout="tight")
    return figure, figure.subplots()


def _figures(count: int, rows: int) -> tuple["Figure", list["Axes"]]:
    size = (2.6 * count + 0.8, 1.6 + 0.45 * max(rows, 3))
    figure = _pyplot().figure.Figure(figsize=size, layout="tight")
    return figure, list(figure.subplots(1, count, sharey=True, squeeze=False)[0])


def _finish(figure: "Figure", axes: "Axes", path: str | Path, title: str, label: str) -> None:
    axes.set_title(title, loc="left")
    if label:
        axes.set_xlabel(label)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_axisbelow(True)
    _save(figure, path)


def _save(figure: "Figure", path: str | Path) -> None:
    date = {"Date": None} if Path(path).suffix == ".svg" else {"Software": None}
    with _pyplot().rc_context({"svg.hashsalt": "commonground"}):
        figure.savefig(path, dpi=150, metadata=date)
