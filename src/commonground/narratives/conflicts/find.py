"""Conflicts: the same matter, told by two narratives with different values."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
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
from commonground.narratives.conflicts.negation import Assertion, assertions, contrary
from commonground.narratives.conflicts.pair import Pair
from commonground.narratives.conflicts.values import Value, values
from commonground.narratives.result import Conflict, Side
from commonground.reading import Document, Parsed

_NEIGHBOURS = 3  # sentences of the other narrative that a sentence is compared with
_MIN_COSINE = 0.35  # below it, sentences have no matter in common
_BLOCK = 512
_MOST_VALUES = 20  # a sentence with more is a table, whose numbers cannot be compared in pairs
# Share of the usual similarity from which the same value in another sentence resolves a conflict.
_ELSEWHERE = 0.6

Location = tuple[int, int]
"""A narrative and a row among its closely read sentences."""

CLAIM = "claim"
"""The kind of a conflict between two sentences as wholes."""


@dataclass(frozen=True, slots=True, eq=False)
class Meeting:
    """Two near sentences of different narratives.

    Attributes:
        locations: The locations of both.
        cosine: The cosine of their vectors.
        mutual: Whether each is the nearest of the other.
        conflicts: The conflicts that the rules find, each with its sureness.
    """

    locations: tuple[Location, Location]
    cosine: float
    mutual: bool
    conflicts: tuple[tuple[float, Conflict], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """The values and assertions of a narrative by closely read sentence, and its topics."""

    document: Document
    values: tuple[tuple[Value, ...], ...]
    assertions: tuple[tuple[Assertion, ...], ...]
    topics: frozenset[str]

    @classmethod
    def of(cls, document: Document) -> "Facts":
        """Find the facts of a document that was read with entities."""
        counts = Counter(stem for parsed in document.parsed for stem in set(parsed.words.stems))
        return cls(
            document,
            tuple(tuple(values(sentence)) for sentence in document.parsed),
            tuple(tuple(assertions(sentence)) for sentence in document.parsed),
            frozenset(stem for stem, count in counts.items() if count > 1),
        )

    @property
    def parsed(self) -> tuple[Parsed, ...]:
        """The closely read sentences."""
        return self.document.parsed


def meetings_of(facts: Sequence[Facts]) -> list[Meeting]:
    """Pair each sentence with its nearest few of every other narrative.

    The order of the narratives changes only their numbers.
    """
    # A fixed orientation of each pair keeps the rounding the same.
    order = sorted(range(len(facts)), key=lambda narrative: facts[narrative].document.texts)
    return [
        meeting
        for one, other in combinations(order, 2)
        for meeting in _between(facts[one], facts[other], (one, other))
    ]


def conflicts_of(facts: Sequence[Facts]) -> list[tuple[float, Conflict]]:
    """Return all conflicts that the rules find, with their sureness; some say the same."""
    return [conflict for meeting in meetings_of(facts) for conflict in meeting.conflicts]


def _between(one: Facts, other: Facts, narratives: tuple[int, int]) -> Iterator[Meeting]:
    topics = one.topics & other.topics
    near = _neighbours(*_vectors(one, other))
    for (a, b), (cosine, mutual) in sorted(near.items()):
        pair = Pair(one.parsed[a], other.parsed[b], cosine if mutual else 0.0, topics)
        if pair.one.text == pair.other.text:
            continue
        comparable = _comparable(one, a, other, b)
        values, said = (one.values[a], other.values[b]), (one.assertions[a], other.assertions[b])
        conflicts = tuple(
            (difference.sureness, _conflict(difference, pair, narratives))
            for difference in (differences(pair, values, said) if comparable else ())
            if _stands(difference, pair, one, other)
        )
        yield Meeting(((narratives[0], a), (narratives[1], b)), cosine, mutual, conflicts)


def _vectors(*facts: Facts) -> list[NDArray[np.float32]]:
    return [one.document.vectors[one.document.close] for one in facts]


def closeness(one: Facts, other: Facts) -> dict[tuple[int, int], float]:
    """Return the cosines of sentences, by row, that are the nearest of each other."""
    near = _neighbours(*_vectors(one, other))
    return {rows: cosine for rows, (cosine, mutual) in near.items() if mutual}


def _neighbours(
    one: NDArray[np.float32], other: NDArray[np.float32]
) -> dict[tuple[int, int], tuple[float, bool]]:
    """Return pairs of rows of which one is among the nearest of the other.

    Each has its cosine, and whether both are the very nearest of each other.
    """
    there = {(a, b): (rank, cosine) for a, b, rank, cosine in _nearest(one, other)}
    back = {(a, b): (rank, cosine) for b, a, rank, cosine in _nearest(other, one)}
    result = {}
    for rows in there.keys() | back.keys():
        ranks = [side[rows][0] for side in (there, back) if rows in side]
        result[rows] = (there.get(rows) or back[rows])[1], ranks == [0, 0]
    return result


def _nearest(
    ones: NDArray[np.float32], others: NDArray[np.float32]
) -> Iterator[tuple[int, int, int, float]]:
    """Yield row, column, rank and cosine of the nearest few of each row."""
    if not len(others):
        return
    for first in range(0, len(ones), _BLOCK):
        # Rounded, so that equal sentences tie and the earlier one comes first.
        cosines = np.round(ones[first : first + _BLOCK] @ others.T, 5)
        best = np.argsort(-cosines, axis=1, kind="stable")[:, :_NEIGHBOURS]
        for row, columns in enumerate(best):
            for rank, column in enumerate(columns):
                if cosines[row, column] >= _MIN_COSINE:
                    yield first + row, int(column), rank, float(cosines[row, column])


def _comparable(one: Facts, a: int, other: Facts, b: int) -> bool:
    """Say whether two sentences have values of one kind, or assertions that may be contrary."""
    if max(len(one.values[a]), len(other.values[b])) > _MOST_VALUES:
        return False
    kinds = {value.kind for value in one.values[a]} & {value.kind for value in other.values[b]}
    return bool(kinds) or any(
        contrary(x, y) for x in one.assertions[a] for y in other.assertions[b]
    )


def _stands(difference: Difference, pair: Pair, one: Facts, other: Facts) -> bool:
    """Say whether no other sentence of the narratives resolves a difference."""
    # A number may mean something else there: "40 mg at once", "40 mg twice a day".
    least = _ELSEWHERE * (difference.sureness if difference.kind == "number" else SAME_MATTER)
    return not (
        _said_elsewhere(difference.one, pair.one, other, least)
        or _said_elsewhere(difference.other, pair.other, one, least)
    )


def _said_elsewhere(said: Value | Assertion, own: Parsed, other: Facts, least: float) -> bool:
    """Say whether a sentence of the other narrative says the same of the same matter."""
    for row, sentence in enumerate(other.parsed):
        if isinstance(said, Value):
            near = [value.near for value in other.values[row] if agrees(said, value)]
        else:
            same = (said.negated, said.word.lemma_)
            near = [t.near for t in other.assertions[row] if (t.negated, t.word.lemma_) == same]
        pair = Pair(own, sentence)
        if any(pair.similarity(said.near, around) >= least for around in near):
            return True
    return False


def _conflict(difference: Difference, pair: Pair, narratives: tuple[int, int]) -> Conflict:
    sides = (
        side_of(pair.one, difference.one, narratives[0]),
        side_of(pair.other, difference.other, narratives[1]),
    )
    return Conflict(difference.kind, tuple(sorted(sides, key=lambda side: side.narrative)))


def side_of(parsed: Parsed, said: Value | Assertion, narrative: int) -> Side:
    """Return the side of a conflict for a value or an assertion."""
    words = said.span if isinstance(said, Value) else parsed.doc[said.start : said.end]
    start, end = parsed.span(words.start_char, words.end_char)
    sentence = parsed.sentence
    value = sentence.text[start - sentence.start : end - sentence.start]
    return Side(narrative, sentence.text, sentence.start, sentence.end, value, start, end)


def claim_against_claim(facts: Sequence[Facts], meeting: Meeting) -> Conflict:
    """Return the conflict of two sentences as wholes."""
    sides = []
    for narrative, row in sorted(meeting.locations):
        sentence = facts[narrative].parsed[row].sentence
        span = sentence.text, sentence.start, sentence.end
        sides.append(Side(narrative, *span, *span))
    return Conflict(CLAIM, tuple(sides))


def reported(conflicts: Iterable[Conflict]) -> tuple[Conflict, ...]:
    """Return each difference between two narratives once, in its most probable conflict.

    Two sentences that give different values contradict each other as wholes for that reason.
    """
    kept: dict[tuple[object, ...], list[Conflict]] = {}
    for conflict in sorted(conflicts, key=lambda c: (-c.probability, _sort_key(c))):
        key = (conflict.kind, *(side.narrative for side in conflict.sides))
        others = kept.setdefault(key, [])
        if not any(_same_values(conflict, other) for other in others):
            others.append(conflict)
    found = [conflict for others in kept.values() for conflict in others]
    by_value = {_sentences(conflict) for conflict in found if conflict.kind != CLAIM}
    listed = (c for c in found if c.kind != CLAIM or _sentences(c) not in by_value)
    return tuple(sorted(listed, key=_sort_key))


def _sentences(conflict: Conflict) -> frozenset[tuple[int, int]]:
    return frozenset((side.narrative, side.start) for side in conflict.sides)


def _same_values(one: Conflict, other: Conflict) -> bool:
    """Say whether both sides give the same value, if in other words: "12" and "twelve"."""
    return all(
        said_alike(one.kind, a.value, b.value) for a, b in zip(one.sides, other.sides, strict=True)
    )


def _sort_key(conflict: Conflict) -> list[tuple[int, str, str]]:
    """Return a sort key that does not depend on the narratives' numbers."""
    return sorted((side.value_start, side.text, side.value) for side in conflict.sides)


