"""Corrections against statsmodels."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from commonground.agreement import adjusted
from commonground.errors import InputError


@settings(max_examples=20)  # theirs takes a tenth of a second
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
@pytest.mark.parametrize(("ours", "theirs"), [("holm", "holm"), ("bh", "fdr_bh")])
def test_corrections_are_those_of_statsmodels(ours, theirs, p_values):
    assert adjusted(p_values, ours) == pytest.approx(multipletests(p_values, method=theirs)[1])


def test_no_correction_and_no_p_values():
    assert adjusted([0.2, 0.1], "none").tolist() == [0.2, 0.1]
    assert adjusted([], "holm").size == 0


def test_wrong_arguments_are_one_line():
    with pytest.raises(InputError, match="from 0 to 1"):
        adjusted([1.2])
    with pytest.raises(InputError, match="did you mean 'holm'"):
        adjusted([0.1], "home")
