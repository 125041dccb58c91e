"""The hyper-parameter study: ANOVA against statsmodels, grids, contours."""

import numpy as np
import pandas as pd
import pytest
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from commonground.agreement import GridStudy, GridTask, grid_study, one_way_anova
from commonground.agreement.grid import ALPHAS, BETAS, PERCENTILES
from commonground.errors import InputError
from commonground.pyramid import GridPoint


def test_the_grid_is_that_of_the_paper():
    assert (len(ALPHAS), len(BETAS), len(PERCENTILES)) == (5, 5, 12)
    assert (ALPHAS[0], ALPHAS[-1], BETAS[0], BETAS[-1]) == (10, 50, 1, 3)
    assert (PERCENTILES[0], PERCENTILES[-1]) == (60, 87)


def test_anova_is_that_of_statsmodels():
    generator = np.random.default_rng(0)
    levels = np.repeat([1.0, 1.5, 2.0], 8)
    values = generator.normal(size=24) + levels
    found = one_way_anova(values, levels, "beta")
    table = anova_lm(ols("v ~ C(g)", pd.DataFrame({"v": values, "g": levels})).fit())
    assert (found.f, found.p) == pytest.approx(
        (table.loc["C(g)", "F"], table.loc["C(g)", "PR(>F)"])
    )
    assert (found.parameter, found.df, found.df_error) == ("beta", 2, 21)


def test_anova_without_spread():
    assert one_way_anova([1, 1, 2, 2], [0, 0, 1, 1]).f is None
    with pytest.raises(InputError, match="needs two levels"):
        one_way_anova([1, 2], [0, 0])


def made_up(value):
    points = [GridPoint(a, b, p) for a in (10, 20) for b in (1.0, 2.0, 3.0) for p in (60, 80)]
    return GridStudy({point: value(point) for point in points}, ())


def test_a_contour_is_the_mean_over_the_other_parameter():
    study = made_up(lambda point: point.alpha + 100 * point.beta + point.percentile)
    assert study.contour() == {
        "x": [1.0, 2.0, 3.0],
        "y": [60, 80],
        "z": [[175, 275, 375], [195, 295, 395]],
        "x_label": "beta",
        "y_label": "percentile",
    }
    assert study.best == GridPoint(20, 3.0, 80)


def test_points_without_a_value_are_passed_over():
    study = made_up(lambda point: None if point.beta == 1.0 else 0.5)
    assert study.contour()["z"][0] == [None, 0.5, 0.5]
    assert study.best == GridPoint(10, 2.0, 60)
    assert made_up(lambda point: None).best is None


TASK = GridTask(
    "mill",
    (
        "The mill burned down on Sunday night. Nobody was hurt. The owner plans to rebuild.",
        "A fire destroyed the old mill. The owner said he would build a new one.",
        "On Sunday the mill went up in flames. There were no injuries.",
    ),
    {
        "full": "A fire destroyed the mill on Sunday. Nobody was hurt. The owner will rebuild.",
        "half": "The mill burned down.",
        "none": "The choir sang in the square.",
    },
    {"full": 8.0, "half": 3.0, "none": 0.0},
)


def test_a_small_study():
    calls = []
    study = grid_study(
        [TASK],
        alphas=[10, 50],
        betas=[1, 9],
        percentiles=[50, 70],
        progress=lambda done, every: calls.append((done, every)),
    )
    assert len(study.values) == 8 and calls[-1] == (8, 8)
    assert all(-1 <= value <= 1 for value in study.values.values())
    assert study.values[GridPoint(10, 1, 70)] > 0.8
    assert [one.parameter for one in study.anova] == ["alpha", "beta", "percentile"]
    assert [(one.df, one.df_error) for one in study.anova] == [(1, 6)] * 3
    assert study == grid_study([TASK], alphas=[50, 10], betas=[9, 1], percentiles=[70, 50])


def test_wrong_choices_are_one_line():
    with pytest.raises(InputError, match="did you mean 'quality'"):
        grid_study([TASK], quantity="qualty")
    with pytest.raises(InputError, match="a grid needs a topic"):
        grid_study([])
