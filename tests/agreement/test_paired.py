"""Paired tests against scipy, and on cases whose answer is known."""

import numpy as np
import pytest
from scipy import stats

from commonground.agreement import Scores, paired_metrics, paired_systems
from commonground.errors import InputError


def scores_of(**matrices):
    return Scores.of(
        (f"t{topic:02}", f"s{system}", metric, float(value))
        for metric, matrix in matrices.items()
        for system, row in enumerate(matrix)
        for topic, value in enumerate(row)
    )


GENERATOR = np.random.default_rng(4)
TWO = np.array([GENERATOR.normal(0.3, 1, 15), GENERATOR.normal(0, 1, 15)])


def test_two_systems_beside_scipy():
    found = paired_systems(scores_of(m=TWO), "m", "s0", "s1")
    differences = TWO[0] - TWO[1]
    assert found.difference == pytest.approx(differences.mean())
    assert found.p_wilcoxon == pytest.approx(stats.wilcoxon(differences).pvalue)
    exact = stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=np.inf
    )
    assert found.p_permutation == pytest.approx(exact.pvalue, abs=0.02)
    theirs = stats.bootstrap(
        (differences,), np.mean, method="percentile", rng=np.random.default_rng(1)
    ).confidence_interval
    assert (found.interval.low, found.interval.high) == pytest.approx(tuple(theirs), abs=0.03)


def test_a_system_beside_itself_does_not_differ():
    found = paired_systems(scores_of(m=TWO), "m", "s0", "s0")
    assert (found.difference, found.p_bootstrap, found.p_permutation, found.p_wilcoxon) == (
        0,
        1,
        1,
        1,
    )


def test_a_clear_difference_has_a_small_p_that_is_never_zero():
    found = paired_systems(scores_of(m=[TWO[0] + 9, TWO[1]]), "m", "s0", "s1", resamples=999)
    assert found.p_bootstrap == 2 / 1000
    assert 0 < found.p_permutation <= 5 / 1000


def test_two_metrics_of_which_one_is_noise():
    generator = np.random.default_rng(2)
    gold = generator.normal(size=(20, 25)) + np.linspace(0, 3, 20)[:, None]
    good = 100 * (gold + generator.normal(size=gold.shape) / 4)
    scores = scores_of(gold=gold, good=good, noise=generator.normal(size=gold.shape))
    found = paired_metrics(scores, "gold", "good", "noise", level="summary", resamples=200)
    assert found.p_bootstrap == pytest.approx(2 / 201)
    assert found.p_permutation == pytest.approx(1 / 201)
    assert found.interval.low > 0
    turned = paired_metrics(scores, "gold", "noise", "good", level="summary", resamples=200)
    assert turned.difference == -found.difference
    assert turned.interval.high == pytest.approx(-found.interval.low)


def test_a_metric_beside_its_double_on_another_scale_does_not_differ():
    generator = np.random.default_rng(3)
    gold = generator.normal(size=(6, 9))
    metric = gold + generator.normal(size=gold.shape)
    scores = scores_of(gold=gold, metric=metric, double=3 * metric + 1)
    found = paired_metrics(scores, "gold", "metric", "double", method="kendall", resamples=50)
    assert (found.difference, found.p_bootstrap, found.p_permutation) == (0, 1, 1)


def test_what_cannot_be_tested_is_one_line():
    scores = scores_of(gold=TWO, flat=TWO * 0, m=TWO)
    with pytest.raises(InputError, match="did you mean 's1'"):
        paired_systems(scores, "m", "s0", "s11")
    with pytest.raises(InputError, match="metric 'flat' has no correlation with 'gold'"):
        paired_metrics(scores, "gold", "m", "flat", level="pooled")
    apart = Scores.of([("a", "x", "m", 1.0), ("b", "y", "m", 1.0)])
    with pytest.raises(InputError, match="'x' and 'y' have no input in common"):
        paired_systems(apart, "m", "x", "y")
