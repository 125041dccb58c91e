"""Whether two values that differ are about the same matter, and how sure that is."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from commonground.narratives.conflicts.matter import (
    LIGHT,
    frames,
    is_argument,
    meaning,
    predicate,
    subject,
)
from commonground.narratives.conflicts.pair import ALIKE, CLOSE, Pair
from commonground.narratives.conflicts.values import PLACES, Value, counted, thing
from commonground.narratives.word_lists import word_list
from commonground.reading import Parsed
from commonground.text.values import Quantity, name_parts, one_may_hold_the_other

if TYPE_CHECKING:
    from spacy.tokens import Token

_TURNS = frozenset(
    ("first", "second", "third", "fourth", "fifth", "sixth", "last", "next", "previous", "final")
)
_SHIFTS = frozenset(
    ("ago", "before", "earlier", "later", "previously", "formerly", "originally", "initially")
)
_UNDER = frozenset(("with", "without", "in", "on", "at", "under", "after", "before", "during"))
_ENDS = frozenset(("from", "to", "by"))


def other_turn(pair: Pair) -> bool:
    """Say whether sentences are about different turns: "the first quarter", "the second"."""
    one, other = (
        {
            (token.head.lemma_.lower(), token.lower_)
            for token in side.doc
            if token.lower_ in _TURNS and token.head.pos_ == "NOUN"
        }
        for side in (pair.one, pair.other)
    )
    shared = {noun for noun, _ in one} & {noun for noun, _ in other}
    return shared != {noun for noun, _ in one & other}


def other_measurement(pair: Pair, one: Value, other: Value) -> bool:
    """Say whether two measured values can both be right, as they were measured differently.

    "Rose from 5" does not contradict "rose to 7", nor a saturation "in room air" one "with
    oxygen". An event has only one number, so circumstances count only for states: "was", "is", or
    no verb at all.
    """
    # Different ends of a change: "from 5" and "to 7", "by 2" and "to 7".
    ends = {_end(one), _end(other)}
    if len(ends) == 2 and ("from" in ends or ends == {"by", "to"}):
        return True
    if _shifts(pair.one) != _shifts(pair.other):
        return True
    verbs = [predicate(value.root) for value in (one, other)]
    if not all(verb is None or verb.lemma_ in LIGHT for verb in verbs):
        return False
    tenses = {_past(verb) for verb in verbs if verb is not None}
    if len(tenses) == 2:
        return True
    return _alone(pair.one, one, pair.other) and _alone(pair.other, other, pair.one)


def _end(value: Value) -> str:
    above = value.root.head
    return above.lower_ if above.dep_ == "prep" and above.lower_ in _ENDS else ""


def _shifts(parsed: Parsed) -> set[str]:
    """Return the words that move a sentence in time: "ago", "the year before"."""
    return {
        token.lower_
        for token in parsed.doc
        if token.lower_ in _SHIFTS
        and token.dep_ in ("advmod", "npadvmod", "pcomp", "prep")
        and not any(child.dep_ in ("pobj", "pcomp") for child in token.children)
    }


def _past(verb: "Token") -> bool:
    return verb.tag_ in ("VBD", "VBN") or any(child.tag_ == "VBD" for child in verb.children)


def _alone(parsed: Parsed, value: Value, other: Parsed) -> bool:
    """Say whether a value has a circumstance that the other sentence does not mention."""
    pair = Pair(parsed, other)
    return any(
        not any(pair.tokens(noun, word) >= ALIKE for word in other.doc)
        for noun in _circumstances(value)
    )


def _circumstances(value: Value) -> Iterator["Token"]:
    """Yield the nouns of a value's circumstances: the air of "in room air"."""
    verb = predicate(value.root)
    hosts = [value.root, *((verb, subject(verb)) if verb is not None else ())]
    for host in hosts:
        for child in host.children if host is not None else ():
            if child.dep_ == "prep" and child.lower_ in _UNDER:
                yield from (noun for noun in child.children if noun.dep_ == "pobj")


ConflictKind = Literal["number", "date", "name", "place", "quality", "negation"]

