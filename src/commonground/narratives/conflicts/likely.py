"""How likely two near sentences contradict each other: the reader's answers and the rules'.

A logistic model, fitted by `training/conflicts.py` on labelled events that the reader had not seen.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from commonground.narratives.conflicts.find import Facts, Meeting, Place, claim_against_claim
from commonground.narratives.result import Conflict
from commonground.narratives.word_lists import data_text
from commonground.reader import Reader, Reading

LIKELY_VALUES, LIKELY_CLAIMS = 0.3, 0.5
"""A conflict is reported from this probability on: where rules name the values, and elsewhere."""

FEATURES = (
    "sentence contradicted by sentence, more",
    "sentence contradicted by sentence, less",
    "sentence contradicted by narrative, more",
    "sentence contradicted by narrative, less",
    "cosine",
    "nearest of each other",
    "found by rules",
    "sureness of rules",
    "name or place",
)
# In sentences that are alike but for the value 33 of 37 conflicts are right; the reader sees few.
_ALIKE, _LIKELY_ALIKE = 1.0, 0.89
# The model is too low for values that rules name: from .1 to .3, three of seven in news are right.
_NAMED = 0.1
_WORTH_READING = 0.07  # the probability that a narrative contradicts a sentence

Read = Sequence[Mapping[int, Sequence[Reading]]]
"""For each narrative, by other narrative, the readings of its closely read sentences."""

Floats = NDArray[np.float64]


def likely(
    facts: Sequence[Facts], meetings: Sequence[Meeting], read: Read, reader: Reader
) -> list[Conflict]:
    """The conflicts that are likely enough to be reported, the likeliest first.

    What the rules find has its values; two other sentences are a conflict of kind "claim". A
    sentence is part of one such conflict with another narrative at most, and of none where the
    rules name the values.
    """
    worth = measured(facts, meetings, read, reader, _WORTH_READING)
    judged = [(_chance(one, values), one) for one, values in worth]
    found: list[Conflict] = []
    taken: set[tuple[Place, int]] = set()
    for chance, one in sorted(
        judged, key=lambda pair: (not pair[1].found, -pair[0], pair[1].places)
    ):
        first, second = one.places
        keys = {(first, second[0]), (second, first[0])}
        if chance < (LIKELY_VALUES if one.found else LIKELY_CLAIMS):
            continue
        if not one.found and (taken & keys or _alone(facts, one)):
            continue
        taken |= keys
        told = [conflict for _, conflict in one.found] or [claim_against_claim(facts, one)]
        found += [replace(conflict, probability=chance) for conflict in told]
    return sorted(found, key=lambda conflict: -conflict.probability)


def _chance(meeting: Meeting, values: Floats) -> float:
    chance = probability(values)
    if _sureness(meeting) >= _ALIKE:
        return max(chance, _LIKELY_ALIKE)
    return max(chance, LIKELY_VALUES) if meeting.found and chance >= _NAMED else chance


def _sureness(meeting: Meeting) -> float:
    return max((sureness for sureness, _ in meeting.found), default=0.0)


def _alone(facts: Sequence[Facts], meeting: Meeting) -> bool:
    """Whether a sentence is all of its narrative: the reader's answers to both are then one."""
    return any(len(facts[narrative].parsed) == 1 for narrative, _ in meeting.places)


def measured(
    facts: Sequence[Facts],
    meetings: Sequence[Meeting],
    read: Read,
    reader: Reader,
    least: float,
) -> Iterator[tuple[Meeting, Floats]]:
    """The meetings that may be conflicts, each with its features.

    Where the rules find nothing, a narrative must contradict a sentence with a probability of
    `least`: reading costs time.
    """
    worth = [one for one in meetings if one.found or max(_by_narrative(one, read)) >= least]
    by_sentence = _by_sentence(facts, worth, reader)
    for one in worth:
        yield one, features(one, by_sentence[one.places], _by_narrative(one, read))


def features(
    meeting: Meeting, by_sentence: Sequence[float], by_narrative: Sequence[float]
) -> Floats:
    """What the probability rests on; the order of the two sentences changes nothing.

    Args:
        meeting: The two sentences.
        by_sentence: That either is contradicted by the other.
        by_narrative: That either is contradicted by the narrative of the other.
    """
    answers = [_log_odds(one) for some in (by_sentence, by_narrative) for one in sorted(some)[::-1]]
    # The reader hardly sees other names.
    named = any(conflict.kind in ("name", "place") for _, conflict in meeting.found)
    found = bool(meeting.found)
    return np.array(
        [*answers, meeting.cosine, meeting.mutual, found, _sureness(meeting), named], float
    )


def probability(values: Floats, weights: Mapping[str, float] | None = None) -> float:
    """The probability that two sentences plainly contradict each other."""
    weights = weights or fitted()
    moved = weights[""] + sum(weights[n] * v for n, v in zip(FEATURES, values, strict=True))
    return float(1 / (1 + np.exp(-np.clip(moved, -30, 30))))


@cache
def fitted() -> Mapping[str, float]:
    """The weights of the package by feature; "" is the intercept."""
    text = data_text("conflicts.json")
    weights: dict[str, float] = json.loads(text)
    return weights


def _by_narrative(meeting: Meeting, read: Read) -> list[float]:
    (one, a), (other, b) = meeting.places
    return [read[one][other][a].contradicted, read[other][one][b].contradicted]


def _by_sentence(
    facts: Sequence[Facts], meetings: Sequence[Meeting], reader: Reader
) -> dict[tuple[Place, Place], list[float]]:
    """For each meeting, that either sentence is contradicted by the other alone."""
    asked: defaultdict[Place, list[tuple[Place, tuple[Place, Place]]]] = defaultdict(list)
    for meeting in meetings:
        first, second = meeting.places
        asked[second].append((first, meeting.places))
        asked[first].append((second, meeting.places))
    found: defaultdict[tuple[Place, Place], list[float]] = defaultdict(list)
    for place, claims in asked.items():
        readings = reader.read([_text(facts, one) for one, _ in claims], [_text(facts, place)])
        for (_, places), reading in zip(claims, readings, strict=True):
            found[places].append(reading.contradicted)
    return found


def _text(facts: Sequence[Facts], place: Place) -> str:
    return facts[place[0]].parsed[place[1]].sentence.text


def _log_odds(chance: float) -> float:
    inside = min(max(float(chance), 1e-3), 1 - 1e-3)
    return float(np.log(inside / (1 - inside)))
