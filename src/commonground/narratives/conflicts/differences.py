"""Where two sentences about the same matter have different values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from commonground.narratives.conflicts.negation import Assertion, opposed
from commonground.narratives.conflicts.pair import QUALITIES, Pair, opposite
from commonground.narratives.conflicts.same_matter import ConflictKind, other_turn, same_matter
from commonground.narratives.conflicts.values import Value
from commonground.text.values import (
    Quantity,
    When,
    dates,
    dates_agree,
    dates_comparable,
    numbers_agree,
    quantities,
    same_name,
    same_person,
)

SAME_MATTER = 0.5
"""How similar the words around two values must be; see `docs/conflicts.md`."""


@dataclass(frozen=True, slots=True, eq=False)
class Difference:
    """Two values, or two predicates, that cannot both be right, and how sure it is."""

    kind: ConflictKind
    one: Value | Assertion
    other: Value | Assertion
    sureness: float


def at_odds(one: Value, other: Value) -> bool:
    """Whether two values of a kind cannot both be right of the same matter."""
    if isinstance(one.said, Quantity) and isinstance(other.said, Quantity):
        same_dimension = one.said.measure.dimension == other.said.measure.dimension
        return same_dimension and not numbers_agree(one.said, other.said)
    if isinstance(one.said, When) and isinstance(other.said, When):
        return dates_comparable(one.said, other.said) and not dates_agree(one.said, other.said)
    if isinstance(one.said, str) and isinstance(other.said, str):
        if one.kind == "quality":
            return opposite(QUALITIES, one.said, other.said)
        return not _same_named(one, other)
    return False


def agrees(one: Value, other: Value) -> bool:
    """Whether the other says the same as one, and not merely nothing against it."""
    if isinstance(one.said, Quantity) and isinstance(other.said, Quantity):
        same_dimension = one.said.measure.dimension == other.said.measure.dimension
        return same_dimension and numbers_agree(one.said, other.said)
    if isinstance(one.said, When) and isinstance(other.said, When):
        return dates_comparable(one.said, other.said) and dates_agree(one.said, other.said)
    if one.kind != other.kind:
        return False
    return one.said == other.said if one.kind == "quality" else _same_named(one, other)


def _same_named(one: Value, other: Value) -> bool:
    first, second = one.span.text, other.span.text
    if "PERSON" in (one.label, other.label) and same_person(first, second):
        return True
    return same_name(first, second)


def said_alike(kind: str, one: str, other: str) -> bool:
    """Whether two wordings, each taken from a conflict of this kind, give the same value."""
    if kind == "claim":
        return one == other
    if kind == "number":
        first, second = quantities(one), quantities(other)
        if first and second:
            dimensions = {first[0].measure.dimension, second[0].measure.dimension}
            return len(dimensions) == 1 and numbers_agree(first[0], second[0])
    if kind == "date":
        whens, others = dates(one), dates(other)
        if whens and others:
            return dates_agree(whens[0], others[0])
    if kind in ("name", "place"):
        return same_name(one, other)
    # Of a predicate the last word tells what it is: "did not resign", "resigned".
    ours, theirs = one.lower().split(), other.lower().split()
    return ours[-1:] == theirs[-1:] or (kind == "negation" and _family(ours[-1], theirs[-1]))


def _family(one: str, other: str) -> bool:
    """Whether they are forms of a word, by how they begin."""
    return one[:_BEGINNING] == other[:_BEGINNING]


_BEGINNING = 5


def differences(
    pair: Pair,
    values: tuple[Sequence[Value], Sequence[Value]],
    told: tuple[Sequence[Assertion], Sequence[Assertion]],
) -> list[Difference]:
    """What two sentences tell differently of the same matter."""
    found = sorted(_candidates(pair, *values), key=lambda found: -found.sureness)
    # What is so on Monday may be otherwise on Tuesday.
    if not found and not _dated_apart(*values):
        found += _negations(pair, *told)
    if not found or other_turn(pair) or not _of_one_matter(found):
        return []
    chosen: list[Difference] = []
    used: set[int] = set()
    for one in found:
        new = id(one.one) not in used and id(one.other) not in used
        if new and one.sureness >= SAME_MATTER:
            chosen.append(one)
            used |= {id(one.one), id(one.other)}
    return chosen


def _candidates(pair: Pair, ones: Sequence[Value], others: Sequence[Value]) -> Iterator[Difference]:
    alone = [value for value in ones if not any(agrees(value, other) for other in others)]
    for other in others:
        if any(agrees(value, other) for value in ones):
            continue
        for one in alone:
            if one.kind == other.kind and at_odds(one, other):
                found = same_matter(pair, one, other)
                if found is not None:
                    yield Difference(found[0], one, other, found[1])


def _negations(
    pair: Pair, ones: Sequence[Assertion], others: Sequence[Assertion]
) -> Iterator[Difference]:
    for one in ones:
        for other in others:
            sureness = opposed(pair, one, other)
            if sureness >= SAME_MATTER:
                yield Difference("negation", one, other, sureness)


def _dated_apart(ones: Sequence[Value], others: Sequence[Value]) -> bool:
    return any(
        one.kind == other.kind == "date" and at_odds(one, other) for one in ones for other in others
    )


def _of_one_matter(found: Sequence[Difference]) -> bool:
    """Whether differences can be of one matter: where two kinds differ at once they are not.

    A count and a day may both be told wrongly of one event; "4 percent in March" and "9 percent
    in April", or "Ann scored 12" and "Eve scored 15", are two.
    """
    kinds = {one.kind for one in found}
    return len(kinds) == 1 or (kinds == {"number", "date"} and all(map(_event, found)))


def _event(found: Difference) -> bool:
    """Whether it is of a single event: things counted, or a day; not a rate or a month."""
    said = found.one.said if isinstance(found.one, Value) else None
    if isinstance(said, Quantity):
        return not said.measure.dimension
    return isinstance(said, When) and not _period(said)


def _period(when: When) -> bool:
    return when.day is None and when.weekday is None and when.minute is None
