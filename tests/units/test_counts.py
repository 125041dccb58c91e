"""The four scores: figure 2 of the paper by hand, and the corners."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.errors import InputError
from commonground.units._counts import Four, average_count, heaviest, scores

# Five references with 75 units in all: the best 5 weigh 3 x 5 + 2 x 4 = 23, the best 15 weigh
# 3 x 5 + 4 x 4 + 6 x 3 + 2 x 2 = 53.
FIGURE_2 = [5] * 3 + [4] * 4 + [3] * 6 + [2] * 6 + [1] * 14


def test_figure_2():
    # Five units: two of weight 5, one of 4, one of 2, and one that is not in the pyramid.
    found = scores(5 + 5 + 4 + 2 + 0, unit_count=5, weights=FIGURE_2, references=5)
    assert average_count(FIGURE_2, 5) == 15
    assert heaviest(FIGURE_2, 5) == 23
    assert heaviest(FIGURE_2, 15) == 53
    assert found.raw == 16
    assert found.quality == 16 / 23
    assert found.coverage == 16 / 53
    # The harmonic mean of a/b and a/c is 2a / (b + c).
    assert found.comprehensive == pytest.approx(32 / 76, abs=1e-15)


def test_unmatched_segments_lower_the_quality_alone():
    short = scores(16, 5, FIGURE_2, 5)
    wordy = scores(16, 9, FIGURE_2, 5)
    assert wordy.quality == 16 / (3 * 5 + 4 * 4 + 2 * 3)
    assert wordy.coverage == short.coverage


@pytest.mark.parametrize(
    ("weights", "references", "expected"),
    [
        ([2, 2, 1], 2, 3),  # 2.5: up, where rounding half to even says 2
        ([2, 2, 2, 1], 2, 4),  # 3.5: up
        ([1, 2, 1], 3, 1),  # 1.33
        ([2, 2, 1], 3, 2),  # 1.67
        ([1], 2, 1),  # 0.5: up
        ([], 4, 0),
    ],
)
def test_average_count_rounds_half_up(weights, references, expected):
    assert average_count(weights, references) == expected


def test_fewer_units_than_asked():
    # Six segments, three units: at most 3 + 2 + 1.
    assert scores(5, 6, [1, 3, 2], 3).quality == 5 / 6
    # An edited pyramid whose weights exceed its references: 9 / 1 units asked, two there.
    assert scores(4, 1, [5, 4], 1).coverage == 4 / 9


@pytest.mark.parametrize(("count", "weights"), [(0, [3, 2]), (3, []), (0, [])])
def test_nothing_to_divide_by(count, weights):
    assert scores(0, count, weights, 3) == Four(0, 0.0, 0.0, 0.0)


def test_soft_presence():
    found = scores(2.5, 1, [2, 2, 1], 2)
    assert found.to_dict() == {
        "raw": 2.5,
        "quality": 1.25,
        "coverage": 0.5,
        "comprehensive": pytest.approx(2 * 1.25 * 0.5 / 1.75, abs=1e-15),
    }


def test_wrong_counts_are_named():
    with pytest.raises(InputError, match="at least one reference, not 0"):
        scores(1, 1, [1], 0)
    with pytest.raises(InputError, match="cannot have -1 units"):
        scores(1, -1, [1], 1)


@given(
    st.lists(st.integers(1, 5), min_size=1, max_size=12).flatmap(
        lambda weights: st.tuples(st.permutations(weights), st.integers(0, len(weights)))
    ),
    st.integers(0, 6),
    st.integers(1, 5),
)
def test_distinct_units_never_exceed_the_quality_of_1(drawn, unmatched, references):
    weights, matched = drawn
    raw = sum(weights[:matched])
    found = scores(raw, matched + unmatched, weights, references)
    assert 0 <= found.quality <= 1
    assert found == scores(raw, matched + unmatched, sorted(weights), references)
    assert min(found.quality, found.coverage) <= found.comprehensive + 1e-12
    assert found.comprehensive <= max(found.quality, found.coverage) + 1e-12