def by_matter(conflicts: Iterable[Conflict]) -> tuple[Conflict, ...]:
    """Join conflicts between two narratives into one for each disputed matter.

    Two conflicts are on one matter if they have the same kind and a side in common: the same words
    of one narrative.
    """
    matters: list[list[Conflict]] = []
    for conflict in conflicts:
        joined = [matter for matter in matters if any(_meet(conflict, other) for other in matter)]
        matters = [matter for matter in matters if matter not in joined]
        matters.append([*(other for matter in joined for other in matter), conflict])
    result = [
        Conflict(matter[0].kind, _sides(matter), max(c.probability for c in matter))
        for matter in matters
    ]
    return tuple(sorted(result, key=lambda conflict: list(map(_words, conflict.sides))))


def _words(side: Side) -> tuple[int, int]:
    return side.narrative, side.value_start


def _meet(one: Conflict, other: Conflict) -> bool:
    sides = set(map(_words, one.sides))
    return one.kind == other.kind and not sides.isdisjoint(map(_words, other.sides))


def _sides(matter: Sequence[Conflict]) -> tuple[Side, ...]:
    """Return the sides of a matter in groups of the same value."""
    kind = matter[0].kind
    at_odds = {frozenset(map(_words, conflict.sides)) for conflict in matter}

    def alike(side: Side, group: Sequence[Side]) -> bool:
        if any(frozenset((_words(side), _words(other))) in at_odds for other in group):
            return False
        # A denied verb and the verb itself have the same words.
        return kind == "negation" or said_alike(kind, group[0].value, side.value)

    groups: list[list[Side]] = []
    for side in sorted({side for conflict in matter for side in conflict.sides}, key=_words):
        group = next((group for group in groups if alike(side, group)), None)
        if group is None:
            groups.append(group := [])
        # List each narrative once, even if it repeats the value.
        if all(other.narrative != side.narrative for other in group):
            group.append(side)
    return tuple(
        replace(side, group=number) for number, group in enumerate(groups) for side in group
    )
