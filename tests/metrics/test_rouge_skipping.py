"""ROUGE-S, ROUGE-SU and ROUGE-W: the examples of Lin (2004), and laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.errors import InputError
from commonground.metrics import Rouge
from commonground.metrics.rouge.weighted import unweighted, weighted_lcs

REFERENCE = "police killed the gunman"
TOKENS = st.lists(st.integers(0, 3), max_size=12)


def scored(kind, prediction, reference=REFERENCE):
    return Rouge(types=[kind]).score(prediction, [reference])[kind]


@pytest.mark.parametrize(
    ("prediction", "expected"),
    [
        ("police kill the gunman", 3 / 6),
        ("the gunman kill police", 1 / 6),
        ("the gunman police killed", 2 / 6),
    ],
)
def test_skip_bigrams_of_the_paper(prediction, expected):
    assert scored("rougeS4", prediction).f1 == pytest.approx(expected)


def test_single_words_count_in_su():
    # No pair in order, but four words of four: 4 of 6 + 4.
    assert scored("rougeS4", "gunman the killed police").f1 == 0
    assert scored("rougeSU4", "gunman the killed police").recall == pytest.approx(4 / 10)


def test_the_gap_limits_pairs():
    # "a b c" has ab, bc and, with one word between, ac.
    assert scored("rougeS0", "a b c", "a c").recall == 0
    assert scored("rougeS1", "a b c", "a c").recall == 1
    assert scored("rougeS1", "a b c", "a c").precision == pytest.approx(1 / 3)


def test_a_pair_counts_no_more_often_than_the_other_text_has_it():
    # "a a a" has three pairs a a, the reference one.
    assert scored("rougeS4", "a a a", "a a").precision == pytest.approx(1 / 3)
    assert scored("rougeSU4", "a a a", "a a").precision == pytest.approx(3 / 6)


def test_consecutive_matches_of_the_paper():
    first, together, apart = map(list, ("ABCDEFG", "ABCDHIK", "AHBKCID"))
    assert weighted_lcs(first, together, 2) == 16
    assert weighted_lcs(first, apart, 2) == 4
    assert unweighted(16 / 49, 2) == pytest.approx(4 / 7)
    assert unweighted(4 / 49, 2) == pytest.approx(2 / 7)


def test_weighted_score_by_hand():
    score = scored("rougeW", "the dam broke", "the dam broke at night")
    assert score.precision == pytest.approx(1)
    assert score.recall == pytest.approx(3 / 5)
    apart = scored("rougeW", "the dam broke", "the big dam then broke")
    # Three runs of one: 3 ** (1 / 1.2) / 5.
    assert apart.recall == pytest.approx(3 ** (1 / 1.2) / 5)


@pytest.mark.parametrize("kind", ["rougeSU4", "rougeS4", "rougeW"])
def test_empty_and_equal_texts(kind):
    assert scored(kind, "").f1 == scored(kind, "x", "").f1 == 0
    assert scored(kind, REFERENCE).f1 == pytest.approx(1)


def test_one_word_has_no_pairs():
    assert scored("rougeS4", "police", "police").f1 == 0
    assert scored("rougeSU4", "police", "police").f1 == 1


def plain_weighted(first, second, weight):
    table = [[0.0] * (len(second) + 1) for _ in range(len(first) + 1)]
    runs = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, a in enumerate(first, 1):
        for j, b in enumerate(second, 1):
            if a == b:
                run = runs[i - 1][j - 1]
                table[i][j] = table[i - 1][j - 1] + (run + 1) ** weight - run**weight
                runs[i][j] = run + 1
            else:
                table[i][j] = max(table[i - 1][j], table[i][j - 1])
    return table[-1][-1]


@given(TOKENS, TOKENS)
def test_the_fast_table_equals_the_plain_one(first, second):
    assert weighted_lcs(first, second) == pytest.approx(plain_weighted(first, second, 1.2))


def test_unknown_types_are_named():
    with pytest.raises(InputError, match="unknown ROUGE type 'rougeSU'"):
        Rouge(types=["rougeSU"])
