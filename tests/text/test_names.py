"""Names in prose: what is left of them, and which can be of the same one."""

import pytest

from commonground.text.values import fullest, name_parts, same_name, same_person


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("Former Sen. John McCain Jr.'s", ("john", "mccain")),
        ("the U.S.", ("united", "states")),
        ("Ford Motor Co.", ("ford", "motor")),
        ("O'Brien's", ("o'brien",)),
        ("the United States'", ("united", "states")),
        ("President", ("president",)),
        ("", ()),
    ],
)
def test_parts(name, left):
    assert name_parts(name) == left


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Sen. McCain", "John McCain", True),
        ("John McCain", "Cindy McCain", False),
        ("Bill Clinton", "William Clinton", True),
        ("J. Smith", "John Smith", True),
        ("J. Smith", "Peter Smith", False),
        ("Zelensky", "Volodymyr Zelenskyy", True),
        ("Gaddafi", "Qaddafi", True),
        ("Martin", "Morris", False),
        ("John Fitzgerald Kennedy", "Fitzgerald Kennedy", True),
        ("Dr. Okafor", "Professor Okafor", True),
    ],
)
def test_persons(one, other, same):
    assert same_person(one, other) is same
    assert same_person(other, one) is same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("FBI", "Federal Bureau of Investigation", True),
        ("the WHO", "World Health Organization", True),
        ("San Francisco", "Portland", False),
        ("US", "United States", True),
        ("Toyota", "Toyota Motor Corp.", True),
        ("New York", "New York City", True),
        ("North Korea", "South Korea", False),
    ],
)
def test_other_names(one, other, same):
    assert same_name(one, other) is same
    assert same_name(other, one) is same


def test_fullest():
    assert fullest(["McCain", "Sen. McCain", "John McCain"]) == "John McCain"
