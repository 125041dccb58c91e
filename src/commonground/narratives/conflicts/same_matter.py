"""Whether two values that differ are said of the same matter, and how sure it is."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from commonground.narratives.conflicts.matter import (
    FAR,
    LIGHT,
    frames,
    is_argument,
    meaning,
    predicate,
    similarity,
    subject,
    sureness,
)
from commonground.narratives.conflicts.pair import ALIKE, Pair
from commonground.narratives.conflicts.values import PLACES, Value, counted, thing
from commonground.narratives.word_lists import word_list
from commonground.reading import Parsed
from commonground.text.values import Quantity, name_parts, one_may_hold_the_other

if TYPE_CHECKING:
    from spacy.tokens import Token


_TURNS = frozenset(
    (
        "first", "second", "third", "fourth", "fifth", "sixth", "last", "next", "previous",
        "final",
    )
)  # fmt: skip
_SHIFTS = frozenset(
    ("ago", "before", "earlier", "later", "previously", "formerly", "originally", "initially")
)
_UNDER = frozenset(("with", "without", "in", "on", "at", "under", "after", "before", "during"))
_ENDS = frozenset(("from", "to", "by"))


def other_turn(pair: Pair) -> bool:
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


def other_measurement(pair: Pair, one: Value, other: Value) -> bool:
    """Whether two measured values can both be right: measured at other times, or otherwise.

    "Rose from 5" says nothing of "rose to 7"; "the year before" nothing of this one; a saturation
    "in room air" nothing of one "with oxygen". What happened once has but one number, so only
    states are looked at: "was", "is", or no verb at all.
    """
    if _other_end(one, other):
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


def _other_end(one: Value, other: Value) -> bool:
    """Whether numbers tell different ends of a change: "from 5" and "to 7", "by 2" and "to 7"."""
    ends = {_end(one), _end(other)}
    return len(ends) == 2 and ("from" in ends or ends == {"by", "to"})


def _end(value: Value) -> str:
    above = value.root.head
    return above.lower_ if above.dep_ == "prep" and above.lower_ in _ENDS else ""


def _shifts(parsed: Parsed) -> set[str]:
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
    """Whether a value holds under a circumstance of which the other sentence knows nothing."""
    return any(_unknown(noun, parsed, other) for noun in _under(value))


def _under(value: Value) -> Iterator["Token"]:
    """Nouns of the circumstances of a value: of "in room air" the air."""
    verb = predicate(value.root)
    hosts = [value.root, *((verb, subject(verb)) if verb is not None else ())]
    for host in hosts:
        for child in host.children if host is not None else ():
            if child.dep_ == "prep" and child.lower_ in _UNDER:
                yield from (noun for noun in child.children if noun.dep_ == "pobj")


def _unknown(noun: "Token", own: Parsed, other: Parsed) -> bool:
    pair = Pair(own, other)
    return not any(pair.tokens(noun, word) >= ALIKE for word in other.doc)


ConflictKind = Literal["number", "date", "name", "place", "quality", "negation"]

_WHATEVER_LABEL = 0.7
_TOPIC = 0.25  # what both narratives come back to is likely one thing
# Many can say the same thing: who does tells little.
_SAYING = word_list("saying")


def same_matter(pair: Pair, one: Value, other: Value) -> tuple[ConflictKind, float] | None:
    """The kind of conflict if two values at odds are said of the same, and how sure it is."""
    if one.kind == "number":
        alike = _same_number(pair, one, other)
        return None if alike is None else ("number", alike)
    if one.kind == "quality":
        return ("quality", _same_thing(pair, one, other))
    if one.kind == "date" and pair.closeness >= FAR:
        if _other_verbs(pair, one, other):
            return None
    elif not _same_frame(pair, one, other):
        return None
    alike = similarity(pair, one.near, other.near)
    if one.kind == "name":
        # Who does a thing, or where, is told more or less exactly by sentences that are close.
        kind = _kind_of_name(one, other, alike)
        return (kind, alike) if kind is not None else None
    return ("date", sureness(pair, alike))


def _same_number(pair: Pair, one: Value, other: Value) -> float | None:
    if not _same_count(pair, one, other) or _other_verbs(pair, one, other):
        return None
    measured = isinstance(one.said, Quantity) and bool(one.said.measure.dimension)
    uncounted = counted(one) is None and counted(other) is None
    if (measured or uncounted) and other_measurement(pair, one, other):
        return None
    return sureness(pair, similarity(pair, one.near, other.near))


def _same_count(pair: Pair, one: Value, other: Value) -> bool:
    """The same thing counted; where one is left out it may be any."""
    if _rest(one) != _rest(other):
        return False
    first, second = counted(one), counted(other)
    if first is None or second is None:
        return True
    return pair.tokens(first, second) >= ALIKE


def _other_verbs(pair: Pair, one: Value, other: Value) -> bool:
    """Whether the verbs beside two values tell of different matters: "killed", "injured"."""
    first, second = predicate(one.root), predicate(other.root)
    return first is not None and second is not None and pair.contrary(first, second)


def _rest(value: Value) -> bool:
    """Whether some are left out of the count: "a dozen other states"."""
    span = value.span
    return any(token.lower_ in _MORE for token in span.doc[span.end : span.end + 1])


_MORE = frozenset(("other", "more", "further", "additional", "another", "remaining"))


def _same_thing(pair: Pair, one: Value, other: Value) -> float:
    """How sure two adjectives describe the same single thing."""
    first, second = thing(one.root), thing(other.root)
    if first is None or second is None or first.lemma_ != second.lemma_:
        return 0.0
    alike = sureness(pair, similarity(pair, one.near, other.near))
    topic = pair.one.words.stems[pair.one.rows[first.i]] in pair.topics
    return alike + _TOPIC if topic else alike


def _same_frame(pair: Pair, one: Value, other: Value) -> bool:
    """The same role beside the same predicate."""
    if one.kind == "name" and not (is_argument(one.root) and is_argument(other.root)):
        return False
    return any(
        (one.kind != "name" or (role == role2 and verb.lemma_ not in _SAYING))
        and pair.tokens(_meaning(verb, one), _meaning(verb2, other)) >= ALIKE
        for verb, role in frames(one.root)
        for verb2, role2 in frames(other.root)
    )


def _meaning(verb: "Token", value: Value) -> "Token":
    return meaning(verb, range(value.span.start, value.span.end))


def _kind_of_name(one: Value, other: Value, alike: float) -> ConflictKind | None:
    labels = {one.label, other.label}
    roles = {role for value in (one, other) for _, role in list(frames(value.root))[:1]}
    if roles == {"place"} or (labels & PLACES and labels <= PLACES | {""}):
        # Of a region and a smaller place, one may lie in the other.
        places = [" ".join(name_parts(value.span.text)) for value in (one, other)]
        return None if one_may_hold_the_other(*places) else "place"
    # Offices have many names; the parser takes some persons for organisations.
    if "PERSON" not in labels or "" in labels or labels & PLACES:
        return None
    return "name" if len(labels) == 1 or alike >= _WHATEVER_LABEL else None
