"""Which systems differ, and accuracy against a gold standard, by hand and against scipy."""

import numpy as np
import pytest
from scipy import stats

from commonground.agreement import Scores, compare_systems, metric_accuracy
from commonground.errors import InputError


def scores_of(**matrices):
    """Metrics as systems x topics."""
    return Scores.of(
        (f"t{topic:02}", f"s{system}", metric, float(value))
        for metric, matrix in matrices.items()
        for system, row in enumerate(matrix)
        for topic, value in enumerate(row)
        if not np.isnan(value)
    )


TOPICS = 12
STEP = np.arange(1, TOPICS + 1) / 100
# s2 is better than s0 and s1, which do not differ: their differences cancel out.
GOLD = np.array([STEP * 0, STEP * np.tile([1, -1], 6), 1 + STEP])


def test_pairs_of_systems_by_hand():
    found = compare_systems(scores_of(gold=GOLD), "gold")
    assert [(one.first, one.second, one.outcome) for one in found] == [
        ("s0", "s1", 0),
        ("s0", "s2", -1),
        ("s1", "s2", -1),
    ]
    assert found[0].p == pytest.approx(stats.wilcoxon(GOLD[0], GOLD[1]).pvalue)
    assert found[1].p == 2 / 2**12
    assert found[1].difference == pytest.approx(-1 - STEP.mean())


def test_better_and_worse_change_places_with_the_systems():
    found = compare_systems(scores_of(gold=GOLD[::-1]), "gold")
    assert [one.outcome for one in found] == [1, 1, 0]


def test_correction_can_take_a_difference_away():
    generator = np.random.default_rng(0)
    noise = generator.normal(size=(8, 20)) + np.arange(8)[:, None] * 0.12
    scores = scores_of(m=noise)
    plain = compare_systems(scores, "m")
    corrected = compare_systems(scores, "m", correction="holm")
    assert sum(one.outcome != 0 for one in corrected) < sum(one.outcome != 0 for one in plain)
    assert all(one.p >= other.p for one, other in zip(corrected, plain, strict=True))


def test_inputs_that_one_system_lacks_are_left_out():
    matrix = GOLD.copy()
    matrix[0, 3] = np.nan
    found = compare_systems(scores_of(m=matrix), "m")[1]
    kept = [topic for topic in range(TOPICS) if topic != 3]
    assert found.p == pytest.approx(stats.wilcoxon(GOLD[0, kept], GOLD[2, kept]).pvalue)
    assert found.n == 11


def test_accuracy_by_hand():
    blind = GOLD * 0
    backward = np.array([GOLD[0], GOLD[0] + 1 + STEP, GOLD[0] - 1 - STEP])
    found = metric_accuracy(
        scores_of(gold=GOLD, same=GOLD * 7, blind=blind, backward=backward), "gold", draws=0
    )
    same, none, wrong = found
    assert (same.on_all, same.missed, same.invented, same.reversed) == (1, 0, 0, 0)
    assert (none.on_all, none.missed, none.invented, none.reversed) == (1 / 3, 2, 0, 0)
    assert (wrong.on_all, wrong.missed, wrong.invented, wrong.reversed) == (0, 0, 1, 2)
    assert same.mean is None and same.interval is None and same.delta is None


def noisy(seed=1, systems=6, topics=23):
    generator = np.random.default_rng(seed)
    truth = generator.normal(size=(systems, topics)) + np.arange(systems)[:, None] * 0.4
    return {"gold": truth, "metric": truth + generator.normal(size=truth.shape)}


def test_the_gold_standard_is_found_anew_in_every_draw():
    matrices = noisy()
    (found,) = metric_accuracy(scores_of(**matrices), "gold", draws=30, topics=17)
    generator = np.random.default_rng(0)
    accuracies = []
    for _ in range(30):
        columns = generator.permutation(23)[:17]
        same = []
        for first in range(6):
            for second in range(first + 1, 6):
                outcomes = []
                for matrix in matrices.values():
                    difference = matrix[first, columns] - matrix[second, columns]
                    p = stats.wilcoxon(difference).pvalue
                    ranks = stats.rankdata(np.abs(difference))
                    outcomes.append(np.sign((np.sign(difference) * ranks).sum()) * (p < 0.05))
                same.append(outcomes[0] == outcomes[1])
        accuracies.append(np.mean(same))
    assert found.mean == pytest.approx(np.mean(accuracies))
    assert found.sd == pytest.approx(np.std(accuracies, ddof=1))
    low, high = stats.t.interval(0.95, 29, found.mean, stats.sem(accuracies))
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high))
    assert found.delta == found.on_all - found.mean


def test_nine_tenths_of_46_topics_are_41():
    scores = scores_of(**noisy(topics=46))
    usual = metric_accuracy(scores, "gold", draws=5)
    assert usual == metric_accuracy(scores, "gold", draws=5, topics=41)
    assert usual != metric_accuracy(scores, "gold", draws=5, topics=20)


def test_the_order_of_rows_does_not_matter():
    scores = scores_of(**noisy())
    turned = Scores.of(scores.rows[::-1])
    assert metric_accuracy(scores, "gold", draws=9) == metric_accuracy(turned, "gold", draws=9)


def test_draws_of_all_topics_are_all_alike():
    (found,) = metric_accuracy(scores_of(**noisy()), "gold", draws=4, topics=23)
    assert (found.mean, found.sd, found.delta) == (found.on_all, 0, 0)


def test_what_cannot_be_compared_is_one_line():
    with pytest.raises(InputError, match="a comparison needs two systems"):
        compare_systems(scores_of(m=GOLD[:1]), "m")
    with pytest.raises(InputError, match="no metric besides the gold standard 'gold'"):
        metric_accuracy(scores_of(gold=GOLD), "gold")
    with pytest.raises(InputError, match="from 1 to all 12 topics, not 13"):
        metric_accuracy(scores_of(gold=GOLD, m=GOLD), "gold", topics=13)
