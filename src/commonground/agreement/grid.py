"""Which parameters of the pyramid builder matter: a grid, one-way ANOVA and a contour."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from commonground.agreement.correlations import Method, correlation
from commonground.agreement.estimate import mean_of
from commonground.encoders import Encoder
from commonground.errors import InputError, unknown_name
from commonground.pyramid import GridPoint, Pyramid, pyramid_grid

Progress = Callable[[int, int], None]

ALPHAS: Final = (10.0, 20.0, 30.0, 40.0, 50.0)
BETAS: Final = (1.0, 1.5, 2.0, 2.5, 3.0)
PERCENTILES: Final = tuple(float(value) for value in np.linspace(60, 87, 12).round(2))
QUANTITIES: Final = ("raw", "quality", "coverage", "comprehensive")


@dataclass(frozen=True, slots=True)
class GridTask:
    """One topic: its references, systems' summaries, and the gold standard's score of each."""

    id: str
    references: Sequence[str]
    summaries: Mapping[str, str]
    gold: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Anova:
    """A one-way analysis of variance: does the parameter move the value?

    `f` and `p` are None where the values do not vary within any level.
    """

    parameter: str
    df: int
    df_error: int
    f: float | None
    p: float | None

    def to_dict(self) -> dict[str, Any]:
        """All fields by name, unrounded."""
        return {
            "parameter": self.parameter,
            "df": self.df,
            "df_error": self.df_error,
            "f": self.f,
            "p": self.p,
        }


@dataclass(frozen=True, slots=True)
class GridStudy:
    """The correlation with the gold standard at every point of the grid.

    Attributes:
        values: None where no topic has a correlation.
        anova: For each parameter that has two levels at least.
    """

    values: Mapping[GridPoint, float | None]
    anova: tuple[Anova, ...]

    @property
    def best(self) -> GridPoint | None:
        """The point of the highest value; of equals the first by alpha, beta, percentile."""
        there = [(-value, point) for point, value in self.values.items() if value is not None]
        return min(there)[1] if there else None

    def contour(self, x: str = "beta", y: str = "percentile") -> dict[str, Any]:
        """The data of a contour plot: the mean value over all other parameters.

        Returns:
            `x` and `y` (the levels), `z` (rows are levels of y), `x_label` and `y_label`.
        """
        for name in (x, y):
            if name not in GridPoint._fields:
                raise unknown_name("parameter", name, GridPoint._fields)
        levels = {name: sorted({getattr(point, name) for point in self.values}) for name in (x, y)}
        z = [
            [
                mean_of(
                    [
                        value
                        for point, value in self.values.items()
                        if (getattr(point, x), getattr(point, y)) == (across, up)
                    ]
                )
                for across in levels[x]
            ]
            for up in levels[y]
        ]
        return {"x": levels[x], "y": levels[y], "z": z, "x_label": x, "y_label": y}

    def to_dict(self) -> dict[str, Any]:
        """All of it, unrounded."""
        return {
            "points": [{**point._asdict(), "value": value} for point, value in self.values.items()],
            "best": self.best._asdict() if self.best else None,
            "anova": [one.to_dict() for one in self.anova],
            "contour": self.contour(),
        }


def one_way_anova(values: ArrayLike, levels: ArrayLike, parameter: str = "") -> Anova:
    """Whether values differ between the levels of a parameter.

    Example:
        >>> one_way_anova([1, 2, 3, 4], [0, 0, 1, 1]).f
        8.0
    """
    given, marks = np.asarray(values, dtype=float), np.asarray(levels)
    there = ~np.isnan(given)
    given, marks = given[there], marks[there]
    groups = [given[marks == level] for level in np.unique(marks)]
    df, df_error = len(groups) - 1, len(given) - len(groups)
    if df < 1 or df_error < 1:
        raise InputError(
            f"an analysis of variance needs two levels and more values than levels, "
            f"not {len(groups)} levels and {len(given)} values"
        )
    if all(np.ptp(group) == 0 for group in groups):
        return Anova(parameter, df, df_error, None, None)
    found = stats.f_oneway(*groups)
    return Anova(parameter, df, df_error, float(found.statistic), float(found.pvalue))


def grid_study(
    tasks: Sequence[GridTask],
    *,
    alphas: Sequence[float] = ALPHAS,
    betas: Sequence[float] = BETAS,
    percentiles: Sequence[float] = PERCENTILES,
    quantity: str = "raw",
    method: Method = "pearson",
    encoder: str | Encoder | None = None,
    preset: str | None = None,
    progress: Progress | None = None,
) -> GridStudy:
    """Build the pyramids of a grid with `edua-g`, score summaries with `wmin`, and correlate.

    The value of a point is the correlation with the gold standard over a topic's systems, averaged
    over topics. The grid of the paper is the default: 5 x 5 x 12 points.

    Args:
        tasks: The topics.
        alphas: Scales of the capacities beyond the number of segments.
        betas: How fast capacities fall with the weight.
        percentiles: Edge thresholds.
        quantity: Which score: `raw`, `quality`, `coverage` or `comprehensive`.
        method: `pearson`, `spearman` or `kendall`.
        encoder: For segments; that of the preset or `minilm` by default.
        preset: `pyreval` for the paper's way to read texts.
        progress: Called with the points done and all, over all topics.
    """
    if quantity not in QUANTITIES:
        raise unknown_name("score", quantity, QUANTITIES)
    if not tasks or not alphas or not betas or not percentiles:
        raise InputError("a grid needs a topic and a level of each parameter")
    every = len(tasks) * len(alphas) * len(betas) * len(percentiles)
    found: dict[GridPoint, list[float | None]] = {}
    done = 0
    for task in tasks:
        # Parameters often do not matter, so most pyramids come more than once.
        known: dict[object, float | None] = {}
        for point, pyramid in pyramid_grid(
            task.references, alphas, betas, percentiles, encoder=encoder, preset=preset
        ):
            if pyramid.units not in known:
                known[pyramid.units] = _value(task, pyramid, quantity, method, encoder)
            found.setdefault(point, []).append(known[pyramid.units])
            done += 1
            if progress:
                progress(done, every)
    values = {point: mean_of(some) for point, some in sorted(found.items())}
    return GridStudy(values, _analyses(values))


def _value(
    task: GridTask, pyramid: Pyramid, quantity: str, method: Method, encoder: str | Encoder | None
) -> float | None:
    scorer = pyramid.scorer("wmin", encoder)
    systems = sorted(task.summaries.keys() & task.gold.keys())
    ours = [getattr(scorer.score(task.summaries[system]), quantity) for system in systems]
    return correlation(ours, [task.gold[system] for system in systems], method).value


def _analyses(values: Mapping[GridPoint, float | None]) -> tuple[Anova, ...]:
    points = [point for point, value in values.items() if value is not None]
    given = [value for value in values.values() if value is not None]
    found = []
    for parameter in GridPoint._fields:
        levels = [getattr(point, parameter) for point in points]
        if 1 < len(set(levels)) < len(levels):
            found.append(one_way_anova(given, levels, parameter))
    return tuple(found)
