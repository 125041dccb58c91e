"""Conflicts in whole narratives: what the examples hold, and what only looks like a conflict."""

from functools import cache
from pathlib import Path

import pytest

from commonground.narratives import Overlaps
from commonground.narratives.conflicts.opposites import DECISIONS, QUALITIES, ROOMS, VERBS, opposite

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
        ("reviews", {("number", "0.71", "0.61")}),
        (
            "clinical",
            {("negation", "is allergic", "has no known allergies"), ("number", "40 mg", "80 mg")},
        ),
        ("three-way", {("number", "twelve", "eleven"), ("date", "19 June", "12 June", "12 June")}),
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
            "The jury convicted Marsh of fraud.",
            "The jury acquitted Marsh of fraud.",
            [("negation", "convicted", "acquitted")],
        ),
        (
            "Governor Hale signed the clean rivers bill on Tuesday.",
            "The governor vetoed the clean rivers bill on Wednesday.",
            [("date", "Tuesday", "Wednesday"), ("negation", "signed", "vetoed")],
        ),
        (
            "The water in Flint is safe to drink.",
            "The water in Flint is unsafe to drink.",
            [("negation", "is safe", "is unsafe")],
        ),
        (
            "The council voted to close the pool on Weir Road.",
            "The council decided to open the pool on Weir Road.",
            [("negation", "close", "open")],
        ),
        (
            "Fire crews say the blaze began in the kitchen on the second floor.",
            "The fire started in the laundry room and spread quickly.",
            [("place", "kitchen", "laundry room")],
        ),
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
        ("About 410 people were rescued.", "Firefighters rescued 340 residents."),
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


@pytest.mark.parametrize(
    ("sides", "one", "other", "expected"),
    [
        (VERBS, "sign", "veto", True),
        (VERBS, "approve", "adopt", False),
        (VERBS, "rise", "fall", True),
        (DECISIONS, "rise", "fall", False),
        (QUALITIES, "white", "grey", True),
        (QUALITIES, "grey", "silver", False),
        (QUALITIES, "left", "white", False),
        (ROOMS, "kitchen", "garage", True),
        (ROOMS, "cellar", "basement", False),
        (ROOMS, "kitchen", "house", False),
    ],
)
def test_opposites(sides, one, other, expected):
    assert opposite(sides, one, other) is expected
    assert opposite(sides, other, one) is expected
