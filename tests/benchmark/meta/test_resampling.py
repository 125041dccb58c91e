"""Correlations under weights, bootstrap and tests: parity with scipy and with `agreement`."""

import numpy as np
import pytest
from scipy import stats

from commonground.agreement import METHODS, metric_correlation
from commonground.benchmark.meta.permutation import permutation_p, williams_p
from commonground.benchmark.meta.resampling import bootstrap, level_correlations, row_correlations

TESTS = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


def draws(shape, seed, ties=False):
    values = np.random.default_rng(seed).random(shape)
    return np.round(values, 1) if ties else values


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("own", [False, True])
def test_weights_are_the_same_as_repeated_rows(ties, own):
    x, y = draws((4, 9), 1, ties), draws((4, 9), 2, ties)
    weights = np.random.default_rng(3).integers(0, 4, (4, 9)).astype(float)
    found = row_correlations(x, y, weights, own=own)
    for row in range(4):
        for sample in [row] if own else range(4):
            times = weights[sample].astype(int)
            sides = np.repeat(x[row], times), np.repeat(y[row], times)
            for number, method in enumerate(METHODS):
                expected = TESTS[method](*sides).statistic
                got = found[number, row, 0 if own else sample]
                assert got == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("missing", [False, True])
def test_both_levels_equal_those_of_agreement(missing):
    x, y = draws((7, 12), 4, ties=True), draws((7, 12), 5, ties=True)
    if missing:
        x[0, 0] = y[3, 5] = y[3, 6] = np.nan
    found = level_correlations(x, y)
    for a, level in enumerate(("system", "summary")):
        for b, method in enumerate(METHODS):
            expected = metric_correlation(x, y, method=method, level=level).value
            assert found[a, b] == pytest.approx(expected, abs=1e-12)


def test_a_constant_side_has_no_correlation():
    assert np.isnan(level_correlations(np.full((4, 3), 0.1), draws((4, 3), 1))).all()


def test_the_bootstrap_is_seeded_and_about_as_wide_as_that_of_agreement():
    x = draws((12, 40), 6)
    y = x + draws((12, 40), 7)
    ((_, drawn),) = bootstrap(x[None], y, 400, 0)
    ((_, again),) = bootstrap(x[None], y, 400, 0)
    assert np.array_equal(drawn, again, equal_nan=True)
    slow = metric_correlation(x, y, level="summary", over="both", resamples=400).interval
    low, high = np.quantile(drawn[1, 0], [0.025, 0.975])
    assert (low, high) == pytest.approx((slow.low, slow.high), abs=0.03)


def test_permutations_tell_metrics_apart_only_if_they_differ():
    truth = draws((10, 30), 8)
    good, bad = truth + 0.3 * draws((10, 30), 9), draws((10, 30), 10)
    different = permutation_p(good, bad, truth, permutations=199)
    assert (different[1] == 1 / 200).all()  # no draw is as extreme; the data count as one
    assert (permutation_p(good, good, truth, permutations=99) == 1).all()
    twin = truth + 0.3 * draws((10, 30), 11)
    assert (permutation_p(good, twin, truth, permutations=199) > 0.05).all()


def test_the_scale_of_a_metric_does_not_matter_and_a_level_can_be_left_out():
    truth, good, other = draws((6, 9), 1), draws((6, 9), 2), draws((6, 9), 3)
    p = permutation_p(good, other, truth, permutations=99)
    scaled = permutation_p(100 * good + 5, other, truth, permutations=99)
    assert scaled == pytest.approx(p)
    half = permutation_p(good, other, truth, permutations=99, levels=[0])
    assert np.array_equal(half[0], p[0])
    assert np.isnan(half[1]).all()


def test_missing_scores_count_for_no_permutation():
    truth, good, other = draws((6, 9), 1), draws((6, 9), 2), draws((6, 9), 3)
    good[0, 0] = np.nan
    p = permutation_p(good, other, truth, permutations=99)
    changed = truth.copy()
    changed[0, 0] = 1e6
    assert np.array_equal(permutation_p(good, other, changed, permutations=99), p)


def test_williams_by_hand():
    # Determinant .5: 1 - .49 - .25 - .25 + 2 * .7 * .5 * .5 = .36; n = 12.
    t = 0.2 * (11 * 1.5 / (2 * 0.36 * 11 / 9 + 0.6**2 * 0.5**3)) ** 0.5
    assert williams_p(0.7, 0.5, 0.5, 12) == pytest.approx(2 * stats.t.sf(t, 9))
    assert williams_p(0.7, 0.7, 0.5, 12) == 1
    assert williams_p(0.7, 0.5, 0.5, 3) is None
