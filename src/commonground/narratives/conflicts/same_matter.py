"""Whether two values that differ are said of the same matter, and how sure it is."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from commonground.narratives.conflicts.circumstances import other_measurement
from commonground.narratives.conflicts.matter import (
    FAR,
    LIGHT,
    SAYING,
    frames,
    hosts,
    is_argument,
    meaning,
    predicate,
    similarity,
    sureness,
)
from commonground.narratives.conflicts.opposites import DECISIONS, opposite
from commonground.narratives.conflicts.sentence import ALIKE, KINDS_OF_PEOPLE, PEOPLE, Pair
from commonground.narratives.conflicts.values import PLACES, Value, counted, thing
from commonground.text.values import Quantity, name_parts, one_may_hold_the_other

if TYPE_CHECKING:
    from spacy.tokens import Token

ConflictKind = Literal["number", "date", "name", "place", "quality", "negation"]

_WITHOUT_VERB = 0.65
_WHATEVER_LABEL = 0.7
# Verbs of sentences that are close may be less alike: "offered posts", "given work".
_CLOSE_VERBS = 0.35
_TOPIC = 0.25  # what both narratives come back to is likely one thing


def same_matter(pair: Pair, one: Value, other: Value) -> tuple[ConflictKind, float] | None:
    """The kind of conflict if two values at odds are said of the same, and how sure it is."""
    if one.kind == "number":
        alike = _same_number(pair, one, other)
        return None if alike is None else ("number", alike)
    if one.kind == "quality":
        return ("quality", _same_thing(pair, one, other))
    if not _same_frame(pair, one, other):
        return None
    alike = similarity(pair, one.near, other.near, contraries=one.kind == "date")
    if one.kind == "name":
        # Who does a thing, or where, is told more or less exactly by sentences that are close.
        kind = _kind_of_name(one, other, alike)
        return (kind, alike) if kind is not None else None
    return ("date" if one.kind == "date" else "place", sureness(pair, alike))


def _same_number(pair: Pair, one: Value, other: Value) -> float | None:
    if not _same_count(pair, one, other):
        return None
    measured = isinstance(one.said, Quantity) and bool(one.said.measure.dimension)
    uncounted = counted(one) is None and counted(other) is None
    if (measured or uncounted) and other_measurement(pair, one, other):
        return None
    alike = sureness(pair, similarity(pair, one.near, other.near))
    return alike if measured or _same_event(pair, one, other, alike) else None


def _same_count(pair: Pair, one: Value, other: Value) -> bool:
    """The same thing counted; where one is left out it may be any."""
    if _rest(one) != _rest(other):
        return False
    first, second = counted(one), counted(other)
    if first is None or second is None:
        return True
    if second.lemma_ in PEOPLE and first.lemma_ in KINDS_OF_PEOPLE:
        return _too_many(one, other)
    if first.lemma_ in PEOPLE and second.lemma_ in KINDS_OF_PEOPLE:
        return _too_many(other, one)
    return pair.tokens(first, second) >= ALIKE


def _rest(value: Value) -> bool:
    """Whether some are left out of the count: "a dozen other states"."""
    span = value.span
    return any(token.lower_ in _MORE for token in span.doc[span.end : span.end + 1])


_MORE = frozenset(("other", "more", "further", "additional", "another", "remaining"))


def _too_many(part: Value, whole: Value) -> bool:
    """Whether it cannot be a part: of 340 people 410 are no residents, of 410 people 340 may be."""
    some, every = part.said, whole.said
    return isinstance(some, Quantity) and isinstance(every, Quantity) and some.low > every.high


def _same_event(pair: Pair, one: Value, other: Value, alike: float) -> bool:
    first, second = predicate(one.root), predicate(other.root)
    if _same_predicate(pair, first, second, one, other):
        return True
    # "212 were on board" and "it was carrying 212": the verb says little, the rest must do.
    light = any(verb is not None and verb.lemma_ in LIGHT for verb in (first, second))
    if light and alike >= _WITHOUT_VERB:
        return True
    return _whole(one, first) and _whole(other, second)


_HOLDING = frozenset(("have", "carry", "hold", "contain", "comprise", "number"))


def _whole(value: Value, verb: "Token | None") -> bool:
    """Whether it counts all there are: "a bus with 28 passengers", "the 28 passengers"."""
    noun = counted(value)
    if noun is None:
        return False
    definite = any(part.lower_ in ("the", "all") or part.dep_ == "poss" for part in noun.children)
    beside = noun.dep_ == "pobj" and noun.head.lower_ == "with"
    there = noun.dep_ == "attr" and noun.head.lemma_ == "be"
    held = noun.dep_ == "dobj" and verb is not None and verb.lemma_ in _HOLDING
    return definite or beside or there or held


def _same_predicate(
    pair: Pair, one: "Token | None", other: "Token | None", first: Value, second: Value
) -> bool:
    if one is None or other is None:
        return False
    a = meaning(one, range(first.span.start, first.span.end))
    b = meaning(other, range(second.span.start, second.span.end))
    if pair.closeness < FAR:
        return pair.tokens(a, b) >= ALIKE
    return pair.tokens(a, b) >= _CLOSE_VERBS and not pair.contrary(a, b)


def _same_thing(pair: Pair, one: Value, other: Value) -> float:
    """How sure two adjectives describe the same single thing."""
    first, second = thing(one.root), thing(other.root)
    if first is None or second is None or first.lemma_ != second.lemma_:
        return 0.0
    alike = sureness(pair, similarity(pair, one.near, other.near))
    topic = pair.one.words.stems[pair.one.rows[first.i]] in pair.topics
    return alike + _TOPIC if topic else alike


def _same_frame(pair: Pair, one: Value, other: Value) -> bool:
    """The same role beside the same predicate; who says a thing, or when, is no such role."""
    if one.kind == "name" and not _same_hosts(pair, one, other):
        return False
    if one.kind == "date" and (_same_occasion(pair, one, other) or _same_scene(pair, one, other)):
        return True
    return any(
        (one.kind != "name" or role == role2)
        and verb.lemma_ not in SAYING
        and _same_happening(pair, verb, verb2, one, other)
        for verb, role in frames(one.root)
        for verb2, role2 in frames(other.root)
    )


def _same_happening(pair: Pair, verb: "Token", verb2: "Token", one: Value, other: Value) -> bool:
    """The same predicate, or the contrary decision: when a bill is signed it is not vetoed."""
    if opposite(DECISIONS, verb.lemma_, verb2.lemma_):
        return one.kind == "date" and pair.closeness >= FAR
    if one.kind == "room":
        return _same_predicate(pair, verb, verb2, one, other)
    a = meaning(verb, range(one.span.start, one.span.end))
    b = meaning(verb2, range(other.span.start, other.span.end))
    return pair.tokens(a, b) >= ALIKE


_SCENE = 0.55


def _same_scene(pair: Pair, one: Value, other: Value) -> bool:
    """Days in sentences so close that verbs matter no more: "the lift stopped", "they sat in"."""
    first, second = predicate(one.root), predicate(other.root)
    if pair.closeness < _SCENE or (first and second and pair.contrary(first, second)):
        return False
    return similarity(pair, one.near, other.near) >= _SCENE


_HELD = frozenset(
    ("hold", "schedule", "set", "plan", "begin", "start", "happen", "occur", "be", "take", "open")
)
_VISITED = frozenset(("come", "go", "invite", "attend", "meet", "travel", "appear", "gather"))
_TAKING_PART = dict.fromkeys(_HELD, ("nsubj", "nsubjpass")) | dict.fromkeys(_VISITED, ("dobj",))


def _same_occasion(pair: Pair, one: Value, other: Value) -> bool:
    """Dates of one noun: "come to the hearing on 3 May", "the hearing will be held on 4 May"."""
    if pair.closeness < FAR:
        return False
    there = {noun.lemma_ for noun in _occasions(other)}
    return any(noun.lemma_ in there for noun in _occasions(one))


def _occasions(value: Value) -> Iterator["Token"]:
    """The nouns that may be dated: the one it hangs on, or what is held or visited then."""
    above = value.root.head
    if above.dep_ == "prep":
        above = above.head
    if above.pos_ == "NOUN":
        yield above
    for child in above.children:
        if child.dep_ in _TAKING_PART.get(above.lemma_, ()):
            yield child
        elif above.lemma_ in _VISITED and child.dep_ == "prep" and child.lower_ in ("to", "at"):
            yield from (noun for noun in child.children if noun.dep_ == "pobj")


def _same_hosts(pair: Pair, one: Value, other: Value) -> bool:
    """Both take part themselves, or both are places in the same: "in a park in Leeds"."""
    if is_argument(one.root) and is_argument(other.root):
        return True
    first, second = hosts(one.root), hosts(other.root)
    if not first or len(first) != len(second) or not {one.label, other.label} <= PLACES:
        return False
    inside = all(pair.tokens(a, b) >= ALIKE for a, b in zip(first, second, strict=True))
    return inside and is_argument(first[-1]) and is_argument(second[-1])


def _kind_of_name(one: Value, other: Value, alike: float) -> ConflictKind | None:
    labels = {one.label, other.label}
    roles = {role for value in (one, other) for _, role in list(frames(value.root))[:1]}
    if roles == {"place"} or (labels & PLACES and labels <= PLACES | {""}):
        first, second = " ".join(name_parts(one.span.text)), " ".join(name_parts(other.span.text))
        return None if one_may_hold_the_other(first, second) else "place"
    if "" in labels or labels & PLACES:
        return None
    # The parser takes some persons for organisations.
    return "name" if len(labels) == 1 or alike >= _WHATEVER_LABEL else None
