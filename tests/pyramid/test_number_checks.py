"""Numbers and dates of a unit that the sentence lacks, or has differently; a person checks them."""

import pytest

from commonground.pyramid import Check, Contributor, Pyramid, Unit
from commonground.pyramid.evidence.checks import checks
from commonground.score import Signature

GRANT = "The council received a grant of 40,000 pounds."


def words(label, sentence):
    return [check.words for check in checks(label, label, [sentence], sentence)]


@pytest.mark.parametrize(
    ("label", "sentence", "value"),
    [
        (GRANT, "The council received a grant.", "number “40,000 pounds”"),
        ("Two pillars have cracks.", "The pillars have cracks.", "number “Two”"),
        ("The bridge closed on Monday.", "The bridge closed.", "date “Monday”"),
        ("It opened in 1931.", "It opened.", "date “1931”"),
        # The weeks are not the number of the pillars.
        ("Two pillars have cracks.", "It took 3 weeks.", "number “Two”"),
        # Which of two numbers is meant is unknown.
        (GRANT, "It received 500 pounds and 700 pounds.", "number “40,000 pounds”"),
    ],
)
def test_a_missing_value_is_told(label, sentence, value):
    assert words(label, sentence) == [f"the {value} is not in the sentence"]


@pytest.mark.parametrize(
    ("label", "sentence", "noun", "ours", "theirs"),
    [
        (GRANT, "It received 4,000 pounds.", "number", "40,000 pounds", "4,000 pounds"),
        ("It closed on Monday.", "It closed on Tuesday.", "date", "Monday", "Tuesday"),
        ("Three died and five were hurt.", "Three died, six were hurt.", "number", "five", "six"),
    ],
)
def test_another_value_is_told(label, sentence, noun, ours, theirs):
    assert words(label, sentence) == [f"the idea has the {noun} “{ours}”, the sentence “{theirs}”"]


@pytest.mark.parametrize(
    ("label", "sentence"),
    [
        (GRANT, "The grant was £40,000."),
        (GRANT, "It received 40 thousand pounds."),
        ("Lamps use 60 percent less power.", "They save 60% of the power."),
        ("It closed on Monday, May 3.", "On 3 May it was closed."),
        ("It opened in 1931.", "1931 is the year of its opening."),
        ("About 50 people came.", "There were 48 guests."),
        # Nobody would miss these.
        ("One of the pillars has several cracks.", "A pillar has cracks."),
        ("Lamps are dimmed at night.", "Lamps are dimmed."),
        # The number is in the sentence before, which is only context.
        ("[The grant was 40,000 pounds.] It came late.", "It came late."),
        ("It came in 1931, and people cheered. (here: “people cheered”)", "People cheered."),
    ],
)
def test_an_equal_value_and_an_idle_one_are_not_told(label, sentence):
    assert words(label, sentence) == []


def test_several_reasons_are_all_told():
    denied = "The council did not receive a grant of 4,000 pounds."
    found = checks(GRANT, GRANT, [denied], denied)
    assert [check.kind for check in found] == ["negation", "number"]


@pytest.mark.parametrize("method", ["soft", "wmin"])
def test_a_score_tells_the_number_and_counts_the_unit(method):
    unit = Unit(GRANT, (Contributor(0, GRANT), Contributor(1, GRANT)))
    pyramid = Pyramid((unit,), ("a", "b"), Signature.of("PYRAMID", builder="hand"))
    scorer = pyramid.scorer(method, encoder="minilm")
    (wrong,) = scorer.score("The council received a grant of 4,000 pounds.").matches
    told = "the idea has the number “40,000 pounds”, the sentence “4,000 pounds”"
    assert wrong.checks == (Check("number", told),)
    assert wrong.points > 1
    (right,) = scorer.score(GRANT).matches
    assert right.checks == ()
