"""Whether two values that differ are said of the same matter, and how sure it is."""

from typing import TYPE_CHECKING, Literal

from commonground.narratives.conflicts.circumstances import other_measurement
from commonground.narratives.conflicts.matter import (
    FAR,
    frames,
    is_argument,
    meaning,
    predicate,
    similarity,
    sureness,
)
from commonground.narratives.conflicts.pair import ALIKE, Pair
from commonground.narratives.conflicts.values import PLACES, Value, counted, thing
from commonground.narratives.word_lists import word_list
from commonground.text.values import Quantity, name_parts, one_may_hold_the_other

if TYPE_CHECKING:
    from spacy.tokens import Token

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
