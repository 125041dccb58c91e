"""Signatures stay one line with one meaning, whatever the values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.score import Signature


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("plain@host:80/v1", "plain@host:80/v1"),
        ("a|refs:9", "a%7Crefs:9"),
        ("two\nlines", "two%0Alines"),
        ("a%7Cb", "a%257Cb"),
    ],
)
def test_what_would_break_the_line_is_written_otherwise(value, shown):
    signature = Signature.of("X", model=value)
    assert str(signature).split("|v:")[0] == f"X|model:{shown}"
    assert signature.to_dict()["model"] == shown


@given(st.text(max_size=20), st.text(max_size=20))
def test_different_values_never_look_alike(one, other):
    shown = [str(Signature.of("X", model=value)) for value in (one, other)]
    assert (shown[0] == shown[1]) == (one == other)
    assert all(text.count("|") == 2 and "\n" not in text for text in shown)
