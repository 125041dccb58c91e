"""The probability that two near sentences contradict each other, from the reader and the rules.

`training/conflicts.py` fits the logistic regression on labelled events unknown to the reader.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from commonground.narratives.conflicts.find import Facts, Location, Meeting, claim_against_claim
from commonground.narratives.logistic import Floats, Logistic, log_odds
from commonground.narratives.result import Conflict
from commonground.reader import PreparedText, Reader, Reading

LIKELY_VALUES, LIKELY_CLAIMS = 0.3, 0.5
"""Minimum probability of a reported conflict, if rules found its values and otherwise."""

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
MODEL = Logistic.load("conflicts")
probability = MODEL.probability

# In sentences that differ only in the value, 33 of 37 conflicts are right; the reader sees few.
_ALIKE, _LIKELY_ALIKE = 1.0, 0.89
# The model is too low for values found by rules: from .1 to .3, three of seven in news are right.
_BY_RULES = 0.1
_WORTH_READING = 0.07  # minimum probability that a narrative contradicts a sentence
# In 303 labelled events, no sentence contradicts another more likely than .46, and none more likely
# than .18 if both narratives contradict them less likely than .2. A bound with these two numbers
# spares about half of the readings of pairs and loses no conflict.
_HIGHEST, _HIGHEST_DOUBTFUL = 0.5, 0.3
_DOUBTFUL = 0.2

Read = Sequence[Mapping[int, Sequence[Reading]]]
"""For each narrative, by other narrative, the readings of its closely read sentences."""


def likely(
    facts: Sequence[Facts], meetings: Sequence[Meeting], read: Read, reader: Reader
) -> list[Conflict]:
    """Return the conflicts that are probable enough to be reported, most probable first.

    Two sentences without values found by rules are a conflict of kind "claim". A sentence has at
    most one such conflict with another narrative, and none if rules found values in it.
    """
    judged = _promising(facts, meetings, read, reader)
    judged.sort(key=lambda pair: (not pair[1].conflicts, -pair[0], pair[1].locations))
    conflicts: list[Conflict] = []
    taken: set[tuple[Location, int]] = set()
    for chance, meeting in judged:
        if chance < _least(meeting):
            continue
        first, second = meeting.locations
        keys = {(first, second[0]), (second, first[0])}
        # If a sentence is the whole narrative, the reader's answers to both are the same.
        alone = any(len(facts[narrative].parsed) == 1 for narrative, _ in meeting.locations)
        if not meeting.conflicts and (taken & keys or alone):
            continue
        taken |= keys
        by_rules = [conflict for _, conflict in meeting.conflicts]
        for conflict in by_rules or [claim_against_claim(facts, meeting)]:
            conflicts.append(replace(conflict, probability=chance))
    return sorted(conflicts, key=lambda conflict: -conflict.probability)


def _least(meeting: Meeting) -> float:
    return LIKELY_VALUES if meeting.conflicts else LIKELY_CLAIMS


def _promising(
    facts: Sequence[Facts], meetings: Sequence[Meeting], read: Read, reader: Reader
) -> list[tuple[float, Meeting]]:
    """Return the meetings that may be reported, with their probabilities.

    Reading is slow, so a meeting is dropped as soon as no further answer could save it.
    """
    by_narrative = {meeting.locations: _by_narrative(meeting, read) for meeting in meetings}
    answers: dict[tuple[Location, Location], list[float]] = {}

    def chance(meeting: Meeting) -> float:
        known, there = answers.get(meeting.locations, []), by_narrative[meeting.locations]
        highest = _HIGHEST if max(there) >= _DOUBTFUL else _HIGHEST_DOUBTFUL
        by_sentence = [*known, *[highest] * (2 - len(known))]
        return _chance(meeting, features(meeting, by_sentence, there))

    left = _worth(meetings, by_narrative, _WORTH_READING)
    for turned in (False, True):
        left = [meeting for meeting in left if chance(meeting) >= _least(meeting)]
        pairs = [meeting.locations for meeting in left]
        found = _contradicted(facts, [(b, a) if turned else (a, b) for a, b in pairs], reader)
        for meeting, answer in zip(left, found, strict=True):
            answers.setdefault(meeting.locations, []).append(answer)
    return [(chance(meeting), meeting) for meeting in left]


def _chance(meeting: Meeting, values: Floats) -> float:
    chance = probability(values)
    if _sureness(meeting) >= _ALIKE:
        return max(chance, _LIKELY_ALIKE)
    return max(chance, LIKELY_VALUES) if meeting.conflicts and chance >= _BY_RULES else chance


def _sureness(meeting: Meeting) -> float:
    return max((sureness for sureness, _ in meeting.conflicts), default=0.0)


def measured(
    facts: Sequence[Facts],
    meetings: Sequence[Meeting],
    read: Read,
    reader: Reader,
    least: float,
) -> Iterator[tuple[Meeting, Floats]]:
    """Yield the meetings that may be conflicts, each with its features.

    If the rules find nothing, a narrative must contradict a sentence with a probability of at
    least `least`, since reading is slow.
    """
    by_narrative = {meeting.locations: _by_narrative(meeting, read) for meeting in meetings}
    worth = _worth(meetings, by_narrative, least)
    pairs = [meeting.locations for meeting in worth]
    there = _contradicted(facts, pairs, reader)
    back = _contradicted(facts, [(b, a) for a, b in pairs], reader)
    for meeting, *by_sentence in zip(worth, there, back, strict=True):
        yield meeting, features(meeting, by_sentence, by_narrative[meeting.locations])


def _worth(
    meetings: Sequence[Meeting],
    by_narrative: Mapping[tuple[Location, Location], Sequence[float]],
    least: float,
) -> list[Meeting]:
    return [m for m in meetings if m.conflicts or max(by_narrative[m.locations]) >= least]


def features(
    meeting: Meeting, by_sentence: Sequence[float], by_narrative: Sequence[float]
) -> Floats:
    """Return the features in the order of `FEATURES`; the order of the sentences has no effect.

    Args:
        meeting: The two sentences.
        by_sentence: The probabilities that each is contradicted by the other.
        by_narrative: The probabilities that each is contradicted by the other's narrative.
    """
    answers = log_odds([*sorted(by_sentence)[::-1], *sorted(by_narrative)[::-1]])
    # The reader misses most differences in names.
    named = any(conflict.kind in ("name", "place") for _, conflict in meeting.conflicts)
    rules = (bool(meeting.conflicts), _sureness(meeting), named)
    return np.array([*answers, meeting.cosine, meeting.mutual, *rules], dtype=np.float64)


def _by_narrative(meeting: Meeting, read: Read) -> list[float]:
    (one, a), (other, b) = meeting.locations
    return [read[one][other][a].contradicted, read[other][one][b].contradicted]


def _contradicted(
    facts: Sequence[Facts], pairs: Sequence[tuple[Location, Location]], reader: Reader
) -> list[float]:
    """Return the probability that the first sentence of each pair is contradicted by the other."""
    vectors = [reader.vectors(own.document) for own in facts]
    texts: dict[Location, PreparedText] = {}
    for narrative, row in {location for pair in pairs for location in pair}:
        document = facts[narrative].document
        own = vectors[narrative][document.close[[row]]]
        texts[narrative, row] = PreparedText([document.parsed[row].text], own)
    readings = reader.read_each(
        [texts[claim].sentences[0] for claim, _ in pairs],
        [texts[other] for _, other in pairs],
        np.array([texts[claim].vectors(reader.encoder)[0] for claim, _ in pairs]),
    )
    return [reading.contradicted for reading in readings]
