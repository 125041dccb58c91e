"""Whether two sentences tell of different turns, times or circumstances of a thing."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from commonground.narratives.conflicts.matter import LIGHT, predicate, subject
from commonground.narratives.conflicts.pair import ALIKE, Pair
from commonground.narratives.conflicts.values import Value
from commonground.reading import Parsed

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
