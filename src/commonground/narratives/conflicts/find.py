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
    at_odds,
    differences,
    said_alike,
)
from commonground.narratives.conflicts.matter import similarity
from commonground.narratives.conflicts.negation import Assertion, assertions, contrary
from commonground.narratives.conflicts.same_verbs import same_verb
from commonground.narratives.conflicts.sentence import Pair, Parsed, Read
from commonground.narratives.conflicts.values import Value, thing, values
from commonground.narratives.result import Conflict, Side

_NEIGHBOURS = 3  # sentences of the other narrative that a sentence is compared with
_LEAST_COSINE = 0.35  # below it sentences have no matter in common
_BLOCK = 512
_MOST_VALUES = 20  # of a sentence; more are a table, in which numbers side by side mean nothing
# The same value elsewhere needs less in common to take a conflict away than to make one.
_ELSEWHERE = 0.6


def every_conflict(narratives: Sequence[Read]) -> list[tuple[float, Conflict]]:
    """All conflicts, also those that say again what another one says, each with its sureness.

    Each sentence is compared with its nearest few of every other narrative. The order of the
    narratives changes nothing but their numbers.
    """
    return conflicts_of([Facts.of(narrative) for narrative in narratives])


def conflicts_of(facts: Sequence["Facts"]) -> list[tuple[float, Conflict]]:
    """`every_conflict` of narratives whose facts are known."""
    # One orientation for each pair, whatever the order: rounding is then the same as well.
    order = sorted(range(len(facts)), key=lambda number: facts[number].read.text.sentences)
    found: list[tuple[float, Conflict]] = []
    for one, other in combinations(order, 2):
        found += _between(facts[one], facts[other], (one, other))
    return found


def reported(found: Sequence[tuple[float, Conflict]]) -> tuple[Conflict, ...]:
    """Of `every_conflict`, the surest for each pair of values: each difference once."""
    return tuple(sorted(_once(found), key=_place))


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """What a narrative's sentences say, by sentence."""

    read: Read
    parsed: tuple[Parsed, ...]
    values: tuple[tuple[Value, ...], ...]
    told: tuple[tuple[Assertion, ...], ...]
    topics: frozenset[str]

    @classmethod
    def of(cls, read: Read) -> "Facts":
        """Find them."""
        parsed = tuple(Parsed.of(read, number) for number in range(len(read.sentences)))
        return cls(
            read,
            parsed,
            tuple(tuple(values(sentence)) for sentence in parsed),
            tuple(tuple(assertions(sentence)) for sentence in parsed),
            _topics(read),
        )


def _topics(read: Read) -> frozenset[str]:
    """Stems of words in more than one sentence."""
    counts = Counter(stem for words in read.text.words for stem in set(words.stems))
    return frozenset(stem for stem, count in counts.items() if count > 1)


def _between(one: Facts, other: Facts, numbers: tuple[int, int]) -> list[tuple[float, Conflict]]:
    found = []
    topics = one.topics & other.topics
    near = _neighbours(one.read.text.vectors, other.read.text.vectors)
    for (a, b), closeness in sorted(near.items()):
        if not _worth_comparing(one, a, other, b):
            continue
        pair = Pair(one.parsed[a], other.parsed[b], closeness, topics)
        told = (one.told[a], other.told[b])
        for difference in differences(pair, (one.values[a], other.values[b]), told):
            if _stands(difference, pair, one, other):
                found.append((difference.sureness, _conflict(difference, pair, numbers)))
    return found


def _stands(difference: Difference, pair: Pair, one: Facts, other: Facts) -> bool:
    """Whether no other sentence of the narratives takes a difference back."""
    if _several(difference.one, one) or _several(difference.other, other):
        return False
    if _done_after_all(difference.one, one) or _done_after_all(difference.other, other):
        return False
    # A number may stand for something else there: "40 mg at once", "40 mg twice a day".
    least = _ELSEWHERE * (difference.sureness if difference.kind == "number" else SAME_MATTER)
    return not (
        _said_elsewhere(difference.one, pair.one, other, least)
        or _said_elsewhere(difference.other, pair.other, one, least)
    )


def _several(said: Value | Assertion, own: Facts) -> bool:
    """Whether a narrative has several things of the name: "a red car hit the blue car"."""
    if not isinstance(said, Value) or said.kind != "quality":
        return False
    return any(
        value.kind == "quality" and at_odds(said, value) and _same_noun(said, value)
        for some in own.values
        for value in some
    )


def _done_after_all(said: Value | Assertion, own: Facts) -> bool:
    """Whether a narrative also tells as done what it told was refused: "In the end he resigned"."""
    if not isinstance(said, Assertion) or said.by is None:
        return False
    lemma = said.verb.lemma_.lower()
    return any(
        same_verb(lemma, told.verb.lemma_.lower()) and not told.negated
        for some in own.told
        for told in some
    )


def _same_noun(one: Value, other: Value) -> bool:
    first, second = thing(one.root), thing(other.root)
    return first is not None and second is not None and first.lemma_ == second.lemma_


def _neighbours(
    one: NDArray[np.float32], other: NDArray[np.float32]
) -> dict[tuple[int, int], float]:
    """Pairs of sentences of which one is among the nearest of the other, with their closeness.

    That is their cosine where each is the very nearest of the other, else 0.
    """
    there = {(a, b): (rank, cosine) for a, b, rank, cosine in _nearest(one, other)}
    back = {(a, b): (rank, cosine) for b, a, rank, cosine in _nearest(other, one)}
    mutual = {
        place: cosine
        for place, (rank, cosine) in there.items()
        if rank == 0 and back.get(place, (1, 0.0))[0] == 0
    }
    return {place: mutual.get(place, 0.0) for place in there.keys() | back.keys()}


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
    if one.parsed[a].sentence.text == other.parsed[b].sentence.text:
        return False
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


def _once(found: Sequence[tuple[float, Conflict]]) -> list[Conflict]:
    """The surest of those between the same narratives that tell the same difference."""
    kept: dict[tuple[object, ...], list[Conflict]] = {}
    for _, conflict in sorted(found, key=lambda scored: (-scored[0], _place(scored[1]))):
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
