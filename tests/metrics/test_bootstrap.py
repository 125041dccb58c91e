import numpy as np
import pytest

from commonground.errors import InputError
from commonground.metrics import bootstrap_interval
from commonground.metrics import intervals as bootstrap
from commonground.metrics.intervals import LEVEL, RESAMPLES, SEED
from commonground.score import Interval


def test_constants_are_those_that_signatures_print():
    assert (RESAMPLES, LEVEL, SEED) == (1000, 0.95, 0)


def test_equals_a_plain_loop_over_resamples():
    values = np.array([0.1, 0.9, 0.4, 0.4, 0.7, 0.2])
    generator = np.random.default_rng(7)
    ordered = sorted(values)
    means = []
    for _ in range(200):
        sample = [ordered[i] for i in generator.integers(0, 6, size=6)]
        means.append(sum(sample) / 6)
    low, high = np.percentile(means, [10, 90])
    (found,) = bootstrap_interval(values, resamples=200, level=0.8, seed=7)
    assert found.low == pytest.approx(low, abs=1e-12)
    assert found.high == pytest.approx(high, abs=1e-12)
    assert found.level == 0.8


def test_a_column_is_an_interval_whatever_its_neighbours():
    values = np.random.default_rng(1).random((40, 3))
    together = bootstrap_interval(values)
    assert together == tuple(bootstrap_interval(values[:, k])[0] for k in range(3))
    assert len(together) == 3


@pytest.mark.parametrize("draws", [1, 100, 12_345])
def test_drawing_in_other_portions_gives_the_identical_interval(monkeypatch, draws):
    values = np.random.default_rng(6).random((37, 2))
    expected = bootstrap_interval(values)
    monkeypatch.setattr(bootstrap, "_DRAWS", draws)
    assert bootstrap_interval(values) == expected


def test_items_in_any_order_give_the_identical_interval():
    generator = np.random.default_rng(2)
    values = generator.random((50, 2))
    assert bootstrap_interval(values) == bootstrap_interval(generator.permutation(values))


def test_one_item_and_constant_values_have_no_spread():
    assert bootstrap_interval(np.array([0.3])) == (Interval(0.3, 0.3),)
    # 0.1 added up ten times is not 1: the bounds are exact all the same.
    assert bootstrap_interval(np.full(10, 0.1)) == (Interval(0.1, 0.1),)


def test_two_items_reach_both_extremes():
    # A quarter of all resamples draw the same item twice, far more than the tails cut off.
    assert bootstrap_interval(np.array([0.0, 1.0])) == (Interval(0.0, 1.0),)


def test_width_follows_the_standard_error():
    values = np.random.default_rng(3).normal(0.5, 0.1, size=400)
    (found,) = bootstrap_interval(values)
    half = 1.96 * values.std() / 20
    assert found.low == pytest.approx(values.mean() - half, abs=0.1 * half)
    assert found.high == pytest.approx(values.mean() + half, abs=0.1 * half)


def test_the_true_mean_is_covered_about_as_often_as_promised():
    generator = np.random.default_rng(4)
    corpora = generator.random((30, 300))
    intervals = bootstrap_interval(corpora, resamples=300, level=0.9)
    covered = sum(found.low <= 0.5 <= found.high for found in intervals)
    assert 0.85 <= covered / 300 <= 0.94


def test_the_seed_decides():
    values = np.random.default_rng(5).random(30)
    assert bootstrap_interval(values) == bootstrap_interval(values, seed=0)
    assert bootstrap_interval(values) != bootstrap_interval(values, seed=1)


def test_no_items_is_an_input_error():
    with pytest.raises(InputError, match="at least one item"):
        bootstrap_interval(np.empty(0))
