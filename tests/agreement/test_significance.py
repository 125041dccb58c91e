"""Signed ranks against scipy, one set of differences at a time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from commonground.agreement.significance import signed_ranks


def scipys(differences):
    there = np.round(differences[~np.isnan(differences)], 12)
    there = there[there != 0]
    return stats.wilcoxon(there).pvalue if len(there) else 1.0


@given(
    st.lists(
        st.one_of(st.integers(-4, 4).map(float), st.just(float("nan"))), min_size=1, max_size=8
    )
)
def test_small_sets_with_ties_zeros_and_gaps(values):
    found = signed_ranks(np.array([values]))
    assert found.p[0] == pytest.approx(scipys(np.array(values)), abs=1e-10)


@pytest.mark.parametrize("size", [1, 2, 5, 9, 20, 41, 50, 51, 137])
@pytest.mark.parametrize("decimals", [1, 12])
def test_sets_of_many_sizes(size, decimals):
    generator = np.random.default_rng(size)
    differences = np.round(generator.normal(0.2, 1, size=(6, size)), decimals)
    differences[::3, ::7] = 0
    differences[1::3, ::5] = np.nan
    found = signed_ranks(differences)
    assert found.p == pytest.approx([scipys(row) for row in differences], abs=1e-10)


def test_direction_and_count():
    found = signed_ranks(np.array([[3.0, 2, -1, 0], [-3, -2, 1, np.nan], [1, -1, 2, -2]]))
    assert found.direction.tolist() == [1, -1, 0]
    assert found.n.tolist() == [3, 3, 4]


def test_five_equal_gains_are_not_significant():
    # The normal approximation would say .025 here; two of 32 sign patterns are as extreme.
    assert signed_ranks(np.ones((1, 5))).p[0] == 2 / 32


def test_ties_are_exact_up_to_13_and_approximate_from_14_on():
    assert signed_ranks(np.ones((1, 13))).p[0] == 2 / 2**13
    approximate = stats.wilcoxon(np.ones(14), method="asymptotic").pvalue
    assert signed_ranks(np.ones((1, 14))).p[0] == pytest.approx(approximate)


def test_rounding_does_not_hide_a_tie():
    differences = np.array([[0.3 - 0.2, -(0.2 - 0.1), 0.5]])
    assert signed_ranks(differences).p[0] == signed_ranks(np.array([[0.1, -0.1, 0.5]])).p[0]


def test_the_test_of_one_pair_does_not_depend_on_the_others():
    generator = np.random.default_rng(0)
    alone = generator.normal(size=(1, 20))
    tied = np.round(generator.normal(size=(1, 20)), 0)
    together = signed_ranks(np.concatenate([alone, tied])).p
    assert together[0] == signed_ranks(alone).p[0]
    assert together[1] == signed_ranks(tied).p[0]
