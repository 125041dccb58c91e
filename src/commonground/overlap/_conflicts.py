"""Conflicts: the same matter, told by two narratives with different values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from commonground.overlap._differences import SAME_MATTER, Difference, agrees, differences
from commonground.overlap._matter import similarity
from commonground.overlap._negation import Assertion, assertions
from commonground.overlap._result import Conflict, Side
from commonground.overlap._sentence import Pair, Parsed, Read
from commonground.overlap._values import Value, values

_NEIGHBOURS = 3  # sentences of the other narrative that a sentence is compared with
_LEAST_COSINE = 0.35  # below it sentences have no matter in common
_BLOCK = 512
# The same value elsewhere needs less in common to take a conflict away than to make one.
_ELSEWHERE = 0.6 * SAME_MATTER


def find_conflicts(narratives: Sequence[Read]) -> tuple[Conflict, ...]:
    """Where narratives contradict each other.

    A pair of values is reported once for two narratives, at the places where the surroundings
    are most alike.

    Args:
        narratives: As `read_narrative` reads them; `narrative` in the result is the place here.
    """
    return reported(every_conflict(narratives))


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
    """Of `every_conflict`, the surest for each pair of values."""
    return tuple(sorted(_once(found), key=_place))


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """What a narrative's sentences say, by sentence."""

    read: Read
    parsed: tuple[Parsed, ...]
    values: tuple[tuple[Value, ...], ...]
    told: tuple[tuple[Assertion, ...], ...]

    @classmethod
    def of(cls, read: Read) -> "Facts":
        """Find them."""
        parsed = tuple(Parsed.of(read, number) for number in range(len(read.sentences)))
        return cls(
            read,
            parsed,
            tuple(tuple(values(sentence)) for sentence in parsed),
            tuple(tuple(assertions(sentence)) for sentence in parsed),
        )


def _between(one: Facts, other: Facts, numbers: tuple[int, int]) -> list[tuple[float, Conflict]]:
    found = []
    for a, b in sorted(_neighbours(one.read.text.vectors, other.read.text.vectors)):
        if not _worth_comparing(one, a, other, b):
            continue
        pair = Pair(one.parsed[a], other.parsed[b])
        told = (one.told[a], other.told[b])
        for difference in differences(pair, (one.values[a], other.values[b]), told):
            if _said_elsewhere(difference.one, pair.one, other):
                continue
            if _said_elsewhere(difference.other, pair.other, one):
                continue
            found.append((difference.sureness, _conflict(difference, pair, numbers)))
    return found


def _neighbours(one: NDArray[np.float32], other: NDArray[np.float32]) -> set[tuple[int, int]]:
    """Pairs of sentences of which one is among the nearest of the other."""
    return set(_nearest(one, other)) | {(a, b) for b, a in _nearest(other, one)}


def _nearest(ones: NDArray[np.float32], others: NDArray[np.float32]) -> Iterator[tuple[int, int]]:
    if not len(others):
        return
    for first in range(0, len(ones), _BLOCK):
        # Rounded, so that twins tie and the earlier comes first.
        cosines = np.round(ones[first : first + _BLOCK] @ others.T, 5)
        best = np.argsort(-cosines, axis=1, kind="stable")[:, :_NEIGHBOURS]
        for row, columns in enumerate(best):
            for column in columns:
                if cosines[row, column] >= _LEAST_COSINE:
                    yield first + row, int(column)


def _worth_comparing(one: Facts, a: int, other: Facts, b: int) -> bool:
    """Whether both have values of one kind, or just one of them denies something."""
    if one.parsed[a].sentence.text == other.parsed[b].sentence.text:
        return False
    kinds = {value.kind for value in one.values[a]} & {value.kind for value in other.values[b]}
    denied = {told.negated for told in one.told[a]} | {told.negated for told in other.told[b]}
    return bool(kinds) or len(denied) == 2


def _said_elsewhere(said: Value | Assertion, own: Parsed, other: Facts) -> bool:
    """Whether the other narrative says the same of the same matter in some sentence."""
    for place, sentence in enumerate(other.parsed):
        if isinstance(said, Value):
            near = [value.near for value in other.values[place] if agrees(said, value)]
        else:
            near = [told.near for told in other.told[place] if _says_so_too(said, told)]
        pair = Pair(own, sentence)
        if any(similarity(pair, said.near, around) >= _ELSEWHERE for around in near):
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
    """The surest of those between the same narratives with the same values."""
    kept: dict[tuple[object, ...], Conflict] = {}
    for _, conflict in sorted(found, key=lambda scored: (-scored[0], _place(scored[1]))):
        sides = conflict.sides
        key = (
            conflict.kind,
            *(side.narrative for side in sides),
            *(" ".join(side.value.lower().split()) for side in sides),
        )
        kept.setdefault(key, conflict)
    return list(kept.values())


def _place(conflict: Conflict) -> list[tuple[int, str, str]]:
    """A place in the order of results that does not depend on the narratives' numbers."""
    return sorted((side.value_start, side.text, side.value) for side in conflict.sides)
