"""Conflicts: the same matter, told by two narratives with different values."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from commonground.narratives.conflicts.differences import (
    SAME_MATTER,
    Difference,
    agrees,
    differences,
    said_alike,
)
from commonground.narratives.conflicts.matter import similarity
from commonground.narratives.conflicts.negation import Assertion, assertions, contrary
from commonground.narratives.conflicts.pair import Pair
from commonground.narratives.conflicts.values import Value, values
from commonground.narratives.result import Conflict, Side
from commonground.reading import Document, Parsed

_NEIGHBOURS = 3  # sentences of the other narrative that a sentence is compared with
_LEAST_COSINE = 0.35  # below it sentences have no matter in common
_BLOCK = 512
_MOST_VALUES = 20  # of a sentence; more are a table, in which numbers side by side mean nothing
# The same value elsewhere needs less in common to take a conflict away than to make one.
_ELSEWHERE = 0.6

Place = tuple[int, int]

CLAIM = "claim"
"""The kind of a conflict between two sentences as wholes."""


@dataclass(frozen=True, slots=True, eq=False)
class Meeting:
    """Two near sentences of different narratives.

    Attributes:
        places: Narrative and sentence of both, among the closely read ones.
        cosine: Of their vectors.
        mutual: Whether each is the nearest of the other.
        found: What the rules find that they tell differently, each with its sureness.
    """

    places: tuple[Place, Place]
    cosine: float
    mutual: bool
    found: tuple[tuple[float, Conflict], ...]


def meetings_of(facts: Sequence["Facts"]) -> list[Meeting]:
    """Each sentence with its nearest few of every other narrative.

    The order of the narratives changes nothing but their numbers.
    """
    # One orientation for each pair, whatever the order: rounding is then the same as well.
    order = sorted(range(len(facts)), key=lambda number: facts[number].document.texts)
    return [
        meeting
        for one, other in combinations(order, 2)
        for meeting in _between(facts[one], facts[other], (one, other))
    ]


def conflicts_of(facts: Sequence["Facts"]) -> list[tuple[float, Conflict]]:
    """All that the rules find, also what says again what another conflict says."""
    return [found for meeting in meetings_of(facts) for found in meeting.found]


def reported(found: Sequence[Conflict]) -> tuple[Conflict, ...]:
    """The likeliest conflict for each pair of values: each difference once."""
    return tuple(sorted(_once(found), key=_place))


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """What a narrative's sentences say, by sentence."""

    document: Document
    values: tuple[tuple[Value, ...], ...]
    told: tuple[tuple[Assertion, ...], ...]
    topics: frozenset[str]

    @classmethod
    def of(cls, document: Document) -> "Facts":
        """Find them; the document needs entities."""
        return cls(
            document,
            tuple(tuple(values(sentence)) for sentence in document.parsed),
            tuple(tuple(assertions(sentence)) for sentence in document.parsed),
            _topics(document),
        )

    @property
    def parsed(self) -> tuple[Parsed, ...]:
        """The sentences."""
        return self.document.parsed


def _topics(document: Document) -> frozenset[str]:
    """Stems of words in more than one sentence."""
    counts = Counter(stem for parsed in document.parsed for stem in set(parsed.words.stems))
    return frozenset(stem for stem, count in counts.items() if count > 1)


def _between(one: Facts, other: Facts, numbers: tuple[int, int]) -> Iterator[Meeting]:
    topics = one.topics & other.topics
    near = _neighbours(_vectors(one), _vectors(other))
    for (a, b), (cosine, mutual) in sorted(near.items()):
        pair = Pair(one.parsed[a], other.parsed[b], cosine if mutual else 0.0, topics)
        if pair.one.sentence.text != pair.other.sentence.text:
            found = _found(pair, (one, a), (other, b), numbers)
            yield Meeting(((numbers[0], a), (numbers[1], b)), cosine, mutual, found)


def _found(
    pair: Pair, ours: tuple[Facts, int], theirs: tuple[Facts, int], numbers: tuple[int, int]
) -> tuple[tuple[float, Conflict], ...]:
    (one, a), (other, b) = ours, theirs
    if not _worth_comparing(one, a, other, b):
        return ()
    told = (one.told[a], other.told[b])
    return tuple(
        (difference.sureness, _conflict(difference, pair, numbers))
        for difference in differences(pair, (one.values[a], other.values[b]), told)
        if _stands(difference, pair, one, other)
    )


def _stands(difference: Difference, pair: Pair, one: Facts, other: Facts) -> bool:
    """Whether no other sentence of the narratives takes a difference back."""
    # A number may stand for something else there: "40 mg at once", "40 mg twice a day".
    least = _ELSEWHERE * (difference.sureness if difference.kind == "number" else SAME_MATTER)
    return not (
        _said_elsewhere(difference.one, pair.one, other, least)
        or _said_elsewhere(difference.other, pair.other, one, least)
    )


