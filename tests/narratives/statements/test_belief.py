"""The belief that a narrative states a cut in full, and the strictness that it must reach."""

from itertools import pairwise
from math import e, log
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.narratives import Overlaps
from commonground.narratives.comparison import facts_of
from commonground.narratives.conflicts.disputed import Disputed
from commonground.narratives.logistic import Logistic
from commonground.narratives.reading import Readings
from commonground.narratives.statements.belief import (
    FEATURES,
    HIGHEST,
    MODEL,
    belief,
    bound,
    features,
)
from commonground.narratives.statements.find import Finder
from commonground.reader import Reader, Reading, Word
from commonground.text import stem
from commonground.wording import STOP_WORDS
from overlap_stories import FACTS, accounts, told

BARS = (0.2, 0.5, 0.7, 0.9)
FINDERS = [Overlaps(strictness=bar) for bar in BARS]
JOINED = (
    "Rain flooded the cellar of the inn and wind broke the windows of the chapel.",
    "Rain flooded the cellar of the inn. Later that week wind broke the windows of the chapel.",
)
STORIES = [
    JOINED,
    (told(FACTS, 0), told(list(FACTS)[::-1], 1)),
    *(accounts(Random(seed), most=2).texts for seed in range(4)),
]

shares = st.floats(0, 1)
words = st.lists(st.tuples(shares, shares), min_size=1, max_size=8).map(
    lambda pairs: tuple(Word("w", 0, 1, *pair) for pair in pairs)
)


@st.composite
def readings(draw, of=words):
    drawn = np.array([draw(shares) for _ in range(4)]) + 1e-6
    return Reading("", *map(float, drawn / drawn.sum()), draw(of), (), None)


def reading(stated, partly, contradicted, supports, within):
    pairs = zip(supports, within, strict=True)
    absent = 1 - stated - partly - contradicted
    made = tuple(Word("w", 0, 1, *pair) for pair in pairs)
    return Reading("", stated, partly, contradicted, absent, made, (), None)


def test_features_are_log_odds_of_both_readings():
    sentence = reading(0.2, 0.6, 0.1, (0.5,) * 4, (0.5, 0.8, 0.9, 0.2))
    cut = reading(0.8, 0.1, 0.05, (0.9, 0.5), (0.5, 0.5))
    found = dict(zip(FEATURES, features(sentence, cut, (1, 2, 3), 0.8, True), strict=True))
    assert found == pytest.approx(
        {
            "cut stated": log(4),
            "cut shared": log(9),
            "cut contradicted": -log(19),
            "sentence stated": -log(4),
            "sentence shared": log(4),
            "sentence contradicted": -log(9),
            "least word within": -log(4),
            "second word within": log(4),
            "mean word within": log(9) / 3,
            "least word of the cut": 0,
            "second word of the cut": log(9),
            "mean word of the cut": log(9) / 2,
            "words": log(2),
            "share kept": 0.5,
            "whole": 0,
            "form": log(4),
            "details fit": 1,
        }
    )


def test_a_whole_sentence_and_other_details_are_marked():
    whole = reading(0.8, 0.1, 0.05, (0.9, 0.5), (0.5, 0.5))
    found = dict(zip(FEATURES, features(whole, whole, (0, 1), 0.8, False), strict=True))
    assert (found["whole"], found["share kept"], found["details fit"]) == (1, 1, 0)


def test_belief_is_the_logistic_of_the_weighted_sum():
    weights = {**dict.fromkeys(FEATURES, 0.0), "cut stated": 2.0, "words": -1.0, "": 1.0}
    values = np.zeros(len(FEATURES))
    model = Logistic(weights)
    assert model.probability(values) == pytest.approx(e / (1 + e))
    values[FEATURES.index("cut stated")] = log(3)
    values[FEATURES.index("words")] = log(2)
    # The odds are e * 3 ** 2 / 2.
    assert model.probability(values) == pytest.approx(4.5 * e / (1 + 4.5 * e))


def test_the_package_has_a_weight_for_each_feature():
    assert tuple(MODEL.weights) == (*FEATURES, "")


@given(readings(), readings(), shares)
def test_other_numbers_or_dates_lower_the_belief(sentence, cut, form):
    kept = range(len(sentence.words))
    one, other = (belief(features(sentence, cut, kept, form, fits)) for fits in (False, True))
    assert 0 < one < other < 1


def is_usual(cut):
    """The reader is hardly ever surer of a cut."""
    return cut.stated <= HIGHEST and cut.shared <= HIGHEST


@given(readings(), shares, st.data())
def test_no_cut_whose_words_are_read_as_in_its_sentence_exceeds_the_bound(sentence, form, data):
    count = data.draw(st.integers(1, len(sentence.words)))
    cut = data.draw(readings(st.just(sentence.words[:count])).filter(is_usual))
    kept = data.draw(st.lists(st.sampled_from(range(len(sentence.words))), unique=True))
    fits = data.draw(st.booleans())
    most = bound(sentence, kept, form, count)
    assert belief(features(sentence, cut, kept, form, fits)) <= most + 1e-9


@pytest.mark.parametrize("texts", STORIES)
def test_a_stricter_overlap_tells_nothing_new(texts):
    found = [one.find(texts).statements for one in FINDERS]
    assert found[0]
    for bar, some in zip(BARS, found, strict=True):
        assert all(one.probability >= bar for one in some)
        assert all(one.weight == len(texts) for one in some)
    for laxer, stricter in pairwise(found):
        for one in stricter:
            assert any(content(one.text) <= content(other.text) for other in laxer)


def test_a_sentence_that_is_not_sure_gives_way_to_its_parts():
    summaries = [one.find(JOINED).summary for one in FINDERS]
    parts = "Rain flooded the cellar of the inn. Wind broke the windows of the chapel."
    assert summaries == [JOINED[0]] * 3 + [parts]


@pytest.mark.parametrize("texts", STORIES[:3])
def test_the_strictness_only_says_which_wordings_are_read_again(texts):
    finder = opened(texts)
    for place in range(len(texts)):
        found = [
            {one.text: tuple(one.probabilities) for one in finder.judged(place, bar)}
            for bar in BARS
        ]
        assert found[0]
        for laxer, stricter in pairwise(found):
            assert stricter.items() <= laxer.items()
        # What is not read again would not have reached the strictness.
        for bar, some in zip(BARS, found, strict=True):
            sure = {text for text, stated in found[0].items() if min(stated) >= bar}
            assert sure <= set(some)


def content(text):
    bare = [word.strip(".,").lower() for word in text.split()]
    return {stem(word) for word in bare if word not in STOP_WORDS}


def opened(texts):
    reader = Reader()
    read = Readings(texts, reader.encoder)
    nothing = Disputed(read, facts_of(read), [])
    return Finder(read, reader, len(texts), nothing)
