"""What a value is about: its predicate, its role there, and the content words around it."""

from collections import deque
from collections.abc import Container, Iterator
from typing import TYPE_CHECKING

from commonground.narratives.conflicts.pair import Near
from commonground.reading import Parsed

if TYPE_CHECKING:
    from spacy.tokens import Token

LIGHT = frozenset(("be", "have", "become"))
"""Verbs with little meaning of their own."""

_CONTENT = frozenset(("NOUN", "PROPN", "VERB", "ADJ", "NUM"))
_FREE = frozenset(("prep", "agent", "aux", "auxpass", "det", "punct", "cc", "mark"))
_FARTHEST = 4
_FADING = 0.6
_SUBJECTS = frozenset(("nsubj", "csubj", "agent"))
_OBJECTS = frozenset(("dobj", "nsubjpass", "attr", "oprd", "dative", "appos"))
_LOCATIVE = frozenset(
    ("in", "at", "near", "outside", "around", "inside", "into", "off", "along", "beside", "across")
)


def predicate(token: "Token") -> "Token | None":
    """Return the verb that governs a token, which may be the token; None if there is none."""
    while not _is_predicate(token):
        if token.head.i == token.i:
            return None
        token = token.head
    return token


def _is_predicate(token: "Token") -> bool:
    return token.pos_ in ("VERB", "AUX") and token.dep_ not in ("aux", "auxpass", "amod")


def meaning(verb: "Token", without: Container[int] = ()) -> "Token":
    """Return the word that carries the meaning: the verb, or the complement of "be"."""
    if verb.lemma_ not in LIGHT:
        return verb
    order = ("acomp", "attr", "dobj", "xcomp", "nsubj")
    children = [child for child in verb.children if child.dep_ in order and child.i not in without]
    return min(children, key=lambda child: order.index(child.dep_), default=verb)


def frames(token: "Token") -> Iterator[tuple["Token", str]]:
    """Yield the predicates that a noun is an argument of, each with its role.

    The "firm bought by them" is the object of "bought".
    """
    verb = predicate(token.head)  # not of the token: rare names are tagged as verbs
    if verb is None or verb.i == token.i:
        return
    yield verb, _role(token, verb)
    for child in token.children:
        if child.dep_ == "acl" and child.tag_ == "VBN":
            yield child, "object"
        elif child.dep_ == "relcl":
            passive = any(part.dep_ == "auxpass" for part in child.children)
            yield child, "object" if passive else "subject"


def is_argument(token: "Token") -> bool:
    """Say whether a noun itself is an argument of a verb, not part of another noun.

    In "the FCC's account retweeted it" the account is, the FCC is not.
    """
    while token.dep_ == "appos":
        token = token.head
    if token.dep_ == "pobj":
        return _is_predicate(token.head.head) or token.head.lower_ == "as"
    return token.dep_ in _SUBJECTS | _OBJECTS


def _role(token: "Token", verb: "Token") -> str:
    """Return subject, object, place or the preposition, as in the active voice."""
    while token.head.i != verb.i:
        token = token.head
        if (
            token.lower_ == "as"
        ):  # the parser may attach "as her" to "police" in "identified by police as her"
            return "object"
    if token.dep_ in _SUBJECTS:
        return "subject"
    if token.dep_ in _OBJECTS:
        return "object"
    if token.dep_ == "prep":
        word = token.lower_
        # "her" has the same role in "identified as her" and "appointed her".
        return "place" if word in _LOCATIVE else "object" if word == "as" else word
    return token.dep_


def subject(verb: "Token") -> "Token | None":
    """Return the active or passive subject of a verb itself."""
    subjects = ("nsubj", "nsubjpass", "csubj")
    return next((child for child in verb.children if child.dep_ in subjects), None)


def near(parsed: Parsed, start: int, end: int, apart: Container[int]) -> Near:
    """Return the content words around the tokens from `start` to `end`, without `apart`."""
    doc = parsed.doc
    distances = dict.fromkeys(range(start, end), 0)
    queue = deque(distances)
    while queue:
        token = doc[queue.popleft()]
        for other in (token.head, *token.children):
            distance = distances[token.i] + _step(token, other)
            if other.i not in distances and distance <= _FARTHEST:
                distances[other.i] = distance
                queue.append(other.i)
    return {
        index: _FADING ** (distance - 1) * float(parsed.words.weights[parsed.rows[index]])
        for index, distance in distances.items()
        if distance > 0 and index not in apart and _is_content(doc[index], parsed)
    }


def _step(one: "Token", other: "Token") -> int:
    """Return the distance of two neighbours: function words 0, another clause 2, else 1."""
    lower = one if one.head.i == other.i else other
    if lower.dep_ in ("advcl", "conj") and _is_predicate(lower):
        return 2
    return 0 if other.dep_ in _FREE else 1


def _is_content(token: "Token", parsed: Parsed) -> bool:
    # "pending" may be a preposition.
    content = token.pos_ in _CONTENT and token.dep_ not in _FREE
    return content and bool(parsed.rows[token.i] >= 0)