_WHATEVER_LABEL = 0.7  # similarity from which a person and an organisation can be in conflict
_TOPIC = 0.25  # bonus for a thing that both narratives mention more than once
_SAYING = word_list("saying")  # many persons can say the same
_MORE = frozenset(("other", "more", "further", "additional", "another", "remaining"))


def same_matter(pair: Pair, one: Value, other: Value) -> tuple[ConflictKind, float] | None:
    """Return the kind of conflict and its sureness if two values are about the same matter."""
    if one.kind == "number":
        alike = _same_number(pair, one, other)
        return None if alike is None else ("number", alike)
    if one.kind == "quality":
        return ("quality", _same_thing(pair, one, other))
    if one.kind == "date" and pair.closeness >= CLOSE:
        if _other_verbs(pair, one, other):
            return None
    elif not _same_frame(pair, one, other):
        return None
    if one.kind == "date":
        return ("date", pair.sureness(one.near, other.near))
    # Close sentences may name persons and places more or less exactly, so there is no bonus.
    alike = pair.similarity(one.near, other.near)
    kind = _kind_of_name(one, other, alike)
    return (kind, alike) if kind is not None else None


def _same_number(pair: Pair, one: Value, other: Value) -> float | None:
    if not _same_count(pair, one, other) or _other_verbs(pair, one, other):
        return None
    measured = isinstance(one.said, Quantity) and bool(one.said.measure.dimension)
    uncounted = counted(one) is None and counted(other) is None
    if (measured or uncounted) and other_measurement(pair, one, other):
        return None
    return pair.sureness(one.near, other.near)


def _same_count(pair: Pair, one: Value, other: Value) -> bool:
    """Say whether both count the same thing; a thing that is not named may be any."""
    if _rest(one) != _rest(other):
        return False
    first, second = counted(one), counted(other)
    if first is None or second is None:
        return True
    return pair.tokens(first, second) >= ALIKE


def _other_verbs(pair: Pair, one: Value, other: Value) -> bool:
    """Say whether the verbs of two values mean different matters: "killed", "injured"."""
    first, second = predicate(one.root), predicate(other.root)
    return first is not None and second is not None and pair.contrary(first, second)


def _rest(value: Value) -> bool:
    """Say whether a number counts only the rest: "a dozen other states"."""
    span = value.span
    return any(token.lower_ in _MORE for token in span.doc[span.end : span.end + 1])


def _same_thing(pair: Pair, one: Value, other: Value) -> float:
    """Return how surely two adjectives describe the same single thing."""
    first, second = thing(one.root), thing(other.root)
    if first is None or second is None or first.lemma_ != second.lemma_:
        return 0.0
    alike = pair.sureness(one.near, other.near)
    topic = pair.one.words.stems[pair.one.rows[first.i]] in pair.topics
    return alike + _TOPIC if topic else alike


def _same_frame(pair: Pair, one: Value, other: Value) -> bool:
    """Say whether both have the same role with the same predicate."""
    if one.kind == "name" and not (is_argument(one.root) and is_argument(other.root)):
        return False
    return any(
        (one.kind != "name" or (role == role2 and verb.lemma_ not in _SAYING))
        and pair.tokens(
            meaning(verb, range(one.span.start, one.span.end)),
            meaning(verb2, range(other.span.start, other.span.end)),
        )
        >= ALIKE
        for verb, role in frames(one.root)
        for verb2, role2 in frames(other.root)
    )


def _kind_of_name(one: Value, other: Value, alike: float) -> ConflictKind | None:
    labels = {one.label, other.label}
    roles = {role for value in (one, other) for _, role in list(frames(value.root))[:1]}
    if roles == {"place"} or (labels & PLACES and labels <= PLACES | {""}):
        # A place may lie in a region.
        places = [" ".join(name_parts(value.span.text)) for value in (one, other)]
        return None if one_may_hold_the_other(*places) else "place"
    # Organisations have many names, and the parser labels some persons as organisations.
    if "PERSON" not in labels or "" in labels or labels & PLACES:
        return None
    return "name" if len(labels) == 1 or alike >= _WHATEVER_LABEL else None
