"""Where two sentences about the same matter have different values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from commonground.narratives.conflicts.negation import Assertion, opposed
from commonground.narratives.conflicts.pair import QUALITIES, Pair, opposite
from commonground.narratives.conflicts.same_matter import ConflictKind, other_turn, same_matter
from commonground.narratives.conflicts.values import Value
from commonground.text.values import (
    CURRENCIES,
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
"""Minimum similarity of the words around two values; see `docs/conflicts.md`."""

_STEM = 5  # letters that two forms of a word have in common


@dataclass(frozen=True, slots=True, eq=False)
class Difference:
    """Two values, or two predicates, that cannot both be right, and how sure that is."""

    kind: ConflictKind
    one: Value | Assertion
    other: Value | Assertion
    sureness: float


def at_odds(one: Value, other: Value) -> bool:
    """Say whether two values of one kind cannot both be right about the same matter."""
    if isinstance(one.said, str) and isinstance(other.said, str):
        if one.kind == "quality":
            return opposite(QUALITIES, one.said, other.said)
        return not _same_named(one, other)
    return _agree(one.said, other.said) is False


def agrees(one: Value, other: Value) -> bool:
    """Say whether two values are the same, not merely compatible."""
    if isinstance(one.said, str) and isinstance(other.said, str) and one.kind == other.kind:
        return one.said == other.said if one.kind == "quality" else _same_named(one, other)
    return _agree(one.said, other.said) is True


def _agree(one: Quantity | When | str, other: Quantity | When | str) -> bool | None:
    """Say whether two numbers or two dates agree; None if they cannot be compared."""
    if isinstance(one, Quantity) and isinstance(other, Quantity):
        dimensions = {one.measure.dimension, other.measure.dimension}
        if len(dimensions) == 1:
            return numbers_agree(one, other)
        # Sums in two currencies may be one sum converted, unless the numbers are the same.
        return False if dimensions <= CURRENCIES and one.value == other.value else None
    if isinstance(one, When) and isinstance(other, When):
        return dates_agree(one, other) if dates_comparable(one, other) else None
    return None


def _same_named(one: Value, other: Value) -> bool:
    first, second = one.span.text, other.span.text
    if "PERSON" in (one.label, other.label) and same_person(first, second):
        return True
    return same_name(first, second)


def said_alike(kind: str, one: str, other: str) -> bool:
    """Say whether two wordings, each from a conflict of this kind, give the same value."""
    if kind == "claim":
        return one == other
    if kind in ("name", "place"):
        return same_name(one, other)
    if kind == "number" and (ours := quantities(one)) and (theirs := quantities(other)):
        return _agree(ours[0], theirs[0]) is True
    if kind == "date" and (whens := dates(one)) and (others := dates(other)):
        return dates_agree(whens[0], others[0])
    # The last word of a predicate carries its meaning: "did not resign", "resigned".
    last, last_other = one.lower().split()[-1:], other.lower().split()[-1:]
    return last == last_other or (kind == "negation" and last[0][:_STEM] == last_other[0][:_STEM])


def differences(
    pair: Pair,
    values: tuple[Sequence[Value], Sequence[Value]],
    assertions: tuple[Sequence[Assertion], Sequence[Assertion]],
) -> list[Difference]:
    """Return what two sentences say differently about the same matter."""
    result = sorted(_candidates(pair, *values), key=lambda difference: -difference.sureness)
    # What is true on Monday may be false on Tuesday.
    if not result and not _dated_apart(*values):
        result += _negations(pair, *assertions)
    if not result or other_turn(pair) or not _of_one_matter(result):
        return []
    chosen: list[Difference] = []
    used: set[int] = set()
    for difference in result:
        sides = {id(difference.one), id(difference.other)}
        if used.isdisjoint(sides) and difference.sureness >= SAME_MATTER:
            chosen.append(difference)
            used |= sides
    return chosen


def _candidates(pair: Pair, ones: Sequence[Value], others: Sequence[Value]) -> Iterator[Difference]:
    alone = [value for value in ones if not any(agrees(value, other) for other in others)]
    for other in others:
        if any(agrees(value, other) for value in ones):
            continue
        for one in alone:
            if one.kind == other.kind and at_odds(one, other):
                matter = same_matter(pair, one, other)
                if matter is not None:
                    kind, sureness = matter
                    yield Difference(kind, one, other, sureness)


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


def _of_one_matter(result: Sequence[Difference]) -> bool:
    """Say whether differences can be about one matter.

    Two kinds of difference at once are usually two matters: "4 percent in March" and "9 percent in
    April", or "Ann scored 12" and "Eve scored 15". Only the count and the day of one event may both
    be wrong.
    """
    kinds = {difference.kind for difference in result}
    return len(kinds) == 1 or (kinds == {"number", "date"} and all(map(_is_event, result)))


def _is_event(difference: Difference) -> bool:
    """Say whether it is about a single event: a count or a day, not a rate or a month."""
    said = difference.one.said if isinstance(difference.one, Value) else None
    if isinstance(said, Quantity):
        return not said.measure.dimension
    return isinstance(said, When) and (said.day, said.weekday, said.minute) != (None, None, None)
