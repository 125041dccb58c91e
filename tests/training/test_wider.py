"""The wider pool: what is cut, what is left out, and that the seed decides it all."""

import random

import numpy as np
import pytest

from training.items import Claim, Item
from training.wider import _cuts, _odds, wider

BRIDGE = "The bridge was closed on Monday after cracks were found in two pillars."
BAKER = "The baker, who owns an oven, sold forty loaves, and his sister carried them to the market."
OWL = "A large owl sat on the roof of the barn."
TEXT = tuple(f"Hen {number} laid an egg." for number in range(1000))


def item(claims, text=TEXT, name="e", fold=2):
    return Item(name, "own", "news", fold, text, tuple(Claim(one) for one in claims))


def all_cuts(sentence, seeds=60):
    return {one for n in range(seeds) for one in _cuts([sentence], random.Random(n))[sentence]}


def bare(sentence):
    """The words without marks and case, and "an" as "a", which follows the next word."""
    words = [word.strip(",.").lower() for word in sentence.split()]
    return ["a" if word == "an" else word for word in words]


def within(part, whole):
    """Whether the words of the part stand in the whole in the same order."""
    rest = iter(whole)
    return all(word in rest for word in part)


def test_the_same_seed_gives_the_same_pool():
    items = [item([BRIDGE, BAKER, OWL]), item([OWL], name="f")]
    assert list(wider(items, 7)) == list(wider(items, 7))
    assert list(wider(items, 7)) != list(wider(items, 8))


def test_thinning_drops_two_sentences_in_five():
    left = [len(one.text) for seed in range(5) for one in wider([item([OWL] * 20)], seed)]
    thin = [n for n in left if n < len(TEXT)]
    assert len(thin) == 5
    # The standard error of the mean of five draws of 1000 sentences is 7.
    assert abs(np.mean(thin) - 600) < 28


def test_a_thinned_text_keeps_the_order_of_its_sentences():
    thin = next(wider([item([OWL] * 20)]))
    assert 500 < len(thin.text) < 700
    places = [TEXT.index(sentence) for sentence in thin.text]
    assert places == sorted(set(places))


def test_a_text_of_one_sentence_is_never_thinned_or_emptied():
    made = [one for seed in range(40) for one in wider([item([BRIDGE], TEXT[:1])], seed)]
    assert made
    assert all(one.text == TEXT[:1] for one in made)
    assert BRIDGE not in {claim.sentence for one in made for claim in one.claims}


def test_no_text_claim_or_item_is_empty():
    made = [
        one
        for seed in range(20)
        for one in wider([item([BRIDGE, "Rain fell."], TEXT[:3]), item([], TEXT[:3])], seed)
    ]
    assert made
    assert all(one.text and one.claims for one in made)
    assert all(claim.sentence.strip() for one in made for claim in one.claims)


def test_new_items_keep_the_event_and_its_fold_and_claim_to_know_nothing():
    for one in wider([item([BRIDGE, BAKER], name="mill", fold=3)]):
        assert (one.id, one.fold, one.kind, one.source) == ("mill", 3, "news", "pool")
        assert all(claim == Claim(claim.sentence) for claim in one.claims)


def test_a_whole_sentence_is_read_against_less_than_its_text_only():
    whole = {True: 0, False: 0}
    for seed in range(10):
        for one in wider([item([BRIDGE] * 30)], seed):
            whole[one.text == TEXT] += sum(claim.sentence == BRIDGE for claim in one.claims)
    # One whole sentence in two: 150 of 300, with a standard deviation of 9.
    assert whole[True] == 0
    assert 114 < whole[False] < 186


@pytest.mark.parametrize(
    ("sentence", "cuts"),
    [
        (
            BRIDGE,
            {
                "The bridge was closed.",
                "The bridge was closed on Monday.",
                "The bridge was closed after cracks were found.",
                "The bridge was closed on Monday after cracks were found.",
                "The bridge was closed after cracks were found in two pillars.",
                "Cracks were found.",
                "Cracks were found in pillars.",
                "Cracks were found in two pillars.",
            },
        ),
        (
            OWL,
            {
                "An owl sat.",
                "An owl sat on the roof.",
                "An owl sat on the roof of the barn.",
                "A large owl sat.",
                "A large owl sat on the roof.",
            },
        ),
    ],
)
def test_all_cuts_are_sentences_that_the_whole_one_states(sentence, cuts):
    found = all_cuts(sentence)
    assert found <= cuts
    assert len(found) > 3


@pytest.mark.parametrize("sentence", [BRIDGE, BAKER, OWL])
def test_a_cut_has_words_of_its_sentence_in_their_order_but_not_all(sentence):
    for one in all_cuts(sentence):
        assert within(bare(one), bare(sentence))
        assert 3 <= len(bare(one)) < len(bare(sentence))
        assert one[0].isupper() and one.endswith(".")


def test_long_and_short_sentences_are_not_cut():
    long = " and ".join(["the old cat sat on the mat"] * 11) + "."
    assert len(long.split()) == 87
    short = " and ".join(["the old cat sat on the mat"] * 3) + "."
    found = _cuts([long, short, "Rain fell.", ""], random.Random(0))
    assert found[long] == found["Rain fell."] == found[""] == []
    assert found[short]


def test_a_cut_of_two_words_is_left_out():
    sentence = "Rain fell and a cold wind blew from the sea."
    found = all_cuts(sentence)
    assert found
    assert "Rain fell." not in found


def test_neighbouring_words_share_their_odds():
    odds = np.array([_odds(60, random.Random(seed)) for seed in range(200)])
    assert odds.shape == (200, 60)
    apart = odds - odds.mean(axis=1, keepdims=True)

    def correlation(lag):
        return np.mean(apart[:, :-lag] * apart[:, lag:]) / np.mean(apart**2)

    # Means of five steps have four of five in common with the next one, and none with the sixth.
    assert abs(correlation(1) - 0.8) < 0.05
    assert abs(correlation(5)) < 0.15
