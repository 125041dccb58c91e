"""Dates in prose: what they fix, and which pairs can mean the same time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.text.values import dates, dates_agree, dates_comparable


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("On Monday, May 3, at 3:30 p.m. they met", [("Monday, 3 May, 15:30", 3, 30)]),
        ("on 3 May 2021", [("3 May 2021", 3, 13)]),
        ("the 3rd of May", [("3 May", 0, 14)]),
        ("Dec. 5", [("5 December", 0, 6)]),
        ("2024-05-03", [("3 May 2024", 0, 10)]),
        ("at noon on Tuesday", [("Tuesday, 12:00", 3, 18)]),
        ("the night of June 4", [("4 June, night", 4, 19)]),
        ("In May, and in 2019.", [("May", 3, 6), ("2019", 15, 19)]),
        ("It may take 3 days, May said.", []),
        ("2,019 sheep in 2019 barns", []),
        ("midnight", [("0:00", 0, 8)]),
        ("12 a.m.", [("0:00", 0, 7)]),
    ],
)
def test_dates(text, found):
    assert [(str(one), one.start, one.end) for one in dates(text)] == found


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Monday", "Tuesday", False),
        ("May 3", "3 May", True),
        ("May 3", "May 4", False),
        ("Monday", "Monday, May 3", True),
        ("May 3, 2021", "May 3", True),
        ("in March 2020", "in April 2020", False),
        ("Monday morning", "Monday evening", False),
        ("evening", "night", True),
        ("3 p.m.", "15:00", True),
        ("3 p.m.", "4 p.m.", False),
        ("about 3 p.m.", "3:40 p.m.", True),
        ("9 a.m.", "evening", False),
        ("11:30 p.m.", "night", True),
        ("2 a.m.", "night", True),
        ("in 2019", "in 2021", False),
    ],
)
def test_agree(one, other, same):
    (first,), (second,) = dates(one), dates(other)
    assert dates_comparable(first, second)
    assert dates_agree(first, second) is same
    assert dates_agree(second, first) is same


@pytest.mark.parametrize(("one", "other"), [("Monday", "May 3"), ("in 2020", "in May")])
def test_nothing_to_compare(one, other):
    (first,), (second,) = dates(one), dates(other)
    assert not dates_comparable(first, second)
    assert dates_agree(first, second)


@given(
    st.lists(
        st.sampled_from(
            [
                "May",
                "3",
                "31",
                "2021",
                "2021-13-45",
                "13",
                "p.m.",
                ":",
                "10:30",
                ",",
                "noon",
                "Friday",
                "in",
                "the",
            ]
        )
    )
)
def test_any_jumble_is_read(words):
    text = " ".join(words)
    for one in dates(text):
        assert 0 <= one.start < one.end <= len(text)
        assert str(one)
        assert dates_agree(one, one)
