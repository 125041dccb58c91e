"""ROUGE equals rouge-score 0.1.2, and its stems equal NLTK's."""

import pydoc_data.topics
import re
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from rouge_score.rouge_scorer import RougeScorer

from commonground.metrics.rouge import Rouge
from commonground.text import porter
from commonground.text.lexicon import lexicon

TYPES = ["rouge1", "rouge2", "rouge5", "rouge9", "rougeL", "rougeLsum"]
THEIRS = {stemmer: RougeScorer(TYPES, use_stemmer=stemmer) for stemmer in (False, True)}
OURS = {stemmer: Rouge(types=TYPES, stemmer=stemmer) for stemmer in (False, True)}

# Few words, so that texts repeat and share them; forms of one stem; what is not ASCII.
WORDS = st.sampled_from(
    ("the", "The", "a", "of", "vote", "votes", "voted", "voting", "law", "laws", "12", "12th")
) | st.sampled_from(("café", "naïve", "İ", "Straße", "東京", "x"))
SEPARATORS = st.sampled_from([" ", " ", " ", ", ", "\n", "\n\n", " \n ", "-", "\r\n", "\u2028"])
PROSE = st.lists(st.tuples(WORDS, SEPARATORS), max_size=40).map(
    lambda pairs: "".join(word + separator for word, separator in pairs)
)
TEXTS = st.one_of(PROSE, PROSE, st.text(max_size=60), st.text("abC \n.", max_size=60))


def assert_equal(ours, theirs):
    for name in TYPES:
        expected = (theirs[name].precision, theirs[name].recall, theirs[name].fmeasure)
        assert tuple(ours[name]) == pytest.approx(expected, abs=1e-9, rel=0), name


@settings(max_examples=400, deadline=None)
@given(TEXTS, TEXTS, st.booleans())
def test_one_reference(prediction, reference, stemmer):
    theirs = THEIRS[stemmer].score(reference, prediction)
    assert_equal(OURS[stemmer].score(prediction, [reference]), theirs)


@settings(deadline=None)
@given(st.lists(PROSE, max_size=5), st.lists(PROSE, max_size=5), st.booleans())
def test_lists_of_sentences(prediction, reference, stemmer):
    prediction, reference = (
        [s.replace("\n", " ") for s in text] for text in (prediction, reference)
    )
    theirs = THEIRS[stemmer].score("\n".join(reference), "\n".join(prediction))
    assert_equal(OURS[stemmer].score(prediction, [reference]), theirs)


@settings(deadline=None)
@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=4), st.booleans())
def test_several_references(prediction, references, stemmer):
    best = THEIRS[stemmer].score_multi(references, prediction)
    each = [THEIRS[stemmer].score(reference, prediction) for reference in references]
    found = OURS[stemmer].score(prediction, references)
    for name in TYPES:
        assert found[name].f1 == pytest.approx(best[name].fmeasure, abs=1e-9, rel=0)
        # rouge-score breaks a tie in F1 by the order of the references, we by recall.
        tied = [s[name] for s in each if s[name].fmeasure == best[name].fmeasure]
        expected = max(tied, key=lambda score: (score.recall, score.precision))
        assert found[name].recall == pytest.approx(expected.recall, abs=1e-9, rel=0)
        assert found[name].precision == pytest.approx(expected.precision, abs=1e-9, rel=0)


def differing_stems(words):
    theirs = PorterStemmer()
    return {word for word in words if porter.stem(word) != theirs.stem(word)}


def test_stems_of_built_words():
    suffixes = lexicon("porter")
    beginnings = ["s", "by", "tr", "oat", "yay", "ivy", "rel", "sens", "hop", "fizz", "fall"]
    beginnings += ["agre", "commun", "geo", "syzyg", "o2", "ll"]
    inner = ["", "al", "at", "iv", "ous", "ful", "l", "bil", "y", "iz", "ic"]
    endings = [
        *("", "s", "es", "ies", "ied", "ed", "eed", "ing", "y", "e", "ll", "ly", "li", "sses"),
        *suffixes["double_suffixes"],
        *suffixes["adjective_suffixes"],
        *suffixes["last_suffixes"].split(),
    ]
    words = {"".join(parts) for parts in product(beginnings, inner, endings)}
    assert len(words) > 9000
    assert differing_stems(words | set(PorterStemmer().pool)) == set()


def test_stems_of_words_in_prose():
    prose = " ".join(pydoc_data.topics.topics.values()).lower()
    words = set(re.findall("[a-z0-9]+", prose))
    assert len(words) > 3000
    assert differing_stems(words) == set()


@settings(max_examples=500, deadline=None)
@given(st.from_regex("[a-z0-9]{1,15}", fullmatch=True) | st.text("aeyslitnd", max_size=12))
def test_stems_of_random_words(word):
    assert differing_stems([word]) == set()
