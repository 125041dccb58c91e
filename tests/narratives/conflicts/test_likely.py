"""How likely a conflict is: what it rests on, and what is reported."""

from collections import namedtuple
from functools import cache

import numpy as np
import pytest

from commonground.narratives import Conflict, Overlaps
from commonground.narratives.conflicts import likely
from commonground.narratives.conflicts.find import Meeting
from commonground.narratives.conflicts.likely import (
    FEATURES,
    LIKELY_VALUES,
    MODEL,
    features,
    probability,
)

CALM = [0.02, 0.02]
DATES = ((0.7, Conflict("date", ())),)
NAMES = ((0.7, Conflict("name", ())),)
LEFT = "The plant lost power on Sunday. The old woman climbed out of the car by herself."
RIGHT = "The plant lost power on Saturday. Neighbours had to pull the old woman out of the car."


@cache
def finder():
    return Overlaps()


def met(found=(), cosine=0.6, mutual=True):
    return Meeting(((0, 0), (1, 0)), cosine, mutual, found)


def test_there_is_a_weight_for_each_feature():
    assert tuple(MODEL.weights) == (*FEATURES, "")


def test_the_order_of_two_sentences_changes_nothing():
    one = features(met(DATES), [0.2, 0.5], [0.1, 0.3])
    assert np.array_equal(one, features(met(DATES), [0.5, 0.2], [0.3, 0.1]))


@pytest.mark.parametrize(
    ("more", "less"),
    [
        (features(met(), [0.7, 0.5], CALM), features(met(), [0.2, 0.1], CALM)),
        (features(met(), [0.3, 0.3], [0.6, 0.2]), features(met(), [0.3, 0.3], [0.1, 0.1])),
        (features(met(DATES), CALM, CALM), features(met(), CALM, CALM)),
        (features(met(NAMES), CALM, CALM), features(met(DATES), CALM, CALM)),
        (features(met(mutual=True), CALM, CALM), features(met(mutual=False), CALM, CALM)),
    ],
    ids=[
        "by the sentence",
        "by the narrative",
        "rules",
        "names, which the reader misses",
        "mutual",
    ],
)
def test_what_makes_a_conflict_likelier(more, less):
    assert probability(more) > probability(less)


def test_a_conflict_has_its_probability():
    (conflict,) = finder().find([LEFT, RIGHT]).conflicts
    assert conflict.kind == "date"
    assert likely.LIKELY_VALUES <= conflict.probability <= 1
    assert conflict.to_dict()["probability"] == conflict.probability


def told(monkeypatch, chance):
    """The conflicts if each pair that is looked at has this probability."""
    monkeypatch.setattr(likely, "_WORTH_READING", 0.0)
    monkeypatch.setattr(likely, "_ALIKE", 9)
    monkeypatch.setattr(likely, "probability", lambda values: chance)
    return [
        (one.kind, one.probability, *(side.value for side in one.sides))
        for one in finder().find([LEFT, RIGHT]).conflicts
    ]


def test_sentences_without_values_are_a_conflict_as_wholes(monkeypatch):
    assert told(monkeypatch, 0.6) == [
        ("date", 0.6, "Sunday", "Saturday"),
        (
            "claim",
            0.6,
            "The old woman climbed out of the car by herself.",
            "Neighbours had to pull the old woman out of the car.",
        ),
    ]


def test_they_must_be_likelier_than_those_with_values(monkeypatch):
    assert [one[0] for one in told(monkeypatch, 0.4)] == ["date"]
    assert [one[:2] for one in told(monkeypatch, 0.2)] == [("date", LIKELY_VALUES)]
    assert told(monkeypatch, 0.05) == []


def test_sentences_alike_but_for_the_value_need_no_reader():
    left = "All eleven employees are offered other posts with the town."
    (conflict,) = finder().find([left, left.replace("eleven", "twelve")]).conflicts
    assert [side.value for side in conflict.sides] == ["eleven", "twelve"]
    assert conflict.probability >= 0.89


@pytest.mark.parametrize(("by_narrative", "asked"), [((0.15, 0.1), 0), ((0.25, 0.1), 1)])
def test_a_pair_that_no_answer_makes_likely_enough_is_not_read(monkeypatch, by_narrative, asked):
    pairs = []

    def contradicted(facts, locations, reader):
        pairs.extend(locations)
        return [0.0] * len(locations)

    monkeypatch.setattr(likely, "_contradicted", contradicted)
    there, back = (namedtuple("Reading", "contradicted")(chance) for chance in by_narrative)
    read = [{1: [there]}, {0: [back]}]
    assert likely.likely([], [met(cosine=0.8)], read, None) == []
    assert len(pairs) == asked
