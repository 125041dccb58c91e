"""Changing a pyramid by hand, with answers worked out by hand."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.errors import InputError
from commonground.pyramid import Contributor, Pyramid, Unit, edited
from commonground.pyramid.editing import merge, rename, reweigh, split
from commonground.score import Signature

TEXTS = ("It rained. All left.", "Rain fell. People went.", "It was wet. It poured.")


def said(reference, text):
    return Contributor(reference, text, f"{reference + 1}.1.0.0", ((0, len(text)),))


def by_hand():
    """Weights 3, 2 and 1, in this order."""
    return Pyramid(
        (
            Unit("It rained", (said(0, "It rained"), said(1, "Rain fell"), said(2, "It was wet"))),
            Unit("All left", (said(0, "All left"), said(1, "People went")), 0.8),
            Unit("It poured", (said(2, "It poured"),)),
        ),
        TEXTS,
        Signature("PYRAMID", (("builder", "edua-g"), ("refs", "3"), ("v", "0.1.0"))),
    )


def shape(pyramid):
    return [(unit.label, unit.weight, len(unit.contributors)) for unit in pyramid.units]


def test_renaming_changes_the_words_alone():
    found = rename(by_hand(), 1, "  Everybody\nleft ")
    assert shape(found) == [("It rained", 3, 3), ("Everybody left", 2, 2), ("It poured", 1, 1)]
    assert found.units[1].contributors == by_hand().units[1].contributors


def test_a_weight_that_is_set_moves_the_unit_to_its_tier():
    found = reweigh(by_hand(), 2, 5)
    assert shape(found)[0] == ("It poured", 5, 1)
    assert shape(reweigh(found, 0, None)) == shape(by_hand())


def test_merged_units_weigh_as_many_references_as_say_either():
    found = merge(by_hand(), [1, 2])
    # References 1, 2 and 3 say one of the two.
    assert shape(found) == [("It rained", 3, 3), ("All left", 3, 3)]
    assert [one.reference for one in found.units[1].contributors] == [0, 1, 2]
    assert found.units[1].attraction == 0.8


def test_merged_units_have_the_words_of_the_heaviest_or_of_equals_the_longest():
    assert merge(by_hand(), [2, 1]) == merge(by_hand(), [1, 2])
    assert shape(merge(by_hand(), [2, 1]))[1][0] == "All left"
    fragment = rename(by_hand(), 1, "who left")
    alike = rename(reweigh(fragment, 2, 2), 2, "It poured from the roofs")
    assert "It poured from the roofs" in [unit.label for unit in merge(alike, [1, 2]).units]
    assert "It poured from the roofs" in [unit.label for unit in merge(alike, [2, 1]).units]


def test_a_reference_that_says_it_twice_counts_once():
    found = merge(by_hand(), [0, 2], "It rained hard")
    assert shape(found) == [("It rained hard", 3, 4), ("All left", 2, 2)]
    again = Pyramid.from_dict(json.loads(json.dumps(found.to_dict())))
    assert again == found


def test_merged_weights_by_hand_are_gone():
    assert shape(merge(reweigh(by_hand(), 2, 9), [0, 2]))[0][1] == 3


def test_splitting_gives_each_part_its_references():
    found = split(by_hand(), 0, [2])
    assert shape(found) == [
        ("It rained", 2, 2),
        ("All left", 2, 2),
        ("It poured", 1, 1),
        ("It was wet", 1, 1),
    ]


def test_the_label_goes_with_its_words():
    found = split(by_hand(), 0, [0, 2])
    labels = {unit.label: [one.text for one in unit.contributors] for unit in found.units}
    assert labels["It rained"] == ["It rained", "It was wet"]
    assert labels["Rain fell"] == ["Rain fell"]
    assert split(by_hand(), 0, [1], "Rain").units[-1].label == "Rain"


def test_splitting_undoes_merging():
    merged = merge(by_hand(), [0, 2])
    assert shape(split(merged, 0, [3])) == shape(by_hand())


def with_ideas():
    """One idea of two references, worded as the second and judged by a clause of the first."""
    texts = ("It is said that lamps save power. All left.", "Lamps need less power. It rained.")
    clause = Contributor(0, "that lamps save power", "1.1.1.1", ((11, 32),))
    whole = Contributor(1, "Lamps need less power.", "2.1.0.0", ((0, 22),))
    unit = Unit("Lamps need less power.", (clause, whole), 0.8, clause=clause.text)
    other = Unit("All left.", (Contributor(0, "All left.", "1.2.0.0", ((34, 43),)),))
    return Pyramid((unit, other), texts, by_hand().signature)


@pytest.mark.parametrize("moving", [0, 1])
def test_each_part_of_an_idea_has_words_of_its_own_contributors(moving):
    found = split(with_ideas(), 0, [moving])
    words = {unit.contributors[0].text: (unit.label, unit.judged) for unit in found.units}
    assert words["Lamps need less power."] == ("Lamps need less power.",) * 2
    label, judged = words["that lamps save power"]
    assert label in ("It is said that lamps save power.", "Lamps save power.")
    assert judged == "that lamps save power"


def test_a_label_given_by_hand_stays_with_the_old_unit_after_a_split():
    pyramid = with_ideas()
    named = rename(merge(pyramid, [0, 1]), 0, "Lamps")
    again = Unit("It rained", (said(1, "It rained"),), clause="rain")
    found = split(Pyramid((*named.units, again), pyramid.references, named.signature), 0, [2])
    labels = {unit.label: len(unit.contributors) for unit in found.units}
    assert labels == {"Lamps": 2, "Lamps need less power.": 1, "It rained": 1}


def test_changes_are_made_one_after_the_other():
    edits = [
        {"do": "merge", "units": [1, 2]},
        {"do": "reweigh", "unit": 0, "weight": 1},
        {"do": "rename", "unit": 1, "label": "Rain"},
    ]
    # Of two units of weight 3 the nearer-knit stands first: "It rained" falls to the end.
    assert shape(edited(by_hand(), edits)) == [("All left", 3, 3), ("Rain", 1, 3)]
    assert edited(by_hand(), edits[:0]) == by_hand()


def test_the_signature_says_that_it_was_edited():
    start = by_hand()
    found = rename(start, 0, "Rain")
    fields = found.signature.to_dict()
    assert len(fields["edited"]) == 8
    assert list(fields)[-2:] == ["edited", "v"]
    assert "edited" not in start.signature.to_dict()
    # What matters is where one arrives, not the way there.
    assert rename(rename(start, 0, "Wet"), 0, "Rain").signature == found.signature
    assert rename(start, 0, "Wet").signature != found.signature


def test_scores_carry_the_mark():
    score = rename(by_hand(), 0, "Rain fell").score("Rain fell. Everyone left.")
    assert "|edited:" in str(score.signature)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda p: rename(p, 3, "x"), "there is no unit 3; the pyramid has 3"),
        (lambda p: rename(p, -1, "x"), "there is no unit -1"),
        (lambda p: rename(p, 0, " \n"), "needs some words"),
        (lambda p: reweigh(p, 0, 0), "a weight is from 1 to 99, not 0"),
        (lambda p: merge(p, [1]), "two units or more"),
        (lambda p: merge(p, [1, 1]), "two units or more"),
        (lambda p: split(p, 2, [0]), "not none and not all"),
        (lambda p: split(p, 0, []), "not none and not all"),
        (lambda p: split(p, 0, [7]), "no such contributor"),
        (lambda p: edited(p, [{"do": "mrege", "units": [0, 1]}]), "did you mean 'merge'?"),
    ],
)
def test_what_cannot_be_done_is_said(change, words):
    with pytest.raises(InputError, match=words.replace("?", r"\?")):
        change(by_hand())


@given(st.data())
def test_no_words_are_lost_and_weights_are_in_order(data):
    pyramid = by_hand()
    start = sorted(one.text for unit in pyramid.units for one in unit.contributors)
    for _ in range(data.draw(st.integers(1, 5))):
        count = len(pyramid.units)
        place = data.draw(st.integers(0, count - 1))
        size = len(pyramid.units[place].contributors)
        if size > 1 and data.draw(st.booleans()):
            out = data.draw(st.sets(st.integers(0, size - 1), min_size=1, max_size=size - 1))
            pyramid = split(pyramid, place, sorted(out))
        elif count > 1:
            other = (place + data.draw(st.integers(1, count - 1))) % count
            pyramid = merge(pyramid, [place, other])
    assert sorted(one.text for unit in pyramid.units for one in unit.contributors) == start
    weights = [unit.weight for unit in pyramid.units]
    assert weights == sorted(weights, reverse=True)
    for unit in pyramid.units:
        assert unit.weight == len({one.reference for one in unit.contributors})
