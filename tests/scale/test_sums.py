"""Sums a part at a time are those of `math.fsum`."""

from math import fsum

from hypothesis import given
from hypothesis import strategies as st

from commonground.scale.score import ExactSum

NUMBERS = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e9, max_value=1e9)


@given(st.lists(st.lists(NUMBERS)))
def test_the_parts_do_not_matter(parts):
    total = ExactSum()
    for part in parts:
        total.add(part)
    assert total.value == fsum(number for part in parts for number in part)


def test_what_rounding_would_lose():
    total = ExactSum()
    for part in ([1e9, 1e-300], [-1e9], [5e-324, 0.1] * 10):
        total.add(part)
    assert total.value == fsum([1e-300, *[5e-324, 0.1] * 10])