def _vectors(facts: Facts) -> NDArray[np.float32]:
    return facts.document.vectors[facts.document.close]


def _neighbours(
    one: NDArray[np.float32], other: NDArray[np.float32]
) -> dict[Place, tuple[float, bool]]:
    """Pairs of sentences of which one is among the nearest of the other.

    Each with their cosine, and whether each is the very nearest of the other.
    """
    there = {(a, b): (rank, cosine) for a, b, rank, cosine in _nearest(one, other)}
    back = {(a, b): (rank, cosine) for b, a, rank, cosine in _nearest(other, one)}
    found = {}
    for place in there.keys() | back.keys():
        ranks = [side[place][0] for side in (there, back) if place in side]
        cosine = (there.get(place) or back[place])[1]
        found[place] = cosine, ranks == [0, 0]
    return found


def _nearest(
    ones: NDArray[np.float32], others: NDArray[np.float32]
) -> Iterator[tuple[int, int, int, float]]:
    """Row, column, rank and cosine of the nearest few of each row."""
    if not len(others):
        return
    for first in range(0, len(ones), _BLOCK):
        # Rounded, so that twins tie and the earlier comes first.
        cosines = np.round(ones[first : first + _BLOCK] @ others.T, 5)
        best = np.argsort(-cosines, axis=1, kind="stable")[:, :_NEIGHBOURS]
        for row, columns in enumerate(best):
            for rank, column in enumerate(columns):
                if cosines[row, column] >= _LEAST_COSINE:
                    yield first + row, int(column), rank, float(cosines[row, column])


def _worth_comparing(one: Facts, a: int, other: Facts, b: int) -> bool:
    """Whether both have values of one kind, or tell something that may be contrary."""
    if max(len(one.values[a]), len(other.values[b])) > _MOST_VALUES:
        return False
    kinds = {value.kind for value in one.values[a]} & {value.kind for value in other.values[b]}
    return bool(kinds) or any(contrary(x, y) for x in one.told[a] for y in other.told[b])


def _said_elsewhere(said: Value | Assertion, own: Parsed, other: Facts, least: float) -> bool:
    """Whether the other narrative says the same of the same matter in some sentence."""
    for place, sentence in enumerate(other.parsed):
        if isinstance(said, Value):
            near = [value.near for value in other.values[place] if agrees(said, value)]
        else:
            near = [told.near for told in other.told[place] if _says_so_too(said, told)]
        pair = Pair(own, sentence)
        if any(similarity(pair, said.near, around) >= least for around in near):
            return True
    return False


def _says_so_too(one: Assertion, other: Assertion) -> bool:
    return one.negated == other.negated and one.word.lemma_ == other.word.lemma_


def claim_against_claim(facts: Sequence[Facts], meeting: Meeting) -> Conflict:
    """The conflict of two sentences as wholes."""
    sides = []
    for narrative, row in meeting.places:
        sentence = facts[narrative].parsed[row].sentence
        span = sentence.text, sentence.start, sentence.end
        sides.append(Side(narrative, *span, *span))
    first, second = sorted(sides, key=lambda side: side.narrative)
    return Conflict(CLAIM, (first, second))


def _conflict(difference: Difference, pair: Pair, numbers: tuple[int, int]) -> Conflict:
    sides = [
        _side(pair.one, difference.one, numbers[0]),
        _side(pair.other, difference.other, numbers[1]),
    ]
    first, second = sorted(sides, key=lambda side: side.narrative)
    return Conflict(difference.kind, (first, second))


def _side(parsed: Parsed, said: Value | Assertion, narrative: int) -> Side:
    words = said.span if isinstance(said, Value) else parsed.doc[said.start : said.end]
    start, end = parsed.span(words.start_char, words.end_char)
    sentence = parsed.sentence
    return Side(
        narrative=narrative,
        text=sentence.text,
        start=sentence.start,
        end=sentence.end,
        value=sentence.text[start - sentence.start : end - sentence.start],
        value_start=start,
        value_end=end,
    )


def _once(found: Sequence[Conflict]) -> list[Conflict]:
    """The likeliest of those between the same narratives that tell the same difference."""
    kept: dict[tuple[object, ...], list[Conflict]] = {}
    for conflict in sorted(found, key=lambda one: (-one.probability, _place(one))):
        key = (conflict.kind, *(side.narrative for side in conflict.sides))
        others = kept.setdefault(key, [])
        if not any(_again(conflict, other) for other in others):
            others.append(conflict)
    return [conflict for some in kept.values() for conflict in some]


def _again(one: Conflict, other: Conflict) -> bool:
    """Whether both sides give the same value, in words of their own: "12" and "twelve"."""
    return all(
        said_alike(one.kind, a.value, b.value) for a, b in zip(one.sides, other.sides, strict=True)
    )


def _place(conflict: Conflict) -> list[tuple[int, str, str]]:
    """A place in the order of results that does not depend on the narratives' numbers."""
    return sorted((side.value_start, side.text, side.value) for side in conflict.sides)
