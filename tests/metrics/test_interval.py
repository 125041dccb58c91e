"""Intervals of means: resampled for few items, normal ones for very many."""

import numpy as np
import pytest

from commonground.metrics import (
    Rouge,
    SemF1,
    bootstrap_interval,
    interval_fields,
    intervals,
    mean_intervals,
    normal_interval,
)
from commonground.score import Interval

SUMMARIES = ["The bridge closed on Monday.", "Rain fell.", "The mayor spoke to the crowd."]
REFERENCES = [["The bridge shut on Monday."], ["It rained."], ["The mayor addressed people."]]


def test_few_items_are_resampled():
    values = np.random.default_rng(3).random((60, 2))
    assert mean_intervals(values) == bootstrap_interval(values)
    assert interval_fields(60) == {"boot": "1000", "seed": "0"}


def test_a_normal_interval_worked_by_hand():
    # Half of 100 items are 1: the mean is .5, its standard error .05, and 1.96 of them are .098.
    found = normal_interval(100, 50.0, 50.0, (0.0, 1.0))
    assert (found.low, found.high) == pytest.approx((0.402, 0.598), abs=1e-4)


def test_many_items_have_nearly_the_interval_of_the_bootstrap(monkeypatch):
    values = np.random.default_rng(4).beta(2, 5, size=(4000, 2))
    drawn = bootstrap_interval(values)
    monkeypatch.setattr(intervals, "MOST_RESAMPLED", 3999)
    for one, other in zip(mean_intervals(values), drawn, strict=True):
        width = other.high - other.low
        assert one.low == pytest.approx(other.low, abs=0.05 * width)
        assert one.high == pytest.approx(other.high, abs=0.05 * width)


def test_values_without_spread_and_their_order(monkeypatch):
    monkeypatch.setattr(intervals, "MOST_RESAMPLED", 5)
    assert mean_intervals(np.full(10, 0.1)) == (Interval(0.1, 0.1),)
    values = np.random.default_rng(5).random(50)
    shuffled = np.random.default_rng(6).permutation(values)
    assert mean_intervals(values) == mean_intervals(shuffled)


def test_signatures_say_which(monkeypatch):
    few = str(Rouge().corpus(SUMMARIES, REFERENCES).signature)
    monkeypatch.setattr(intervals, "MOST_RESAMPLED", 2)
    for measure in (Rouge(), SemF1("static")):
        signature = str(measure.corpus(SUMMARIES, REFERENCES).signature)
        assert "|interval:normal|" in signature
        assert "boot" not in signature
    assert "|boot:1000|seed:0|" in few
