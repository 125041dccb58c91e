"""Evidence: what speaks for a text stating a unit, by hand and by example."""

import numpy as np
import pytest

from commonground.encoders import load
from commonground.errors import InputError
from commonground.units import Evidence
from commonground.units._features import FEATURES, features
from commonground.units._words import words_of
from commonground.units.evidence import coefficients

TEXT = (
    "The Anna Maris ran aground off Skerry Point on Saturday. "
    "Lifeboats took 212 people ashore, and nobody was seriously hurt. "
    "A replacement ship sails from Monday."
)


@pytest.fixture(scope="module")
def judge():
    return Evidence()


def values(judge, unit, text):
    rows, shown = features(judge.read_units([unit]), judge.read_text(text))
    return dict(zip(FEATURES, rows[0], strict=True)), int(shown[0])


@pytest.mark.parametrize(
    ("unit", "sentence"),
    [
        ("The ferry Anna Maris grounded near Skerry Point.", 0),
        ("Lifeboats rescued the people on board.", 1),
        ("Nobody was badly injured.", 1),
        ("The Anna Maris ran aground on Saturday.", 0),
        ("Another vessel will serve from Monday.", 2),
    ],
)
def test_what_a_text_states_is_likely_and_shown_by_the_right_sentence(judge, unit, sentence):
    (found,) = judge.judge([unit], TEXT)
    assert found.probability > 0.3
    assert found.sentence == sentence
    assert found.text in TEXT


def test_what_it_does_not_state_is_unlikely(judge):
    units = ["Taxes will rise in spring.", "Bakers sold almond cake.", "The mayor sued."]
    assert all(found.probability < 0.15 for found in judge.judge(units, TEXT))


def test_a_text_states_its_own_sentences(judge):
    sentences = ["Rain fell on the hills.", "The dam broke at dawn.", "Two villages were flooded."]
    assert all(found.probability > 0.9 for found in judge.judge(sentences, sentences))


def test_another_number_counts_against_a_unit(judge):
    right, wrong = judge.judge(
        ["Lifeboats took 212 people ashore.", "Lifeboats took 965 people ashore."], TEXT
    )
    assert right.probability > wrong.probability + 0.2


def test_features_of_a_unit_that_is_there_word_for_word(judge):
    found, shown = values(judge, "the dam broke at dawn", "Rain fell. The dam broke at dawn.")
    assert shown == 1
    for name in ("stem recall", "stem recall in one sentence", "word recall", "pair recall"):
        assert found[name] == pytest.approx(1)
    assert found["missing weight"] == pytest.approx(0)
    assert found["negation"] == 0
    assert found["length"] == pytest.approx(np.log(6))


def test_stem_recall_by_hand(judge):
    # Two of the three stems are there, none a stop word: recall is their share of the weight.
    (unit,) = judge.read_units(["Dam floods village"])
    rows, _ = features([unit], judge.read_text("The flooding reached a village."))
    weights = unit.words.weights
    assert unit.words.stems == ("dam", "flood", "villag")
    assert rows[0][FEATURES.index("stem recall")] == pytest.approx(
        (weights[1] + weights[2]) / weights.sum()
    )


def test_negation_is_seen_on_either_side(judge):
    assert values(judge, "The dam broke.", "The dam never broke.")[0]["negation"] == 1
    assert values(judge, "The dam didn't break.", "The dam never broke.")[0]["negation"] == 0


def test_rare_words_weigh_more(judge):
    words = words_of("the dam of Skerry", load("minilm").tokens(["the dam of Skerry"])[0])
    the, dam, of, skerry = words.weights
    assert max(the, of) < 0.25 < dam < skerry == 1.0


def test_a_text_without_words_states_nothing(judge):
    for text in ("", "...", []):
        (found,) = judge.judge(["The dam broke."], text)
        assert (found.probability, found.sentence, found.text) == (0.0, None, None)
    assert judge.judge([], TEXT) == []


def test_a_pair_does_not_depend_on_the_pairs_beside_it(judge):
    units = ["The dam broke.", "Nobody was hurt.", "A ship sails from Monday."]
    together = [found.probability for found in judge.judge(units, TEXT)]
    alone = [judge.judge([unit], TEXT)[0].probability for unit in units]
    assert together == pytest.approx(alone, abs=1e-6)


def test_wrong_input_is_one_line(judge):
    with pytest.raises(InputError, match="units must be a list of texts"):
        judge.judge("one string", TEXT)
    with pytest.raises(InputError, match="needs token vectors, which 'static' has not"):
        Evidence("static")


def test_the_coefficients_fit_the_features():
    intercept, weights = coefficients()
    assert np.isfinite(intercept)
    assert weights.shape == (len(FEATURES),)
