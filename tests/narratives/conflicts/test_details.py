import pytest

from commonground.narratives import overlap
from commonground.narratives.conflicts.disputed import Details

HERE = Details.of(
    [
        "Exactly 1,200 jobs will go by Monday, 3 May.",
        "The loss was $1.2 billion, a third of it abroad.",
    ]
)


@pytest.mark.parametrize(
    ("text", "borne"),
    [
        ("The company cuts 1,200 jobs.", True),
        ("The company cuts 1,500 jobs.", False),
        ("It lost $1,200 million.", True),
        ("It lost $5 billion.", False),
        ("The jobs go on Monday.", True),
        ("The jobs go on Tuesday.", False),
        ("The jobs go in May.", True),
        ("One of the plants stays open.", True),
        ("The company cuts jobs.", True),
    ],
)
def test_numbers_must_be_there_and_dates_must_fit(text, borne):
    assert HERE.bear(text) is borne


def test_a_narrative_without_dates_bears_any():
    assert Details.of(["The company cuts jobs."]).bear("The company cuts jobs on Friday.")


def test_a_number_that_the_other_narrative_has_not_is_in_no_statement():
    left = "The company will cut 1,200 jobs in Leeds. The union called the plan a disgrace."
    right = "The company will cut 1,500 jobs in Leeds, and the union called the plan a disgrace."
    found = overlap([left, right])
    assert "1,200" not in found.summary
    assert "1,500" not in found.summary


def test_another_currency_is_another_sum():
    told = Details.of(["The bridge cost €5 million."])
    assert not told.bear("The bridge cost $5 million.")
    assert told.bear("The bridge cost €5 million.")
    assert Details.of(["The bridge was dear."]).bear("The bridge cost $5 million.")
