"""Correlation between references, by hand and against scipy."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from commonground.agreement import Scores, reference_agreement, reference_scores
from commonground.errors import InputError

VALUES = np.random.default_rng(0).normal(size=(3, 4, 10))  # references x systems x ids
VALUES[1] += VALUES[0]

SCORES = Scores.of(
    (f"e{event}", f"s{system}", "m", float(VALUES[reference, system, event]), str(reference + 1))
    for reference in range(3)
    for system in range(4)
    for event in range(10)
)


def test_each_system_is_correlated_over_its_events():
    found = reference_agreement(SCORES, "m")
    assert [(pair.first, pair.second) for pair in found.pairs] == [
        ("1", "2"),
        ("1", "3"),
        ("2", "3"),
    ]
    pair = found.pairs[0]
    expected = [stats.pearsonr(VALUES[0, system], VALUES[1, system]) for system in range(4)]
    values = [one.statistic for one in expected]
    assert [one.value for one in pair.by_system.values()] == pytest.approx(values)
    assert pair.mean == pytest.approx(np.mean(values))
    who, best = pair.greatest
    assert (who, best.value) == (f"s{np.argmax(values)}", pytest.approx(max(values)))
    assert pair.significant() == sum(one.pvalue < 0.05 for one in expected)
    holm = multipletests([one.pvalue for one in expected], method="holm")[1]
    assert pair.adjusted_p == pytest.approx(holm[np.argmax(values)])


def test_means_over_pairs():
    found = reference_agreement(SCORES, "m")
    assert found.mean == pytest.approx(np.mean([pair.mean for pair in found.pairs]))
    maxima = [pair.greatest[1].value for pair in found.pairs]
    assert found.mean_of_greatest == pytest.approx(np.mean(maxima))


def test_a_constant_metric_has_no_correlation():
    flat = Scores.of((f"e{n}", "s", "m", 1.0, which) for n in range(4) for which in "12")
    found = reference_agreement(flat, "m")
    assert (found.mean, found.mean_of_greatest, found.pairs[0].adjusted_p) == (None, None, None)
    assert found.to_dict()["pairs"][0]["maximum"] is None


def test_single_references_are_needed():
    with pytest.raises(InputError, match="has scores against 0 single references"):
        reference_agreement(Scores.of([("a", "s", "m", 1.0)]), "m")


def test_every_reference_is_scored_alone_and_empty_ones_are_left_out():
    def lengths(summaries, references):
        assert all(len(some) == 1 for some in references)
        pairs = zip(summaries, references, strict=True)
        return {"gap": [len(text) - len(some[0]) for text, some in pairs]}

    found = reference_scores(
        {("a", "s"): "four", ("b", "s"): "sixsix"},
        {"a": ["one", "fives"], "b": [" ", "t"]},
        lengths,
    )
    assert [(one.id, one.reference, one.value) for one in found] == [
        ("a", "1", 1),
        ("a", "2", -1),
        ("b", "2", 5),
    ]
