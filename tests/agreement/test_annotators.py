"""Agreement between annotators, with the papers' reward matrix, and with the machine."""

import pytest
from scipy import stats

from commonground.agreement import (
    REWARDS,
    Place,
    Ratings,
    Sample,
    SampleText,
    SentenceLabels,
    annotator_agreement,
    labelled_texts,
    machine_agreement,
    reward,
    split_texts,
)
from commonground.errors import InputError
from commonground.io import Event, Prediction
from commonground.metrics.semf1 import PRESETS

A, B = Sample("a", "s"), Sample("b", "s")


def places(side, sample, *labels, reference=0):
    return {Place(side, sample, reference, n): label for n, label in enumerate(labels, start=1)}


def test_the_reward_matrix_is_that_of_the_paper():
    rows = {"P": [1, 0.5, 0], "PP": [0.5, 1, 0], "A": [0, 0, 1]}
    for one, values in rows.items():
        assert [REWARDS[one, other] for other in ("P", "PP", "A")] == values


def test_reward_by_hand():
    first = places("precision", A, "P", "PP", "A") | places("precision", B, "P")
    second = places("precision", A, "PP", "PP", "PP") | places("precision", B, "P")
    # (.5 + 1 + 0) / 3 = .5 and 1: mean .75, deviation sqrt(2 * .25^2).
    found = reward(first, second)
    assert (found.mean, found.sd, found.n) == pytest.approx((0.75, 0.125**0.5, 2))


def test_for_recall_the_references_of_a_sample_are_pooled():
    first = places("recall", A, "P", reference=1) | places("recall", A, "P", "A", "A", reference=2)
    second = dict.fromkeys(first, "P")
    assert reward(first, second).mean == 0.5  # not (1 + 1/3) / 2


def test_one_sample_has_no_deviation_and_none_no_mean():
    some = places("precision", A, "P")
    assert reward(some, some).to_dict() == {"mean": 1.0, "sd": None, "n": 1}
    assert reward(some, {}).to_dict() == {"mean": None, "sd": None, "n": 0}


@pytest.mark.parametrize("pair", PRESETS)
def test_threshold_rules_of_the_papers(pair):
    lower, upper = (int(value) / 100 for value in pair.split("-"))
    label = PRESETS[pair].label
    assert [label(upper), label(upper - 1e-9), label(lower), label(lower - 1e-9)] == [
        "P",
        "PP",
        "PP",
        "A",
    ]


FIRST = ["P", "PP", "A", "P", "A", "PP", "P"]
SECOND = ["P", "P", "A", "PP", "A", "A", "P"]
NUMBER = {"P": 1, "PP": 0.5, "A": 0}


def test_labels_are_flattened_over_the_data_set():
    values = {
        "L1": places("precision", A, *FIRST[:3]) | places("precision", B, *FIRST[3:]),
        "L2": places("precision", A, *SECOND[:3]) | places("precision", B, *SECOND[3:]),
    }
    (found,) = annotator_agreement(SentenceLabels(values, {}))
    expected = stats.kendalltau([NUMBER[x] for x in FIRST], [NUMBER[x] for x in SECOND])
    (pair,) = found.pairs
    assert (pair.tau.value, pair.tau.p) == pytest.approx((expected.statistic, expected.pvalue))
    assert (found.quantity, found.items, found.complete) == ("precision", 7, 7)
    assert found.mean("tau") == pair.tau.value
    assert pair.reward.mean == pytest.approx((2.5 / 3 + 2.5 / 4) / 2)


def test_items_that_one_left_out_are_counted_and_left_out():
    values = {"L1": places("recall", A, *FIRST, reference=1)}
    values["L2"] = places("recall", A, *SECOND[:4], reference=1)
    (found,) = annotator_agreement(SentenceLabels(values, {}))
    assert (found.items, found.complete, found.pairs[0].tau.n) == (7, 4, 4)


def test_ratings_have_no_reward():
    values = {
        who: {Sample(str(n), ""): float(v) for n, v in enumerate(given)}
        for who, given in {"L1": [1, 5, 7, 9], "L2": [2, 4, 9, 8]}.items()
    }
    (found,) = annotator_agreement(Ratings({"score": values}))
    assert found.pairs[0].reward is None
    assert found.pairs[0].tau.value == pytest.approx(4 / 6)
    assert found.to_dict()["mean"]["reward"] is None


def test_constant_labels_say_why_there_is_no_number():
    values = {who: places("precision", A, "P", "P", "P") for who in ("L1", "L2")}
    (found,) = annotator_agreement(SentenceLabels(values, {}))
    assert found.pairs[0].tau.note == "one side is constant"
    assert found.alpha["nominal"].note == "every label is the same"
    assert found.pairs[0].reward.mean == 1


def test_one_annotator_is_one_line():
    with pytest.raises(InputError, match="the labels are all by 'L1'"):
        annotator_agreement(SentenceLabels({"L1": places("precision", A, "P")}, {}))


SUMMARY = ("The bridge was closed on Friday.", "The mayor likes tea.")
REFERENCE = ("On Friday the bridge was closed.",)


def study():
    given = places("precision", A, "P", "A") | places("recall", A, "P", reference=1)
    texts = dict(zip(given, (*SUMMARY, *REFERENCE), strict=True))
    return SentenceLabels({"L1": given}, texts)


def test_the_machine_agrees_where_it_is_easy():
    precision, recall = machine_agreement(study(), ["minilm"], thresholds=["35-65"])
    assert (precision.side, recall.side) == ("precision", "recall")
    assert precision.mean_reward == recall.mean_reward == 1
    assert precision.mean_tau == 1
    assert recall.tau["L1"].note == "fewer than two pairs"
    assert (precision.encoder, precision.thresholds) == ("minilm", "35-65")


def test_every_pair_of_thresholds_is_tried():
    found = machine_agreement(study(), ["minilm"])
    assert [one.thresholds for one in found if one.side == "recall"] == list(PRESETS)


def test_texts_come_from_labels_or_are_split():
    labels = study()
    expected = {A: SampleText(SUMMARY, (REFERENCE,))}
    assert labelled_texts(labels) == expected
    predictions = [Prediction("a", " ".join(SUMMARY), "s", 1), Prediction("x", "Other.", "s", 2)]
    events = {"a": Event("a", (), REFERENCE)}
    assert split_texts(labels, predictions, events) == expected


def test_sentences_that_do_not_fit_are_one_line():
    labels = study()
    bare = SentenceLabels(labels.values, {})
    with pytest.raises(InputError, match='no "text" for sentence 1 of the summary'):
        machine_agreement(bare, ["minilm"])
    with pytest.raises(InputError, match=r"sentence 2 of the summary .* the text has 1 sentences"):
        machine_agreement(bare, ["minilm"], texts={A: SampleText(SUMMARY[:1], (REFERENCE,))})
    with pytest.raises(InputError, match="differs between the label files"):
        machine_agreement(labels, ["minilm"], texts={A: SampleText(SUMMARY[::-1], (REFERENCE,))})
    with pytest.raises(InputError, match="id 'a' of system 's' is labelled, but not in"):
        split_texts(bare, [], {})
