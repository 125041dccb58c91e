"""What a value is said of: the predicate it belongs to, its role there, and the words around it."""

from collections import deque
from collections.abc import Container, Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from commonground.narratives.conflicts.pair import ALIKE, Pair
from commonground.reading import Parsed

if TYPE_CHECKING:
    from spacy.tokens import Token

Near = dict[int, float]
"""Content words around a value, as token numbers with weights that fall with the distance."""

LIGHT = frozenset(("be", "have", "become"))
"""Verbs that say little of their own."""

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
    """The verb that governs a token, itself included; None in a sentence without one."""
    while not _is_predicate(token):
        if token.head.i == token.i:
            return None
        token = token.head
    return token


def _is_predicate(token: "Token") -> bool:
    return token.pos_ in ("VERB", "AUX") and token.dep_ not in ("aux", "auxpass", "amod")


def meaning(verb: "Token", without: Container[int] = ()) -> "Token":
    """The word that says what a predicate is about: the verb, or what "be" leads to."""
    if verb.lemma_ not in LIGHT:
        return verb
    for kind in ("acomp", "attr", "dobj", "xcomp", "nsubj"):
        for child in verb.children:
            if child.dep_ == kind and child.i not in without:
                return child
    return verb


def frames(token: "Token") -> Iterator[tuple["Token", str]]:
    """The predicates that a noun takes part in, each with its role there.

    The "firm bought by them" is the object of "bought".
    """
    verb = predicate(token.head)  # not the token: rare names are taken for verbs
    if verb is None or verb.i == token.i:
        return
    yield verb, _role(token, verb)
    for child in token.children:
        if child.dep_ == "acl" and child.tag_ == "VBN":
            yield child, "object"
        elif child.dep_ == "relcl":
            yield child, _as_subject(child)


def is_argument(token: "Token") -> bool:
    """Whether a noun itself takes part in what is told, and not as a part of another noun.

    The account retweets in "the FCC's account retweeted it", not the FCC.
    """
    while token.dep_ == "appos":
        token = token.head
    if token.dep_ == "pobj":
        return _is_predicate(token.head.head) or token.head.lower_ == "as"
    return token.dep_ in _SUBJECTS | _OBJECTS


def _as_subject(verb: "Token") -> str:
    return "object" if any(child.dep_ == "auxpass" for child in verb.children) else "subject"


def _role(token: "Token", verb: "Token") -> str:
    """Subject, object, a place, or the preposition; as in the active voice."""
    while token.head.i != verb.i:
        token = token.head
        if token.lower_ == "as":  # the parser may hang "identified by police as her" on police
            return "object"
    if token.dep_ in _SUBJECTS:
        return "subject"
    if token.dep_ in _OBJECTS:
        return "object"
    if token.dep_ == "prep":
        word = token.lower_
        # "identified as her" and "appointed her" give the same.
        return "place" if word in _LOCATIVE else "object" if word == "as" else word
    return token.dep_


def subject(verb: "Token") -> "Token | None":
    """The subject of a verb itself, passive or active."""
    for child in verb.children:
        if child.dep_ in ("nsubj", "nsubjpass", "csubj"):
            return child
    return None


def near(parsed: Parsed, start: int, end: int, apart: Container[int]) -> Near:
    """Content words around the tokens from `start` to `end`, those in `apart` left out."""
    doc = parsed.doc
    distances = dict.fromkeys(range(start, end), 0)
    queue = deque(distances)
    while queue:
        here = doc[queue.popleft()]
        for other in _neighbours(here):
            distance = distances[here.i] + _step(here, other)
            if other.i not in distances and distance <= _FARTHEST:
                distances[other.i] = distance
                queue.append(other.i)
    return {
        number: _FADING ** (distance - 1) * float(parsed.words.weights[parsed.rows[number]])
        for number, distance in distances.items()
        if distance > 0 and number not in apart and _tells(doc[number], parsed)
    }


def _step(one: "Token", other: "Token") -> int:
    """How far a neighbour is: a word of grammar is no step, another clause is two."""
    lower = one if one.head.i == other.i else other
    if lower.dep_ in ("advcl", "conj") and _is_predicate(lower):
        return 2
    return 0 if other.dep_ in _FREE else 1


def _neighbours(token: "Token") -> Iterable["Token"]:
    yield token.head
    yield from token.children


def _tells(token: "Token", parsed: Parsed) -> bool:
    if token.pos_ not in _CONTENT or token.dep_ in _FREE:  # "pending" may be a preposition
        return False
    return bool(parsed.rows[token.i] >= 0)


def similarity(pair: Pair, one: Near, other: Near) -> float:
    """From 0 to 1, how far the words around two values tell the same.

    Each word counts with its best match on the other side; matches below `ALIKE` count nothing.
    The mean of both directions, so that a detail more on one side costs half.
    """
    if not one or not other:
        return 0.0
    ours, theirs = [pair.one.doc[a] for a in one], [pair.other.doc[b] for b in other]
    matches = np.array([[pair.tokens(a, b) for b in theirs] for a in ours])
    matches[matches < ALIKE] = 0.0
    rows, columns = np.array(list(one.values())), np.array(list(other.values()))
    forth = float(rows @ matches.max(axis=1) / rows.sum())
    back = float(columns @ matches.max(axis=0) / columns.sum())
    return (forth + back) / 2


FAR = 0.4
"""A closeness from which on sentences as wholes say that values are of one matter."""

_SHARE = 0.5  # how much of the closeness beyond it counts


def sureness(pair: Pair, alike: float) -> float:
    """The similarity of what is near, and something more where the sentences are close."""
    return alike + _SHARE * max(0.0, pair.closeness - FAR)
