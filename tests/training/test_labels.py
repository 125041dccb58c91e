"""Labels: what a cut keeps, what is completed, and what is refused."""

import random

import numpy as np
import pytest

from training.altered import change
from training.calibrate import fit_logistic, fit_softmax
from training.figures import auc
from training.folds import assign, left_out
from training.items import Claim, Item, read_items, write_items
from training.labels import LabelError, finished, kept_words

EVENT = {
    "id": "e1",
    "narratives": [
        ["Report.", "The old van hit the gate at noon.", "Nobody was hurt."],
        ["A van struck a gate after dark.", "There were no injuries."],
    ],
}


@pytest.mark.parametrize(
    ("sentence", "shared", "kept"),
    [
        ("The old van hit the gate at noon.", "The van hit the gate.", [1, 0, 1, 1, 1, 1, 0, 0]),
        ("He said the gate, the old gate, broke.", "The gate broke.", [0, 0, 1, 1, 0, 0, 0, 1]),
        ("It broke.", "[The gate] broke.", [0, 1]),
    ],
)
def test_a_cut_marks_its_words(sentence, shared, kept):
    assert sum(kept_words(sentence, shared)) == sum(kept)
    assert kept_words(sentence, shared)[0] == kept[0]


def test_a_cut_keeps_runs_together():
    assert kept_words("the a the b c", "the b") == [0, 0, 1, 1, 0]


def test_words_that_are_not_in_the_sentence_are_refused():
    with pytest.raises(LabelError, match="no cut"):
        kept_words("The van hit the gate.", "The van hit the fence.")


def test_labels_are_completed():
    raw = {
        "id": "e1",
        "labels": [
            {"n": 0, "s": 0, "label": "nothing"},
            {"n": 0, "s": 1, "in": 1, "label": "contradicted", "evidence": [0], "shared": None},
            {"n": 0, "s": 2, "in": 1, "label": "stated", "evidence": [1]},
        ],
    }
    found = {(x["n"], x["s"]): x for x in finished(EVENT, raw)["labels"]}
    assert len(found) == 5
    assert found[0, 2]["words"] == [1, 1, 1] and found[0, 1]["words"] is None
    assert found[1, 0]["label"] == "absent" and set(found[1, 0]["words"]) == {0}


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({"n": 0, "s": 1, "in": 1, "label": "maybe"}, "unknown label"),
        ({"n": 0, "s": 1, "in": 1, "label": "stated", "evidence": [7]}, "evidence"),
        ({"n": 0, "s": 1, "in": 1, "label": "partly", "evidence": [0]}, "needs shared"),
        ({"n": 0, "s": 9, "in": 1, "label": "stated", "evidence": [0]}, "IndexError"),
        ({"n": 0, "s": 1, "in": 0, "label": "stated", "evidence": [0]}, "not another narrative"),
    ],
)
def test_wrong_labels_are_named_with_their_place(entry, told):
    with pytest.raises(LabelError, match=told) as error:
        finished(EVENT, {"id": "e1", "labels": [entry]})
    assert str(error.value).startswith("e1 n=0")


def test_near_copies_of_held_out_events_are_left_out():
    text, claim = "Seven words that two texts have together.", "Six words that a claim has."
    items = [
        Item("held", "own", "news", 3, (text,), (Claim(claim),)),
        Item("copy", "own", "news", 0, ("Another one.", text), (Claim(claim), Claim("More."))),
        Item("text alone", "own", "news", 0, (text,), (Claim("Another claim of six words here."),)),
        Item(
            "claim alone", "own", "news", 1, ("Another text of six words here.",), (Claim(claim),)
        ),
        Item("never held", "altered", "news", -1, (text,), (Claim(claim),)),
    ]
    assert left_out(items, {3}) == {"held", "copy"}
    assert left_out(items, set()) == set()


def test_folds_are_even():
    items = [Item(f"e{n}", "own", "news", -1, ("A.",)) for n in range(12)]
    fold = assign(items)
    assert sorted(fold.values()) == [0] * 3 + [1] * 3 + [2] * 3 + [3] * 3
    assert fold == assign(items[::-1])


def test_items_read_back_as_written(tmp_path):
    claim = Claim("A b.", (0, 1), (1, 0), (2,), (2, 0), (0, 1, 2))
    items = [Item("e", "own", "news", 2, ("One.", "Two."), (claim, Claim("C.")))]
    write_items(tmp_path / "items.gz", items)
    assert list(read_items(tmp_path / "items.gz")) == items


def test_a_change_marks_what_it_changed():
    sentence = ["On", "Monday", "12", "people", "did", "not", "leave", "before", "noon."]
    for seed in range(20):
        new, marks = change(sentence, random.Random(seed))
        assert len(new) == len(marks) and 0 in marks
        assert new != sentence


def test_auc_of_ties_and_of_one_class():
    assert auc(np.array([1, 0, 1, 0]), np.array([0.9, 0.1, 0.5, 0.5])) == 0.875
    assert np.isnan(auc(np.array([1, 1]), np.array([0.1, 0.2])))


def test_calibration_recovers_what_made_the_data():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(20_000, 2))
    chance = 1 / (1 + np.exp(-(rows @ [1.5, -0.5] + 0.3)))
    weights = fit_logistic(rows, rng.random(20_000) < chance)
    assert np.allclose(weights, [1.5, -0.5, 0.3], atol=0.08)
    four = fit_softmax(rows, (rows[:, 0] > 0).astype(int))
    assert four.shape == (4, 3)
