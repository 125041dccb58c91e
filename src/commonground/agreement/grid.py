"""The parameters of the pyramid builder: a grid study, one-way ANOVA and a contour."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from commonground.agreement.coefficients import mean_of
from commonground.agreement.correlations import Method, correlation
from commonground.encoders import Encoder
from commonground.errors import InputError, check_known
from commonground.frames import HasRows
from commonground.metrics import PyramidMetric, column_value
from commonground.plain import Plain, to_plain
from commonground.pyramid import GridPoint, pyramid_grid
from commonground.score import Progress

ALPHAS: Final = (10.0, 20.0, 30.0, 40.0, 50.0)
BETAS: Final = (1.0, 1.5, 2.0, 2.5, 3.0)
PERCENTILES: Final = tuple(float(value) for value in np.linspace(60, 87, 12).round(2))


@dataclass(frozen=True, slots=True)
class GridTask:
    """One topic: its references, systems' summaries, and the gold standard's score of each."""

    id: str
    references: Sequence[str]
    summaries: Mapping[str, str]
    gold: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Anova(Plain):
    """A one-way analysis of variance of the value by a parameter.

    `f` and `p` are None if the values do not vary within any level.
    """

    parameter: str
    df: int
    df_error: int
    f: float | None
    p: float | None


@dataclass(frozen=True, slots=True)
class GridStudy(HasRows):
    """The correlation with the gold standard at every point, and an ANOVA by each parameter.

    A value is None if no topic has a correlation.
    """

    values: Mapping[GridPoint, float | None]
    anova: tuple[Anova, ...]

    @classmethod
    def of(cls, values: Mapping[GridPoint, float | None]) -> "GridStudy":
        """Analyse the values of a grid."""
        known = {point: value for point, value in values.items() if value is not None}
        levels = {name: [getattr(point, name) for point in known] for name in GridPoint._fields}
        return cls(
            values,
            tuple(
                one_way_anova(list(known.values()), marks, name)
                for name, marks in levels.items()
                if 1 < len(set(marks)) < len(marks)
            ),
        )

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return a row for each point: its parameters and the correlation."""
        return [{**point._asdict(), "value": value} for point, value in self.values.items()]

    @property
    def best(self) -> GridPoint | None:
        """The point of the highest value; on a tie the first by alpha, beta, percentile."""
        known = [(-value, point) for point, value in self.values.items() if value is not None]
        return min(known)[1] if known else None

    def contour(self) -> dict[str, Any]:
        """Return the data of a contour plot: the mean value by beta (x) and percentile (y).

        The rows of `z` are the levels of `y`.
        """
        cells: dict[tuple[float, float], list[float | None]] = {}
        for point, value in self.values.items():
            cells.setdefault((point.beta, point.percentile), []).append(value)
        x, y = sorted({beta for beta, _ in cells}), sorted({percentile for _, percentile in cells})
        z = [[mean_of(cells.get((beta, percentile), [])) for beta in x] for percentile in y]
        return {"x": x, "y": y, "z": z, "x_label": "beta", "y_label": "percentile"}

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, unrounded."""
        return {
            "points": [{**point._asdict(), "value": value} for point, value in self.values.items()],
            "best": self.best._asdict() if self.best else None,
            "anova": to_plain(self.anova),
            "contour": self.contour(),
        }


def one_way_anova(values: ArrayLike, levels: ArrayLike, parameter: str = "") -> Anova:
    """Test whether values differ between the levels of a parameter.

    Example:
        >>> one_way_anova([1, 2, 3, 4], [0, 0, 1, 1]).f
        8.0
    """
    numbers, marks = np.asarray(values, dtype=float), np.asarray(levels)
    known = ~np.isnan(numbers)
    numbers, marks = numbers[known], marks[known]
    groups = [numbers[marks == level] for level in np.unique(marks)]
    df, df_error = len(groups) - 1, len(numbers) - len(groups)
    if df < 1 or df_error < 1:
        raise InputError(
            f"an analysis of variance needs two levels and more values than levels, "
            f"not {len(groups)} levels and {len(numbers)} values"
        )
    if all(np.ptp(group) == 0 for group in groups):
        return Anova(parameter, df, df_error, None, None)
    test = stats.f_oneway(*groups)
    return Anova(parameter, df, df_error, float(test.statistic), float(test.pvalue))


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
        quantity: A column of the pyramid metric.
        method: The correlation.
        encoder: For segments (default: the preset's, or `minilm`).
        preset: `pyreval` reads texts as the paper does.
        progress: Called with the points done and in all.
    """
    check_known("score", PyramidMetric.columns, quantity)
    if not tasks or not alphas or not betas or not percentiles:
        raise InputError("a grid needs a topic and a level of each parameter")
    total = len(tasks) * len(alphas) * len(betas) * len(percentiles)
    by_topic: dict[GridPoint, list[float | None]] = {}
    done = 0
    for task in tasks:
        systems = sorted(task.summaries.keys() & task.gold.keys())
        gold = [task.gold[system] for system in systems]
        # Many points give the same pyramid.
        known: dict[object, float | None] = {}
        for point, pyramid in pyramid_grid(
            task.references, alphas, betas, percentiles, encoder=encoder, preset=preset
        ):
            if pyramid.units not in known:
                scorer = pyramid.scorer("wmin", encoder)
                results = [scorer.score(task.summaries[system]) for system in systems]
                values = [column_value(result, quantity) for result in results]
                known[pyramid.units] = correlation(values, gold, method).value
            by_topic.setdefault(point, []).append(known[pyramid.units])
            done += 1
            if progress:
                progress(done, total)
    return GridStudy.of({point: mean_of(values) for point, values in sorted(by_topic.items())})
