"""Kappa and alpha against statsmodels, krippendorff and hand-worked cases."""

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats import inter_rater

from commonground.agreement import cohen_kappa, krippendorff_alpha
from commonground.errors import InputError

LABELS = st.sampled_from([0.0, 0.5, 1.0])


def table(first, second):
    counts = np.zeros((3, 3))
    for one, other in zip(first, second, strict=True):
        counts[round(2 * one), round(2 * other)] += 1
    return counts


@given(st.lists(st.tuples(LABELS, LABELS), min_size=2, max_size=30))
@pytest.mark.parametrize(
    ("weights", "theirs"), [("none", None), ("linear", "linear"), ("quadratic", "quadratic")]
)
def test_kappa_is_that_of_statsmodels(weights, theirs, pairs):
    first, second = zip(*pairs, strict=True)
    ours = cohen_kappa(first, second, weights)
    if len(set(first) | set(second)) == 1:
        assert ours.value is None
    else:
        with np.errstate(all="ignore"):
            expected = inter_rater.cohens_kappa(table(first, second), wt=theirs).kappa
        assert ours.value == pytest.approx(expected, abs=1e-12)


def test_kappa_by_hand():
    # 20 yes-yes, 15 no-no, 5 and 10 apart: observed .7, by chance .5 * .6 + .5 * .4 = .5.
    first = [1] * 20 + [1] * 5 + [0] * 10 + [0] * 15
    second = [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15
    assert cohen_kappa(first, second).value == pytest.approx(0.4)


def test_kappa_of_nothing_and_of_constants_says_why():
    assert cohen_kappa([], []).note == "no item that both labelled"
    assert cohen_kappa([1, 1], [1, 1]).value is None
    assert cohen_kappa([1, 1], [0, 0]).value == 0


def test_wrong_arguments_are_one_line():
    with pytest.raises(InputError, match="2 labels do not fit 1"):
        cohen_kappa([1, 0], [1])
    with pytest.raises(InputError, match="did you mean 'linear'"):
        cohen_kappa([1], [1], "liner")
    with pytest.raises(InputError, match="did you mean 'ordinal'"):
        krippendorff_alpha([[1], [1]], "ordinl")


# The worked example of Krippendorff's own paper: 4 observers, 12 units, 1 to 5.
N = np.nan
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
    [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
]


@pytest.mark.parametrize(
    ("measurement", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_alpha_of_the_worked_example(measurement, alpha):
    found = krippendorff_alpha(OBSERVERS, measurement)
    assert round(found.value, 3) == alpha
    assert found.n == 11  # the last unit has one label alone


@given(
    st.integers(2, 4).flatmap(
        lambda people: st.lists(
            st.lists(st.sampled_from([0.0, 0.5, 1.0, np.nan]), min_size=people, max_size=people),
            min_size=2,
            max_size=12,
        )
    )
)
@pytest.mark.parametrize("measurement", ["nominal", "ordinal", "interval"])
def test_alpha_is_that_of_krippendorff(measurement, items):
    labels = np.array(items).T
    ours = krippendorff_alpha(labels, measurement)
    used = labels[:, (~np.isnan(labels)).sum(axis=0) > 1]
    if len(np.unique(used[~np.isnan(used)])) < 2:
        assert ours.value is None
    else:
        theirs = krippendorff.alpha(
            reliability_data=labels, level_of_measurement=measurement, value_domain=[0, 0.5, 1]
        )
        assert ours.value == pytest.approx(theirs, abs=1e-12)


def test_alpha_without_anything_to_compare_says_why():
    assert krippendorff_alpha([[1, N], [N, 1]]).note == "no item that two annotators labelled"
    assert krippendorff_alpha([[1, 1], [1, 1]]).note == "every label is the same"
