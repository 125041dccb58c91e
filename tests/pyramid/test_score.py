"""The four scores: figure 2 of the paper by hand, and the corners."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.errors import InputError
from commonground.pyramid.score import (
    FourScores,
    PyramidScore,
    UnitMatch,
    average_count,
    heaviest,
    scores,
)
from commonground.score import Signature

# Five references with 75 units in all: the best 5 weigh 3 x 5 + 2 x 4 = 23, the best 15 weigh
# 3 x 5 + 4 x 4 + 6 x 3 + 2 x 2 = 53.
FIGURE_2 = [5] * 3 + [4] * 4 + [3] * 6 + [2] * 6 + [1] * 14


def stating(weights, *stated):
    """Presence 1 for units of these weights, 0 for all others."""
    left = list(stated)
    found = []
    for weight in weights:
        found.append(float(weight in left))
        if weight in left:
            left.remove(weight)
    assert not left
    return found


def test_figure_2():
    # Five units: two of weight 5, one of 4, one of 2, and one that is not in the pyramid.
    presence = stating(FIGURE_2, 5, 5, 4, 2)
    found = scores(FIGURE_2, presence, segments=5, references=5)
    assert average_count(FIGURE_2, 5) == 15
    assert heaviest(FIGURE_2, 5) == 23
    assert heaviest(FIGURE_2, 15) == 53
    assert found.raw == 16
    assert found.quality == 16 / 23
    assert found.coverage == 16 / 53
    # The harmonic mean of a/b and a/c is 2a / (b + c).
    assert found.comprehensive == pytest.approx(32 / 76, abs=1e-15)
    assert found.unit_count == 5


def test_unmatched_segments_lower_the_quality_alone():
    presence = stating(FIGURE_2, 5, 5, 4, 2)
    short = scores(FIGURE_2, presence, 5, 5)
    wordy = scores(FIGURE_2, presence, 9, 5)
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
    assert scores([1, 3, 2], [0, 1, 1], 6, 3).quality == 5 / 6
    # An edited pyramid whose weights exceed its references: 9 / 1 units asked, two there.
    assert scores([5, 4], [0, 1], 1, 1).coverage == 4 / 9


@pytest.mark.parametrize(("count", "weights"), [(0, [3, 2]), (3, []), (0, [])])
def test_nothing_to_divide_by(count, weights):
    assert scores(weights, [0] * len(weights), count, 3) == FourScores(0, 0.0, 0.0, 0.0, count)


def test_soft_presence_is_held_against_as_many_units_as_it_adds_up_to():
    # One clause for 1.25 units: beside the best two, which weigh 4.
    found = scores([2, 2, 1], [0.75, 0.25, 0.25], 1, 2)
    assert (found.raw, found.unit_count) == (2.25, 2)
    assert found.quality == 2.25 / 4
    # 5 / 2 is 3 units a reference: all of them, 5.
    assert found.coverage == 2.25 / 5


def test_more_than_enough_is_enough():
    # All units stated, 6, where an average reference has two, 5 at best.
    found = scores([3, 2, 1], [1, 1, 1], 3, 3)
    assert (found.raw, found.quality, found.coverage, found.comprehensive) == (6, 1, 1, 1)


def test_wrong_counts_are_named():
    with pytest.raises(InputError, match="at least one reference, not 0"):
        scores([1], [1], 1, 0)
    with pytest.raises(InputError, match="cannot have -1 units"):
        heaviest([1], -1)


@st.composite
def judged(draw):
    """Weights with presences, many of them 0, 1 or so near that sums are rounded."""
    weights = draw(st.lists(st.integers(1, 99), min_size=1, max_size=40))
    likely = st.sampled_from([0.0, 1.0, 1e-17, 1 - 2**-53, 1 / 3]) | st.floats(0, 1)
    return weights, draw(st.lists(likely, min_size=len(weights), max_size=len(weights)))


@given(judged(), st.integers(0, 20), st.integers(1, 10))
def test_all_but_raw_are_from_0_to_1(drawn, segments, references):
    weights, presence = drawn
    found = scores(weights, presence, segments, references)
    # Not by cutting off: the units stated cannot weigh more than as many of the heaviest.
    assert found.raw <= heaviest(weights, found.unit_count) * (1 + 1e-12)
    assert found.unit_count >= segments
    for share in (found.quality, found.coverage, found.comprehensive):
        assert 0 <= share <= 1
    assert min(found.quality, found.coverage) <= found.comprehensive + 1e-12
    assert found.comprehensive <= max(found.quality, found.coverage) + 1e-12


@given(
    st.lists(st.integers(1, 5), min_size=1, max_size=12).flatmap(
        lambda weights: st.tuples(st.permutations(weights), st.integers(0, len(weights)))
    ),
    st.integers(0, 6),
    st.integers(1, 5),
)
def test_with_matches_the_segments_count_and_the_order_does_not(drawn, unmatched, references):
    weights, matched = drawn
    presence = [1.0] * matched + [0.0] * (len(weights) - matched)
    found = scores(weights, presence, matched + unmatched, references)
    assert found.raw == sum(weights[:matched])
    assert found.unit_count == matched + unmatched
    backwards = scores(weights[::-1], presence[::-1], matched + unmatched, references)
    assert found == backwards


def match(weight, probability, **more):
    return UnitMatch(f"unit {weight}", weight, probability, 0, "Words.", **more)


@pytest.mark.parametrize(
    ("probability", "presence", "points"),
    [
        (1.0, "yes", 4.0),
        (0.5, "yes", 2.0),
        (0.49, "partly", 1.96),
        (0.25, "partly", 1.0),
        (0.249, "no", 0.0),
        (0.0, "no", 0.0),
    ],
)
def test_one_rule_says_whether_a_unit_is_stated_and_what_it_is_worth(probability, presence, points):
    found = match(4, probability)
    assert found.presence == presence
    assert found.points == pytest.approx(points)
    plain = found.to_dict()
    assert (plain["presence"], plain["points"]) == (found.presence, found.points)


def test_what_is_shown_adds_up_to_the_score():
    # Half of 4, two fifths of 3, nothing of 2 and 1.
    matches = [match(4, 0.5), match(3, 0.4), match(2, 0.2), match(1, 0.1)]
    score = PyramidScore.of(matches, 2, 4, Signature("PYRAMID", ()))
    assert score.raw == pytest.approx(2 + 1.2)
    assert score.raw == pytest.approx(sum(one.points for one in score.matches))
    shown = str(score)
    assert "Stated: 2.0 points" in shown
    assert "Partly: 1.2 points" in shown
    assert shown.endswith("Missed:\n  [2] 0.20  unit 2\n  [1] 0.10  unit 1")


def test_nobody_earns_points_without_a_stated_or_partly_stated_unit():
    score = PyramidScore.of([match(5, 0.24)] * 36, 9, 5, Signature("PYRAMID", ()))
    assert (score.raw, score.quality, score.coverage) == (0, 0, 0)
