"""Correlations against scipy, their intervals, and the levels by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from commonground.agreement import LEVELS, METHODS, correlation, metric_correlation
from commonground.agreement.correlations import column_correlations, level_correlation
from commonground.errors import InputError

SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


def some(seed, *shape, decimals=1):
    return np.round(np.random.default_rng(seed).normal(size=shape), decimals)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", [3, 10, 60])
def test_value_and_p_are_scipys(method, n):
    first, second = some(1, n), some(2, n)
    found = correlation(first, second, method)
    expected = SCIPY[method](first, second)
    assert found.value == pytest.approx(expected.statistic)
    if method != "spearman" or n > 7:
        assert found.p == pytest.approx(expected.pvalue)
    assert found.n == n


def test_fishers_interval_is_scipys():
    first, second = some(3, 30), some(4, 30)
    expected = stats.pearsonr(first, second).confidence_interval(0.9)
    found = correlation(first, second, confidence=0.9).interval
    assert (found.low, found.high) == pytest.approx(tuple(expected))


def test_fishers_interval_for_ranks_by_hand():
    # Squared differences of ranks sum to 26: rho = 1 - 6 * 26 / 990.
    rho = 1 - 6 * 26 / 990
    found = correlation(range(10), [0, 2, 1, 4, 3, 7, 9, 5, 6, 8], "spearman")
    assert found.value == pytest.approx(rho)
    reach = 1.959963985 * np.sqrt((1 + rho**2 / 2) / 7)
    low, high = np.tanh(np.arctanh(rho) + np.array([-reach, reach]))
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high))
    # Tau of 8: 1.96 * sqrt(.437 / 4).
    found = correlation(range(8), [1, 0, 2, 3, 4, 5, 6, 7], "kendall")
    tau = 26 / 28
    low, high = np.tanh(np.arctanh(tau) + np.array([-1, 1]) * 1.959963985 * np.sqrt(0.437 / 4))
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high))


def test_a_few_ranks_have_an_exact_p():
    assert correlation([1, 2, 3], [2, 4, 9], "spearman").p == 2 / 6
    first, second = [1, 2, 2, 4, 5], [2, 1, 4, 3, 5]
    expected = stats.permutation_test(
        (first,),
        lambda order: stats.spearmanr(order, second).statistic,
        permutation_type="pairings",
        n_resamples=np.inf,
    ).pvalue
    assert correlation(first, second, "spearman").p == pytest.approx(expected)


def test_what_cannot_be_correlated_says_why():
    assert correlation([1], [2]).note == "fewer than two pairs"
    assert correlation([1, 2, 3], [5, 5, 5]).note == "one side is constant"
    assert correlation([1, 2], [1, 2]).note == "two pairs always lie on a line"
    assert correlation([1, np.nan, 3, 4], [1, 2, np.nan, 4]).n == 2
    with pytest.raises(InputError, match="2 values do not fit 1"):
        correlation([1, 2], [1])
    with pytest.raises(InputError, match="did you mean 'pearson'"):
        correlation([1, 2], [1, 2], "person")


@pytest.mark.parametrize("method", METHODS)
@given(
    arrays(
        float,
        (7, 3),
        elements=st.one_of(st.integers(-3, 3).map(float), st.just(float("nan"))),
    )
)
def test_columns_are_correlated_as_one_by_one(method, first):
    second = some(5, 7, 3)
    found = column_correlations(first, second, method)
    for column in range(3):
        there = ~np.isnan(first[:, column])
        one, other = first[there, column], second[there, column]
        if len(one) < 2 or np.ptp(one) == 0 or np.ptp(other) == 0:
            assert np.isnan(found[column])
        else:
            assert found[column] == pytest.approx(SCIPY[method](one, other).statistic, abs=1e-12)


FIRST = np.array([[1.0, 2.0, 3.0], [2.0, 3.0, 1.0], [3.0, 4.0, 2.0]])
SECOND = np.array([[1.0, 1.0, 3.0], [2.0, 2.0, 2.0], [3.0, 3.0, 4.0]])


def test_levels_by_hand():
    # Inputs: 1, 1, and (3,1,2)~(3,2,4) whose tau is 1/3; the mean is 7/9.
    assert level_correlation(FIRST, SECOND, "kendall", "summary") == pytest.approx(7 / 9)
    # System means 2, 2, 3 and 5/3, 2, 10/3.
    expected = stats.pearsonr([2, 2, 3], [5 / 3, 2, 10 / 3]).statistic
    assert level_correlation(FIRST, SECOND, "pearson", "system") == pytest.approx(expected)
    expected = stats.spearmanr(FIRST.ravel(), SECOND.ravel()).statistic
    assert level_correlation(FIRST, SECOND, "spearman", "pooled") == pytest.approx(expected)


def test_a_missing_score_leaves_both_metrics_out_of_a_systems_mean():
    first, second = FIRST.copy(), SECOND.copy()
    first[2, 1] = np.nan
    expected = stats.pearsonr([2, 2, 2.5], [5 / 3, 2, 3.5]).statistic
    assert level_correlation(first, second, "pearson", "system") == pytest.approx(expected)


@pytest.mark.parametrize("level", ["system", "summary", "pooled"])
@pytest.mark.parametrize("over", ["both", "systems", "inputs"])
def test_a_bootstrap_interval_holds_the_value_and_repeats(level, over):
    truth = some(6, 12, 30, decimals=6) + np.arange(12)[:, None] / 4
    metric = truth + some(7, 12, 30, decimals=6)
    found = metric_correlation(truth, metric, level=level, over=over, resamples=200)
    assert found.interval.low < found.value < found.interval.high
    assert found == metric_correlation(truth, metric, level=level, over=over, resamples=200)


def test_a_bootstrap_interval_of_pooled_inputs_is_near_scipys():
    first = some(8, 1, 60, decimals=6)
    second = first + some(9, 1, 60, decimals=6)
    found = metric_correlation(first, second, level="pooled", over="inputs", resamples=2000)
    theirs = stats.bootstrap(
        (first[0], second[0]),
        lambda one, other: stats.pearsonr(one, other).statistic,
        paired=True,
        method="percentile",
        n_resamples=2000,
        rng=np.random.default_rng(1),
        vectorized=False,
    ).confidence_interval
    assert (found.interval.low, found.interval.high) == pytest.approx(tuple(theirs), abs=0.02)


def test_inputs_without_spread_are_left_out_and_counted():
    first = FIRST.copy()
    first[:, 0] = 5
    found = metric_correlation(first, SECOND, method="kendall", level="summary")
    assert found.value == pytest.approx((1 + 1 / 3) / 2)
    assert (found.n, found.note) == (2, "1 inputs left out, where systems do not differ")
    nothing = metric_correlation(np.ones((3, 2)), SECOND[:, :2], level="summary")
    assert nothing.value is None and nothing.note


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("level", LEVELS)
def test_nothing_in_common_has_no_correlation(method, level):
    nothing = np.full((3, 2), np.nan)
    assert np.isnan(level_correlation(nothing, nothing, method, level))
    assert metric_correlation(nothing, nothing, method=method, level=level).value is None
