"""Candidates for the summary: the most relevant sentences, without what only one narrative says."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from commonground.overlap._disputed import Disputed, Place
from commonground.overlap._judging import Judged, least_sure
from commonground.overlap._narrator import speaks_as_group, speaks_of_self
from commonground.overlap._reading import Readings
from commonground.text._loose import Loose, bearable, loose_parts, without
from commonground.text._parse import parse
from commonground.text._parse import places as text_places
from commonground.units.evidence import SUPPORTED, ReadUnit, part_of

if TYPE_CHECKING:
    from spacy.tokens import Doc

Array = NDArray[np.float64]

ENOUGH = 0.12
"""What a whole sentence needs: it holds more than a clause, and lies lower when it is stated."""

_FINITE = frozenset(("VBD", "VBP", "VBZ", "MD"))
_SAME_WORDS = 0.9  # what a narrator says of himself is another's only in about the same words


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A sentence that could be a statement.

    Attributes:
        text: The sentence, without loose parts that too few narratives state.
        narrative: Where it comes from.
        sentence: Its place among the closely read sentences there.
        relevance: How much it stands for what all say.
        probabilities: That each narrative states it; 1 for its own.
        certainty: The probability of the least sure narrative among those that must agree.
        shown: For each narrative the place of the sentence that shows it, among those read
            closely.
        through: The background statement that bridged the wordings, by narrative.
        vector: Of the sentence.
    """

    text: str
    narrative: int
    sentence: int
    relevance: float
    probabilities: Array
    certainty: float
    shown: NDArray[np.int64]
    through: dict[int, str]
    vector: NDArray[np.float32]


def candidates(
    readings: Readings,
    relevance: Sequence[Array],
    at_least: int,
    count: int,
    disputed: Disputed,
) -> list[Candidate]:
    """The most relevant sentences that enough narratives state, the best first.

    Args:
        readings: The narratives.
        relevance: For each narrative, of its closely read sentences.
        at_least: How many narratives must state a candidate.
        count: How many sentences are looked at.
        disputed: What conflicts with another narrative; a candidate is without it.
    """
    places = [
        (-round(float(value), 9), readings.narratives[narrative].units[number].text, place)
        for narrative, values in enumerate(relevance)
        for number, value in enumerate(values)
        for place in [(narrative, number)]
    ]
    best = [place for *_, place in sorted(places)[:count]]
    docs = parse([readings.narratives[place].units[number].text for place, number in best])
    both = list(zip(best, docs, strict=True))
    told = [(place, doc) for place, doc in both if not _is_heading(doc)] or both
    best = [place for place, _ in told]
    units = _trimmed(readings, told, at_least, disputed)
    judged = readings.judge.judge(units, [one.text for one in readings.narratives])
    found = [
        _candidate(readings, unit.text, place, at_least, relevance, judged, row, disputed)
        for row, (unit, place) in enumerate(zip(units, best, strict=True))
    ]
    return [
        one
        for one in found
        if one.certainty >= ENOUGH and not disputed.held(one.text, (one.narrative, one.sentence))
    ]


def _candidate(
    readings: Readings,
    text: str,
    place: Place,
    at_least: int,
    relevance: Sequence[Array],
    judged: Sequence[Judged],
    row: int,
    disputed: Disputed,
) -> Candidate:
    narrative, number = place
    probabilities = np.array([float(one.compared.probabilities[row]) for one in judged])
    shown = np.array([int(one.compared.shown[row]) for one in judged])
    ours = speaks_as_group(text) and not readings.all_say_we
    needed = 1.0 if ours else _SAME_WORDS if speaks_of_self(text) else 0.0
    for other in readings.others(narrative):
        known = row in judged[other].through
        if (
            probabilities[other] < max(needed, ENOUGH)
            or not readings.details[other].bear(text)
            or (not known and disputed.denied(text, place, other, int(shown[other])))
        ):
            probabilities[other] = 0.0
    probabilities[narrative], shown[narrative] = 1.0, number
    through = {
        other: one.through[row]
        for other, one in enumerate(judged)
        if other != narrative and row in one.through
    }
    return Candidate(
        text=text,
        narrative=narrative,
        sentence=number,
        relevance=float(relevance[narrative][number]),
        probabilities=probabilities,
        certainty=least_sure(probabilities, at_least),
        shown=shown,
        through=through,
        vector=readings.narratives[narrative].text.vectors[number],
    )


def _is_heading(doc: "Doc") -> bool:
    """Whether it names something and says nothing of it: no verb and no full stop."""
    return not doc[-1].is_punct and not any(token.tag_ in _FINITE for token in doc)


def _trimmed(
    readings: Readings,
    told: Sequence[tuple[Place, "Doc"]],
    at_least: int,
    disputed: Disputed,
) -> list[ReadUnit]:
    """Sentences without the loose parts that too few narratives state or that are disputed."""
    wholes = [readings.narratives[narrative].units[number] for (narrative, number), _ in told]
    loose = [loose_parts(doc) for _, doc in told]
    parts = [
        part_of(whole, part.text(doc), _words_in(whole, doc, [part]))
        for whole, (_, doc), some in zip(wholes, told, loose, strict=True)
        for part in some
    ]
    judged = readings.judge.judge(parts, [one.text for one in readings.narratives])
    stated = np.array([one.compared.probabilities >= SUPPORTED for one in judged])
    units, first = [], 0
    for (place, doc), whole, some in zip(told, wholes, loose, strict=True):
        votes = stated[readings.others(place[0]), first : first + len(some)].sum(axis=0)
        gone = [
            part
            for part, count in zip(some, votes, strict=True)
            if count < at_least - 1
            or speaks_of_self(part.text(doc))
            or disputed.held(part.text(doc), place)
        ]
        gone = bearable(doc, gone)
        units.append(part_of(whole, without(doc, gone, whole.text), ~_words_in(whole, doc, gone)))
        first += len(some)
    return units


def _words_in(whole: ReadUnit, doc: "Doc", parts: Sequence[Loose]) -> NDArray[np.bool_]:
    """Which words of a sentence are in some of its loose parts."""
    inside = np.zeros(len(whole.words.stems), dtype=np.bool_)
    if parts:
        found = text_places(whole.text)
        starts, ends = whole.words.spans.T
        for part in parts:
            span = doc[part.inner_first : part.inner_last]
            first, last = found[span.start_char], found[span.end_char - 1]
            inside |= (starts <= last) & (ends > first)
    return inside
