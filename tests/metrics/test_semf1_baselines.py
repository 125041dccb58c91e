"""The random baselines on corpora small enough to know what every draw can give."""

import math

import pytest

from commonground.errors import InputError
from commonground.metrics.semf1 import SemF1, random_output, random_reference
from planar import PlanarEncoder


@pytest.fixture
def measure():
    return SemF1(PlanarEncoder())


def test_random_reference_draws_one_reference_of_another_event(measure):
    # Each output equals its own references and is at right angles to the other event's.
    predictions = [["0"], ["90"]]
    references = [[["0"], ["0"]], [["90"], ["90"]]]
    baseline = random_reference(measure, predictions, references, draws=5)
    assert measure.corpus(predictions, references).mean.f1 == pytest.approx(1, abs=1e-6)
    assert baseline.mean.f1 == pytest.approx(0, abs=1e-6)
    assert "|refs:1|" in str(baseline.signature)


def test_random_reference_reaches_every_reference_of_every_other_event(measure):
    # Against one other event with references 0 and 60 degrees away the mean tends to .75.
    baseline = random_reference(measure, [["0"], ["0"]], [[["180"]], [["0"], ["60"]]], draws=400)
    # The second output always meets 180 degrees: precision -1, F1 0.
    expected = (0.75 + 0) / 2
    assert baseline.mean.f1 == pytest.approx(expected, abs=0.02)


def test_empty_references_are_never_drawn(measure):
    baseline = random_reference(
        measure, [["0"], ["0"]], [["", ["0"]], ["  ", "---", ["0"]]], draws=50
    )
    assert baseline.mean.f1 == pytest.approx(1, abs=1e-6)


def test_random_output_scores_another_events_output_against_the_own_references(measure):
    predictions = [["0"], ["60"]]
    references = [[["0"], ["0"]], [["60"]]]
    baseline = random_output(measure, predictions, references, draws=3)
    assert baseline.mean.f1 == pytest.approx(0.5, abs=1e-6)
    assert baseline.deviation == pytest.approx(0, abs=1e-9)
    assert "|refs:1-2|" in str(baseline.signature)


def test_random_output_never_takes_the_events_own_output_and_takes_all_others(measure):
    predictions = [["0"], ["90"], ["180"]]
    references = [[["0"]], [["90"]], [["180"]]]
    baseline = random_output(measure, predictions, references, draws=300)
    # Neighbours are at right angles (0), the far pair opposite (F1 0): never the own (1).
    assert baseline.mean.f1 == pytest.approx(0, abs=1e-6)
    # Of the six ordered pairs two are opposite: the mean precision is -1/3 if all are reached.
    assert baseline.mean.precision == pytest.approx(-1 / 3, abs=0.05)


def test_seed_and_draws_fix_the_result_and_stand_in_the_signature(measure):
    corpus = [["0"], ["40"], ["80"]], [[["0"]], [["50"]], [["100"]]]
    first, again, other = (random_output(measure, *corpus, draws=4, seed=s) for s in (1, 1, 2))
    assert first == again
    assert first.mean != other.mean
    assert str(first.signature).endswith("|agg:mean-f1|seed:1|base:random-output|draws:4|v:0.1.0")
    assert not math.isnan(random_output(measure, *corpus, draws=1).deviation)


@pytest.mark.parametrize("baseline", [random_reference, random_output])
def test_one_event_is_too_few(measure, baseline):
    with pytest.raises(InputError, match="at least two events"):
        baseline(measure, [["0"]], [[["0"]]])


def test_no_draws_and_no_other_references_are_refused(measure):
    with pytest.raises(InputError, match="draws must be at least 1"):
        random_output(measure, [["0"], ["1"]], [[["0"]], [["1"]]], draws=0)
    with pytest.raises(InputError, match="two events with references"):
        random_reference(measure, [["0"], ["1"]], [[["0"]], [""]])
