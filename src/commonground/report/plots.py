"""Plots of studies as PNG or SVG files, by file extension; they need the extra [plots].

Figures need no display and contain no date, so the same values give the same file.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from commonground.errors import InputError, MissingExtraError
from commonground.report.tables import shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Safe for colour-blind readers and for print.
_BLUE: Final = "#2f6fb3"
_ORANGE: Final = "#d1701c"
_GREY: Final = "#8a8f99"
_SCALE: Final = "cividis"

_SUFFIXES: Final = (".png", ".svg")
_ROW: Final = 0.32  # inches per row


def check_plot(path: Path) -> None:
    """Raise an error before the work if a plot could not be saved under this name."""
    if path.suffix.lower() not in _SUFFIXES:
        raise InputError(f"{path}: the name of a plot must end in {' or '.join(_SUFFIXES)}")
    _matplotlib()


def plot_distributions(
    values: Mapping[str, Sequence[float]],
    path: str | Path,
    *,
    title: str,
    label: str,
    baselines: Mapping[str, float] | None = None,
) -> None:
    """Plot the distribution of each system's scores over events: box, outliers and mean.

    Args:
        values: The scores by system, the first on top.
        path: The output file.
        title: The title.
        label: The label of the x axis.
        baselines: Named values drawn as vertical lines.
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
    """Plot values with their intervals, one row each: (name, value, low, high)."""
    figure, axes = _figure(len(rows))
    for y, (_, value, low, high) in enumerate(reversed(rows)):
        if low is not None and high is not None:
            axes.plot([low, high], [y, y], color=_BLUE, linewidth=2, solid_capstyle="butt")
        axes.plot([value], [y], marker="o", color=_BLUE, markersize=6)
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
    limits: tuple[float, float] | None = None,
) -> None:
    """Plot a matrix as colours with the numbers in the cells; None stays blank.

    The colours span the `limits` (default: the lowest and the highest value).
    """
    figure, axes = _figure(len(rows), width=max(8, 1.8 + 0.85 * len(columns)))
    numbers = [[float("nan") if cell is None else cell for cell in row] for row in values]
    known = [cell for row in values for cell in row if cell is not None] or [0.0]
    low, high = limits or (min(known), max(known))
    image = axes.imshow(numbers, cmap=_SCALE, aspect="auto", vmin=low, vmax=high)
    middle = (low + high) / 2
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
    """Plot the number of units by weight, one pyramid of centred bars for each builder."""
    weights = sorted({weight for tiers in counts.values() for weight in tiers})
    widest = max((value for tiers in counts.values() for value in tiers.values()), default=1)
    size = (2.6 * len(counts) + 0.8, 1.6 + 0.45 * max(len(weights), 3))
    figure = _matplotlib().figure.Figure(figsize=size, layout="tight")
    panels: list[Axes] = list(figure.subplots(1, len(counts), sharey=True, squeeze=False)[0])
    for axes, (name, tiers) in zip(panels, counts.items(), strict=True):
        for weight in weights:
            value = tiers.get(weight, 0)
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
    panels[0].set_ylabel("weight")
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
    """Plot a surface over two parameters as filled contours; `values` has a row for each `y`."""
    figure, axes = _figure(12, width=7)
    surface = axes.contourf(x, y, values, levels=12, cmap=_SCALE)
    points = [(a, b) for b in y for a in x]
    axes.plot(*zip(*points, strict=True), ".", color="white", markersize=2)
    figure.colorbar(surface, ax=axes).set_label(label)
    axes.set_ylabel(names[1])
    axes.grid(visible=False)
    _finish(figure, axes, path, title, names[0])


def _matplotlib() -> Any:
    try:
        import matplotlib
        import matplotlib.figure
    except ImportError:
        raise MissingExtraError("a plot", "plots") from None
    return matplotlib


def _figure(rows: int, width: float = 8) -> tuple["Figure", "Axes"]:
    # Not pyplot, which keeps figures and looks for a display.
    figure = _matplotlib().figure.Figure(figsize=(width, 1.3 + _ROW * max(rows, 3)), layout="tight")
    return figure, figure.subplots()


def _finish(figure: "Figure", axes: "Axes", path: str | Path, title: str, label: str) -> None:
    axes.set_title(title, loc="left")
    if label:
        axes.set_xlabel(label)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_axisbelow(True)
    _save(figure, path)


def _save(figure: "Figure", path: str | Path) -> None:
    date = {"Date": None} if Path(path).suffix.lower() == ".svg" else {"Software": None}
    with _matplotlib().rc_context({"svg.hashsalt": "commonground"}):
        figure.savefig(path, dpi=150, metadata=date)
