"""Numbers in prose: values, units, and which pairs can both be right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.text.values import numbers_agree, quantities
from commonground.text.values.numbers import number_word_value


@pytest.mark.parametrize(
    ("text", "words", "value", "dimension"),
    [
        ("Twelve were killed", "Twelve", 12, ""),
        ("two hundred and five votes", "two hundred and five", 205, ""),
        ("twenty-three cows", "twenty-three", 23, ""),
        ("two and a half million bees", "two and a half million", 2.5e6, ""),
        ("It cost $1.2 billion.", "$1.2 billion", 1.2e9, "$"),
        ("five hundred thousand dollars", "five hundred thousand dollars", 5e5, "$"),
        ("US$5m", "US$5m", 5e6, "$"),
        ("33 per cent", "33 per cent", 0.33, "share"),
        ("two-thirds of them", "two-thirds", 2 / 3, "share"),
        ("one in five houses", "one in five", 0.2, "share"),
        ("a two-hour meeting", "two-hour", 7200, "time"),
        ("62 miles", "62 miles", 99_779.328, "length"),
        ("70 °F", "70 °F", 21.111, "temperature"),
        ("2 to 4 sheep", "2 to 4", 3, ""),
        ("between 10 and 14 sheep", "between 10 and 14", 12, ""),
        ("about 1,050 sheep", "about 1,050", 1050, ""),
    ],
)
def test_value(text, words, value, dimension):
    (found,) = quantities(text)
    assert text[found.start : found.end] == words
    assert found.value == pytest.approx(value, rel=1e-3)
    assert found.measure.dimension == dimension


@pytest.mark.parametrize("text", ["A320", "COVID-19", "no numbers", "", "at 3:45", "a 1/2 inch"])
def test_no_number(text):
    assert quantities(text) == []


def test_two_numbers_stay_two():
    assert [found.value for found in quantities("12 and 15, then five, two")] == [12, 15, 5, 2]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("about 50", "48"),
        ("more than 300", "312"),
        ("dozens", "36"),
        ("hundreds of thousands", "450,000"),
        ("a third of", "33%"),
        ("one in five", "20 percent"),
        ("$1.2 billion", "$1,200 million"),
        ("1.2 million", "1,214,000"),
        ("two", "2"),
        ("100 km", "62 miles"),
        ("two hours", "120 minutes"),
        ("nearly 400", "387"),
        ("at least 12", "15"),
        ("10 to 15", "13"),
        ("up to 40", "25"),
        ("20 or so", "19"),
        ("several", "five"),
        ("21 °C", "70 °F"),
        ("more than 300", "nearly 400"),
        ("5 km", "5 years"),  # nothing in common, so nothing to disagree on
    ],
)
def test_agree(one, other):
    (first,), (second,) = quantities(one), quantities(other)
    assert numbers_agree(first, second)
    assert numbers_agree(second, first)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("12", "15"),
        ("50", "48"),
        ("about 50", "80"),
        ("more than 300", "287"),
        ("more than 300", "900"),
        ("dozens", "300"),
        ("a third of", "45%"),
        ("$1.2 billion", "$1.3 billion"),
        ("100 km", "100 miles"),
        ("nearly 400", "412"),
        ("4.6", "4.8"),
        ("fewer than 50", "70"),
    ],
)
def test_disagree(one, other):
    (first,), (second,) = quantities(one), quantities(other)
    assert not numbers_agree(first, second)
    assert not numbers_agree(second, first)


@given(st.integers(0, 10**9))
def test_every_number_is_read_and_agrees_with_itself(number):
    plain, grouped = quantities(f"{number} sheep"), quantities(f"about {number:,} sheep")
    assert [found.value for found in plain] == [number]
    assert numbers_agree(plain[0], grouped[0])


def test_words_that_are_no_one_number():
    assert number_word_value("five two") is None
    assert number_word_value("one thousand two hundred and six") == 1206


@given(
    st.lists(
        st.sampled_from(
            [
                "one",
                "in",
                "zero",
                "$",
                "5",
                "to",
                "3",
                "between",
                "and",
                "a",
                "dozen",
                "half",
                "of",
                "%",
                "0",
                "1,2",
                "or",
                "so",
            ]
        )
    )
)
def test_any_jumble_is_read(words):
    text = " ".join(words)
    for one in quantities(text):
        assert 0 <= one.start < one.end <= len(text)
        assert numbers_agree(one, one)
