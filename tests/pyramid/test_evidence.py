"""Evidence: what speaks for a text stating a unit, by hand and by example."""

import numpy as np
import pytest

from commonground.encoders import load
from commonground.errors import InputError
from commonground.pyramid import Evidence
from commonground.pyramid.evidence import FEATURES, coefficients
from commonground.pyramid.evidence import features as feature_module
from commonground.pyramid.evidence.features import WORD_FEATURES, Features, features
from commonground.pyramid.evidence.network import Coefficients, Network, Scale, probabilities
from commonground.reading.document import words_of

TEXT = (
    "The Anna Maris ran aground off Skerry Point on Saturday. "
    "Lifeboats took 212 people ashore, and nobody was seriously hurt. "
    "A replacement ship sails from Monday."
)


@pytest.fixture(scope="module")
def judge():
    return Evidence()


def values(judge, unit, text):
    found = features(judge.read_units([unit]), judge.read_text(text))
    return dict(zip(FEATURES, found.rows[0], strict=True)), int(found.shown[0])


def word_values(judge, unit, text):
    """The features of the unit's words by the names of both."""
    (read,) = judge.read_units([unit])
    found = features([read], judge.read_text(text))
    words = [unit[start:end] for start, end in read.parsed.words.spans]
    return {
        word: dict(zip(WORD_FEATURES, row, strict=True))
        for word, row in zip(words, found.words, strict=True)
    }


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
    rows = features([unit], judge.read_text("The flooding reached a village.")).rows
    weights = unit.parsed.words.weights
    assert unit.parsed.words.stems == ("dam", "flood", "villag")
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


def test_features_of_single_words(judge):
    text = "Rain fell all day. The old mill burned. It was insured."
    found = word_values(judge, "The miller insured the mill", text)
    assert found["mill"]["stem"] == found["mill"]["stem in one sentence"] == 1
    assert found["insured"]["stem"] == found["insured"]["around the sentence"] == 1
    assert found["insured"]["stem in one sentence"] == 0
    assert found["miller"]["stem"] == 0
    assert found["miller"]["subject"] == found["mill"]["object"] == found["insured"]["verb"] == 1
    assert found["the"]["stop word"] == 1
    assert found["mill"]["place"] == pytest.approx(4 / 5)


def test_words_that_begin_alike(judge):
    found = word_values(judge, "An investigator came", "The investigation ended.")
    assert found["investigator"]["beginning"] == 1
    assert found["came"]["beginning"] == 0


def test_a_word_counts_near_its_head(judge):
    far = "The bridge was closed, and after a long wait in wind and rain the mayor opened a school."
    near = "After a long wait in wind and rain the mayor opened the bridge and closed a school."
    unit = "Mayor opened bridge"
    apart, together = (word_values(judge, unit, text)["bridge"] for text in (far, near))
    assert apart["stem"] == together["stem"] == together["near its head"] == 1
    assert apart["near its head"] < 1


def test_portions_do_not_change_the_answer(judge, monkeypatch):
    units = judge.read_units(["The dam broke.", "", "Nobody was hurt.", "...", "A ship sails."])
    text = judge.read_text(TEXT)
    whole = features(units, text)
    monkeypatch.setattr(feature_module, "_CELLS", 1)
    small = features(units, text)
    np.testing.assert_allclose(small.rows, whole.rows, atol=1e-6)
    np.testing.assert_allclose(small.words, whole.words, atol=1e-6)
    assert small.shown.tolist() == whole.shown.tolist()


def test_a_unit_without_words_is_stated_nowhere(judge):
    dam, nothing, dots = judge.judge(["Nobody was hurt.", "", "..."], TEXT)
    assert dam.sentence == 1
    for found in (nothing, dots):
        assert (found.probability, found.sentence, found.text) == (0.0, None, None)


def test_a_network_by_hand():
    # A word's score is its first feature, bent; the hidden value of a unit is zero; the logit is
    # the mean of the scores, bent, twice the least, three times the first feature, and one.
    counts = np.array([2, 1])
    rows = np.zeros((2, len(FEATURES)))
    words = np.zeros((3, len(WORD_FEATURES)))
    words[:, 0] = [0.5, -0.25, 2.0]
    rows[:, 0] = [0.1, -0.2]
    whole = len(FEATURES) + 1
    network = Network(
        overall=Scale(np.zeros(whole), np.ones(whole)),
        single=Scale(np.zeros(len(WORD_FEATURES)), np.ones(len(WORD_FEATURES))),
        word=np.eye(len(WORD_FEATURES))[:, :1],
        word_bias=np.zeros(1),
        score=np.ones((1, 1)),
        score_bias=np.zeros(1),
        deep=np.zeros((whole + 2, 1)),
        deep_bias=np.zeros(1),
        out=np.concatenate([[3], np.zeros(whole - 1), [1, 2], [7]]),
        out_bias=np.ones(1),
    )
    found = Features(rows, np.zeros(2), words, counts, np.zeros(2, dtype=int))
    high, low, top = np.tanh([0.5, -0.25, 2.0])
    expected = [
        1 + 0.3 + (np.tanh(high) + np.tanh(low)) / 2 + 2 * low,
        1 - 0.6 + np.tanh(top) + 2 * top,
    ]
    assert network.logits(found) == pytest.approx(expected)
    # Half is the plain regression, here over the first feature alone.
    both = Coefficients(0.5, np.eye(len(FEATURES))[0], (network, network))
    plain, learned = (1 / (1 + np.exp(-np.array(z))) for z in ([0.6, 0.3], expected))
    for one in (both, Coefficients.from_dict(both.to_dict())):
        assert probabilities(found, one) == pytest.approx((plain + learned) / 2)


def test_what_is_far_off_counts_as_three_deviations():
    scale = Scale(np.array([1.0]), np.array([2.0]))
    assert scale(np.array([[1.0], [3.0], [100.0], [-100.0]])).ravel().tolist() == [0, 1, 3, -3]


def test_the_size_of_the_sentence(judge):
    text = judge.read_text(TEXT)
    found = features(judge.read_units(["Nobody was hurt."]), text)
    assert found.size == pytest.approx([np.log1p(len(text.parsed[1].words.stems))])


def test_the_coefficients_fit_the_features():
    fitted = coefficients()
    assert np.isfinite(fitted.intercept)
    assert fitted.weights.shape == (len(FEATURES),)
    for network in fitted.networks:
        assert network.word.shape[0] == len(WORD_FEATURES)
        assert network.overall.centre.shape == (len(FEATURES) + 1,)
        assert network.deep.shape[0] == len(FEATURES) + 1 + 2 * network.score.shape[1]
        assert network.out.shape == (sum(network.deep.shape),)
