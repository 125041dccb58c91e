"""Conflicts in whole narratives: what the examples hold, and what only looks like a conflict."""

import re
from functools import cache
from itertools import permutations
from pathlib import Path

import pytest

from commonground.narratives import Overlaps
from commonground.narratives.conflicts.pair import QUALITIES, VERBS, WORDS, opposite
from commonground.report import overlap_body

EXAMPLES = Path(__file__).parents[3] / "examples" / "overlap"


@cache
def finder():
    return Overlaps()


def told(*texts):
    found = finder().find(texts).conflicts
    return [(one.kind, *(" ".join(side.value.split()) for side in one.sides)) for one in found]


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        ("news", {("number", "About 340", "410")}),
        ("witnesses", {("quality", "white", "grey")}),
        ("policies", {("number", "90 days", "30 days")}),
        ("reviews", {("number", "0.71", "0.61"), ("number", "6", "4")}),
        (
            "clinical",
            {("negation", "is allergic", "has no known allergies"), ("number", "40 mg", "80 mg")},
        ),
        (
            "three-way",
            {("date", "19 June", "12 June", "12 June"), ("number", "twelve", "eleven")},
        ),
        ("unrelated", set()),
    ],
)
def test_the_examples(folder, expected):
    texts = [path.read_text(encoding="utf-8") for path in sorted((EXAMPLES / folder).iterdir())]
    assert set(told(*texts)) == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (
            "A red hatchback came round the bend.",
            "Round the bend came a blue hatchback.",
            [("quality", "red", "blue")],
        ),
        (
            "Eleven passengers were injured, one of them seriously.",
            "Seventeen passengers were hurt when the train derailed.",
            [("number", "Eleven", "Seventeen")],
        ),
    ],
)
def test_found(one, other, expected):
    assert sorted(told(one, other)) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Oxygen saturation was 89 percent in room air.",
            "With two litres of oxygen the saturation is 95 percent.",
        ),
        (
            "His temperature on arrival was 39.2 degrees Celsius.",
            "On the day he left, his temperature was 36.8 degrees Celsius.",
        ),
        ("Profit rose from 260 million euros.", "Profit rose to 310 million euros."),
        ("Shares of Acme rose on Monday.", "Shares of Acme fell on Tuesday."),
        (
            "The groups differ significantly in the delayed test.",
            "The groups do not differ significantly in the immediate test.",
        ),
        ("Over a dozen other states sued.", "Eighteen states sued."),
        ("A red car hit a blue car.", "The blue car was hit at the crossing."),
        ("The van was parked on the left side.", "White vans are parked on the right."),
    ],
)
def test_no_conflict(one, other):
    assert told(one, other) == []


def test_a_difference_is_told_once_whatever_its_wording():
    one = "Fire kills twelve in Leeds. The fire in Leeds killed 12 people on Monday."
    other = "Fire kills fifteen in Leeds. The fire in Leeds killed 15 people on Monday."
    assert len(told(one, other)) == 1


ALSO_STATED = (
    "A public meeting on the future of the site will be held in the market hall on 19 June. Tea is "
    "served.",
    "The mayor invites all citizens to a public meeting in the market hall on 12 June. It is free.",
    "The hall is large. Come to the meeting on 12 June and bring your neighbours.",
)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_every_text_with_a_value_is_listed_in_any_order(order):
    # The third sentence is too unlike the first to be in conflict with it.
    texts = [ALSO_STATED[index] for index in order]
    assert told(ALSO_STATED[0], ALSO_STATED[2]) == []
    (conflict,) = finder().find(texts).conflicts
    assert {(order[side.narrative], side.value) for side in conflict.sides} == {
        (0, "19 June"),
        (1, "12 June"),
        (2, "12 June"),
    }
    groups = {order[side.narrative]: side.group for side in conflict.sides}
    assert groups[1] == groups[2] != groups[0]
    page = overlap_body(finder().find(ALSO_STATED).to_dict(readings=True))
    values = re.findall(r'class="one">(.*?)</span>', page)
    both = ['A: <strong dir="auto">19 June</strong>', 'B, C: <strong dir="auto">12 June</strong>']
    assert values == 2 * both  # in the overview and in the list


@pytest.mark.parametrize(
    ("one", "other", "third"),
    [
        (
            "The repair costs 7.2 million euros. The roof leaks.",
            "The repair costs 4.5 million euros. The roof leaks.",
            "The state gave 4.5 million euros to the school. The roof of the school is new.",
        ),
        (
            "The meeting is on Monday. Come early.",
            "The meeting is on Tuesday. Come early.",
            "On Tuesday the bakery is closed. Bread is sold at the market.",
        ),
        (
            "The museum was designed by Paul Renard. It opens in May.",
            "Ingrid Solberg designed the museum. It is made of brick.",
            "Ingrid Solberg praised the museum. She is the mayor.",
        ),
        (
            "12 people were killed in the crash. Firemen came.",
            "15 people were killed in the crash. Firemen came.",
            "15 people were injured in the crash. Firemen came.",
        ),
    ],
)
def test_the_same_value_of_another_matter_is_not_listed(one, other, third):
    (conflict,) = finder().find([one, other, third]).conflicts
    assert [side.narrative for side in conflict.sides] == [0, 1]


@pytest.mark.parametrize(
    ("sides", "one", "other", "expected"),
    [
        (VERBS, "sign", "veto", True),
        (VERBS, "approve", "adopt", False),
        (VERBS, "rise", "fall", True),
        (QUALITIES, "white", "grey", True),
        (QUALITIES, "grey", "silver", False),
        (QUALITIES, "left", "white", False),
        (WORDS, "sober", "drunk", True),
        (VERBS, "sober", "drunk", False),
    ],
)
def test_opposites(sides, one, other, expected):
    assert opposite(sides, one, other) is expected
    assert opposite(sides, other, one) is expected
