"""What one narrative alone says: sentences, or clauses of those that are shared in part."""

from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from commonground.overlap._reading import Narrated, Readings
from commonground.overlap._result import Passage
from commonground.text import Segment, segment
from commonground.units.evidence import ReadUnit, part_of

_UNIQUE = 0.25  # what others state less likely is a narrative's own; above it stays open ...
_NEAR = 0.55  # ... as does what has a sentence so near elsewhere: it may be a paraphrase
_FAR = 0.45  # what was compared by vectors alone must lie farther from all others
_SHARED = 0.5  # a clause from here on is stated elsewhere, and its sentence is not wholly own
_LEAST_WORDS = 3  # of something that a narrative says


def unique(readings: Readings, evidence: Collection[tuple[int, int]]) -> list[Passage]:
    """What no other narrative states; the probability is that none of the others does.

    Args:
        readings: The narratives.
        evidence: Narrative and start of sentences that show statements or conflicts; others speak
            of the same, so they are never unique.
    """
    return [
        passage for place in range(len(readings)) for passage in _of_one(readings, place, evidence)
    ]


def _of_one(
    readings: Readings, place: int, evidence: Collection[tuple[int, int]]
) -> Iterator[Passage]:
    narrated = readings.narratives[place]
    nearest = readings.nearest(place)
    elsewhere = (nearest >= _FAR).astype(np.float64)
    elsewhere[narrated.close] = readings.probabilities(place).max(axis=0)
    elsewhere[nearest >= _NEAR] = 1.0
    own = [
        number
        for number, sentence in enumerate(narrated.sentences)
        if elsewhere[number] < _UNIQUE
        and len(sentence.text.split()) >= _LEAST_WORDS
        and (place, sentence.start) not in evidence
    ]
    clauses = _clauses(readings, place, {*own} & {*narrated.close.tolist()})
    for number in own:
        sentence = narrated.sentences[number]
        parts = clauses.get(number, [])
        if all(probability < _SHARED for _, probability in parts):
            yield _passage(place, narrated, number, (0, len(sentence.text)), elsewhere[number])
            continue
        for part, probability in parts:
            whole = len(part.spans) == 1 and len(part.text.split()) >= _LEAST_WORDS
            if whole and probability < _UNIQUE:
                yield _passage(place, narrated, number, part.spans[0], probability)


def _clauses(
    readings: Readings, place: int, numbers: Collection[int]
) -> dict[int, list[tuple[Segment, float]]]:
    """The clauses of sentences, each with the probability that some other narrative states it."""
    narrated = readings.narratives[place]
    rows = [row for row, number in enumerate(narrated.close) if number in numbers]
    units = [narrated.units[row] for row in rows]
    found = [
        (int(narrated.close[row]), part, part_of(unit, part.text, kept))
        for row, unit, parts in zip(rows, units, segment([u.text for u in units]), strict=True)
        for part in parts.finest
        for kept in [_words_in(unit, part)]
        if kept.any()
    ]
    texts = [readings.narratives[other].text for other in readings.others(place)]
    judged = readings.judge.judge([unit for *_, unit in found], texts)
    stated = np.max([one.compared.probabilities for one in judged], axis=0)
    clauses: dict[int, list[tuple[Segment, float]]] = {}
    for (number, part, _), probability in zip(found, stated, strict=True):
        clauses.setdefault(number, []).append((part, float(probability)))
    return clauses


def _words_in(unit: ReadUnit, part: Segment) -> NDArray[np.bool_]:
    starts, ends = unit.words.spans.T
    inside = [(starts < last) & (ends > first) for first, last in part.spans]
    return np.asarray(np.any(inside, axis=0))


def _passage(
    place: int, narrated: Narrated, number: int, span: tuple[int, int], elsewhere: float
) -> Passage:
    sentence = narrated.sentences[number]
    first, last = span
    start, end = sentence.start + first, sentence.start + last
    return Passage(place, sentence.text[first:last], start, end, 1 - float(elsewhere))
