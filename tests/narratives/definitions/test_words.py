import json
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.errors import InputError
from commonground.io import Narrative
from commonground.narratives.definitions import common_words
from commonground.narratives.definitions.words import NOTHING


def found(narratives, **options):
    return {gram.form: gram.count for gram in common_words(narratives, **options).grams}


# Five pairs worked by hand.


def test_smaller_frequency_of_each_word():
    left = "The dog saw the cat. The cat ran."  # the 3, cat 2, dog, saw, ran
    right = "A cat and the dog slept; a cat woke."  # cat 2, dog 1, the 1
    assert found([left, right], n=1) == {"cat": 2, "the": 1, "dog": 1}


def test_ngrams_stay_within_sentences():
    left = "The river rose overnight. Families left their homes."
    right = "Overnight families left their homes. The river rose."
    assert found([left, right], n=3) == {
        "the river rose": 1,
        "families left their": 1,
        "left their homes": 1,
    }
    # "overnight families" runs over the end of a sentence on the left.
    assert "overnight families" not in found([left, right], n=2)


def test_stop_words_at_the_ends_only():
    left = "The House of Commons met on the Monday."
    right = "Members of the House of Commons met."
    assert found([left, right], drop_stop_words=True) == {
        "house of commons": 1,
        "commons met": 1,
        "house": 1,
        "commons": 1,
        "met": 1,
    }


def test_stems_join_forms_and_keep_a_readable_one():
    left = "Voters voted. Voters vote early."
    right = "Every voter was voting: they voted."
    grams = common_words([left, right], n=1, stem=True).grams
    # vote: voted, vote against voting, voted; voter: voters twice against voter once.
    assert [(g.words, g.form, g.counts) for g in grams] == [
        (("vote",), "voted", (2, 2)),
        (("voter",), "voters", (2, 1)),
    ]


def test_case_possessives_and_numbers():
    left = "The MAYOR’S office paid $1,200."
    right = "The mayor paid 1,200 euros, not 1.2 million."
    assert found([left, right], n=1) == {"the": 1, "mayor": 1, "paid": 1, "1,200": 1}


# Shape and laws.


def test_table():
    result = common_words(["The red bus was late.", "The red bus came; a red bus."], n=(1, 2))
    assert str(result).splitlines() == [
        "words    common      1      2",
        "red bus       1      1      2",
        "the red       1      1      1",
        "bus           1      1      2",
        "red           1      1      2",
        "the           1      1      1",
    ]
    assert json.loads(json.dumps(result.to_dict()))["grams"][0] == {
        "words": ["red", "bus"],
        "form": "red bus",
        "count": 1,
        "counts": [1, 2],
    }


def test_what_says_most_comes_first():
    left = "At 2 p.m. the paper mill in Halden was on fire. The mill in the town is old."
    right = "The paper mill in Halden burned at 2 p.m. in the rain, in the dark."
    grams = [gram.form for gram in common_words([left, right], n=(1, 2, 4)).grams]
    assert grams[:2] == ["paper mill in halden", "the paper mill in"]
    pairs = [form for form in grams if form.count(" ") == 1]
    # Two words of matter, then one ("mill in", ... by frequency and A to Z), then none.
    assert pairs[0] == "paper mill" and pairs[-2:] == ["in the", "p m"]
    assert [form for form in grams if " " not in form][-5:] == ["the", "in", "at", "m", "p"]


def test_long_tables_are_cut_in_print_only():
    text = " ".join(f"word{number}" for number in range(60))
    result = common_words([text, text], n=1)
    assert len(result.grams) == 60
    assert str(result).endswith("... and 20 more")


def test_three_narratives_share_what_all_have():
    texts = ["a fire at sea", "the fire at night", "fire at the pier at noon"]
    assert found(texts) == {"fire at": 1, "fire": 1, "at": 1}


def test_nothing_in_common():
    for left, right in [("Rain fell.", "Snow melted."), ("", "Snow melted."), ("", "")]:
        result = common_words([left, right])
        assert result.grams == ()
        assert str(result) == NOTHING


@pytest.mark.parametrize("wrong", [[], ["one"], "one text", None, ["one", 2], {"a": "b"}])
def test_wrong_narratives(wrong):
    with pytest.raises(InputError) as error:
        common_words(wrong)
    assert "\n" not in str(error.value)


def test_wrong_n():
    for n in (0, (), (1, 0)):
        with pytest.raises(InputError):
            common_words(["a", "b"], n=n)


def test_narratives_may_have_sources():
    plain = common_words(["It rained.", "It rained a lot."])
    named = common_words([Narrative("x", "It rained."), "It rained a lot."])
    assert (named.grams, named.signature) == (plain.grams, plain.signature)
    assert [one["source"] for one in named.to_dict()["narratives"]] == ["x", "narrative 2"]


text = st.lists(st.sampled_from(["Rain", "fell", "on", "the roofs.", "They", "sang."]), max_size=9)


@given(st.lists(text.map(" ".join), min_size=2, max_size=4), st.booleans(), st.booleans())
def test_order_only_orders_the_columns(texts, drop, stem):
    options = {"drop_stop_words": drop, "stem": stem}
    first = common_words(texts, **options)
    for order in permutations(range(len(texts))):
        other = common_words([texts[i] for i in order], **options)
        assert [(g.words, g.form, g.count) for g in other.grams] == [
            (g.words, g.form, g.count) for g in first.grams
        ]
        assert [g.counts for g in other.grams] == [
            tuple(g.counts[i] for i in order) for g in first.grams
        ]


@given(text.map(" ".join))
def test_a_narrative_with_itself_keeps_every_word(one):
    result = common_words([one, one], n=1)
    assert all(gram.count == gram.counts[0] == gram.counts[1] for gram in result.grams)
    assert sum(gram.count for gram in result.grams) == len(one.replace(".", "").split())


def test_twenty_narratives():
    texts = [f"Crew number {n} saw the flare." for n in range(20)]
    assert found(texts, n=3) == {"saw the flare": 1}
