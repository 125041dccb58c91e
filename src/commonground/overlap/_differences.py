"""Where two sentences about the same matter have different values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from commonground.overlap._matter import (
    LIGHT,
    SAYING,
    frames,
    hosts,
    is_argument,
    meaning,
    predicate,
    similarity,
)
from commonground.overlap._negation import Assertion, opposed
from commonground.overlap._sentence import ALIKE, Pair
from commonground.overlap._values import PLACES, Value, counted
from commonground.text import _dates, _numbers
from commonground.text._dates import When
from commonground.text._names import parts, same_name, same_person
from commonground.text._numbers import Quantity
from commonground.text._regions import one_may_hold_the_other

if TYPE_CHECKING:
    from spacy.tokens import Token

ConflictKind = Literal["number", "date", "name", "place", "negation"]

SAME_MATTER = 0.5
"""How similar the words around two values must be; see `docs/conflicts.md`."""


_WITHOUT_VERB = 0.65
_WHATEVER_LABEL = 0.7


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
        return same_dimension and not _numbers.agree(one.said, other.said)
    if isinstance(one.said, When) and isinstance(other.said, When):
        return _dates.comparable(one.said, other.said) and not _dates.agree(one.said, other.said)
    if isinstance(one.said, str) and isinstance(other.said, str):
        return not _same_named(one, other)
    return False


def agrees(one: Value, other: Value) -> bool:
    """Whether the other says the same as one, and not merely nothing against it."""
    if isinstance(one.said, Quantity) and isinstance(other.said, Quantity):
        same_dimension = one.said.measure.dimension == other.said.measure.dimension
        return same_dimension and _numbers.agree(one.said, other.said)
    if isinstance(one.said, When) and isinstance(other.said, When):
        return _dates.comparable(one.said, other.said) and _dates.agree(one.said, other.said)
    return one.kind == other.kind == "name" and _same_named(one, other)


def _same_named(one: Value, other: Value) -> bool:
    first, second = one.span.text, other.span.text
    if "PERSON" in (one.label, other.label) and same_person(first, second):
        return True
    return same_name(first, second)


def same_matter(pair: Pair, one: Value, other: Value) -> tuple[ConflictKind, float] | None:
    """The kind of conflict if two values at odds are said of the same, and how sure it is."""
    same = _same_count if one.kind == "number" else _same_frame
    if not same(pair, one, other):
        return None
    alike = similarity(pair, one.near, other.near)
    if isinstance(one.said, Quantity):
        told = bool(one.said.measure.dimension) or _same_event(pair, one, other, alike)
        return ("number", alike) if told else None
    kind = "date" if one.kind == "date" else _kind_of_name(one, other, alike)
    return (kind, alike) if kind is not None else None


def _same_count(pair: Pair, one: Value, other: Value) -> bool:
    """The same thing counted; where one is left out it may be any."""
    first, second = counted(one), counted(other)
    return first is None or second is None or pair.tokens(first, second) >= ALIKE


def _same_event(pair: Pair, one: Value, other: Value, alike: float) -> bool:
    first, second = predicate(one.root), predicate(other.root)
    if _same_predicate(pair, first, second, one, other):
        return True
    # "212 were on board" and "it was carrying 212": the verb says little, the rest must do.
    light = any(verb is not None and verb.lemma_ in LIGHT for verb in (first, second))
    return light and alike >= _WITHOUT_VERB


def _same_predicate(
    pair: Pair, one: "Token | None", other: "Token | None", first: Value, second: Value
) -> bool:
    if one is None or other is None:
        return False
    a = meaning(one, range(first.span.start, first.span.end))
    b = meaning(other, range(second.span.start, second.span.end))
    return pair.tokens(a, b) >= ALIKE


def _same_frame(pair: Pair, one: Value, other: Value) -> bool:
    """The same role beside the same predicate; who says a thing, or when, is no such role."""
    if one.kind == "name" and not _same_hosts(pair, one, other):
        return False
    return any(
        (one.kind == "date" or role == role2)
        and verb.lemma_ not in SAYING
        and _same_predicate(pair, verb, verb2, one, other)
        for verb, role in _frames(one)
        for verb2, role2 in _frames(other)
    )


def _same_hosts(pair: Pair, one: Value, other: Value) -> bool:
    """Both take part themselves, or both are places in the same: "in a park in Leeds"."""
    if is_argument(one.root) and is_argument(other.root):
        return True
    first, second = hosts(one.root), hosts(other.root)
    if not first or len(first) != len(second) or not {one.label, other.label} <= PLACES:
        return False
    inside = all(pair.tokens(a, b) >= ALIKE for a, b in zip(first, second, strict=True))
    return inside and is_argument(first[-1]) and is_argument(second[-1])


def _frames(value: Value) -> list[tuple["Token", str]]:
    return list(frames(value.root))


def _kind_of_name(one: Value, other: Value, alike: float) -> ConflictKind | None:
    labels = {one.label, other.label}
    roles = {role for value in (one, other) for _, role in _frames(value)[:1]}
    if roles == {"place"} or (labels & PLACES and labels <= PLACES | {""}):
        first, second = " ".join(parts(one.span.text)), " ".join(parts(other.span.text))
        return None if one_may_hold_the_other(first, second) else "place"
    if "" in labels or labels & PLACES:
        return None
    # The parser takes some persons for organisations.
    return "name" if len(labels) == 1 or alike >= _WHATEVER_LABEL else None


def differences(
    pair: Pair,
    values: tuple[Sequence[Value], Sequence[Value]],
    told: tuple[Sequence[Assertion], Sequence[Assertion]],
) -> list[Difference]:
    """What two sentences tell differently of the same matter."""
    found = sorted(_candidates(pair, *values), key=lambda found: -found.sureness)
    if not found:
        found = list(_negations(pair, *told))
    if not found or _other_turn(pair) or not _of_one_matter(found):
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


def _of_one_matter(found: Sequence[Difference]) -> bool:
    """Whether differences can be of one matter: where two kinds differ at once they are not.

    A count and a day may both be told wrongly of one event; "4 percent in March" and "9 percent
    in April", or "Ann scored 12" and "Eve scored 15", are two.
    """
    kinds = {one.kind for one in found}
    if len(kinds) <= 1:
        return True
    return kinds == {"number", "date"} and all(_event(one) for one in found)


def _event(found: Difference) -> bool:
    """Whether it is of a single event: things counted, or a day; not a rate or a month."""
    said = found.one.said if isinstance(found.one, Value) else None
    if isinstance(said, Quantity):
        return not said.measure.dimension
    return isinstance(said, When) and not _period(said)


def _period(when: When) -> bool:
    return when.day is None and when.weekday is None and when.minute is None


_TURNS = frozenset(
    (
        "first", "second", "third", "fourth", "fifth", "sixth", "last", "next", "previous",
        "final",
    )
)  # fmt: skip


def _other_turn(pair: Pair) -> bool:
    """Whether the sentences tell of different turns: "the first quarter", "the second quarter"."""
    one, other = (
        {
            (token.head.lemma_.lower(), token.lower_)
            for token in side.doc
            if token.lower_ in _TURNS and token.head.pos_ == "NOUN"
        }
        for side in (pair.one, pair.other)
    )
    shared = {noun for noun, _ in one} & {noun for noun, _ in other}
    return any(
        {turn for noun, turn in one if noun == shared_noun}.isdisjoint(
            turn for noun, turn in other if noun == shared_noun
        )
        for shared_noun in shared
    )
