"""Predicates that are negated, and those that are not: "did not resign" against "resigned"."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from commonground.narratives.conflicts.matter import (
    FAR,
    Near,
    meaning,
    near,
    similarity,
    subject,
    sureness,
)
from commonground.narratives.conflicts.pair import ALIKE, VERBS, Pair, opposite
from commonground.narratives.word_lists import word_list
from commonground.reading import Parsed

if TYPE_CHECKING:
    from spacy.tokens import Token

_NEGATIVE = word_list("negations")
_DISTANCING = word_list("distancing")
"""What their complement is not told as a fact by: "denied that he left", "refused to leave"."""

_OPEN = frozenset(("if", "whether", "unless", "could", "should", "may", "might", "yet"))
_MODALS = {
    "will": "future",
    "would": "future",
    "wo": "future",
    "shall": "future",
    "'ll": "future",
    "can": "can",
    "must": "must",
}
_UNTOLD = ("aux", "auxpass", "amod", "xcomp", "csubj", "advcl", "pcomp", "acl")
_PARTS = frozenset(
    ("only", "just", "merely", "all", "every", "everyone", "always", "yet", "enough")
)
_ANY = frozenset(("known", "such", "other"))
_BARE = 0.5  # with nothing but pronouns around, sentences must be close
_FAMILY, _ENDING = 6, 3


@dataclass(frozen=True, slots=True, eq=False)
class Assertion:
    """A predicate told as a fact.

    Attributes:
        verb: Its verb.
        word: What it is about: the verb, or what "be" leads to.
        negated: Whether it is denied.
        modal: "future", "can", "must", or empty.
        start: Its first token, with auxiliaries and what denies it.
        end: The token after its last.
        near: Content words around it.
    """

    verb: "Token"
    word: "Token"
    negated: bool
    modal: str
    start: int
    end: int
    near: Near


def assertions(parsed: Parsed) -> list[Assertion]:
    """The predicates that a sentence tells as facts; none in a question."""
    if parsed.doc.text.rstrip("\"'”’ ").endswith("?"):
        return []
    return [
        _assertion(parsed, token)
        for token in parsed.doc
        if token.pos_ in ("VERB", "AUX")
        and token.dep_ not in _UNTOLD
        and _told(token)
        and not _partly(token)
    ]


def contrary(one: Assertion, other: Assertion) -> bool:
    """Whether their words, as they are denied or not, exclude each other."""
    first, second = one.word.lemma_.lower(), other.word.lemma_.lower()
    if one.negated == other.negated:
        return opposite(VERBS, first, second)
    return first == second or _derived(first, second)


def opposed(pair: Pair, one: Assertion, other: Assertion) -> float:
    """How sure the two say yes and no of the same, from 0 to 1."""
    if one.modal != other.modal or not contrary(one, other):
        return 0.0
    if one.verb.lemma_ in ("be", "have") and one.word.i == one.verb.i:
        return 0.0
    # The "I" of one narrative is not the "I" of another.
    if _by_narrator(one) or _by_narrator(other) or _other_kind(pair, one, other):
        return 0.0
    if _bare(one) or _bare(other):
        return _BARE if pair.closeness >= FAR else 0.0
    return sureness(pair, similarity(pair, one.near, other.near))


def _by_narrator(told: Assertion) -> bool:
    doer = subject(told.verb)
    return doer is not None and doer.lower_ in ("i", "me")


def _bare(told: Assertion) -> bool:
    """Whether it says all by itself: "has never smoked", "has no known allergies"."""
    if not told.near:
        return True
    own = list(told.word.children)
    none = told.word.pos_ == "NOUN" and any(child.lower_ == "no" for child in own)
    return none and all(child.dep_ == "det" or child.lower_ in _ANY for child in own)


def _other_kind(pair: Pair, one: Assertion, other: Assertion) -> bool:
    """Whether a noun beside both has other qualities: "the immediate test", "the delayed test"."""
    there = {pair.other.doc[number].lemma_: pair.other.doc[number] for number in other.near}
    for number in one.near:
        noun = pair.one.doc[number]
        twin = there.get(noun.lemma_)
        if twin is None or noun.pos_ != "NOUN" or twin.pos_ != "NOUN":
            continue
        ours, theirs = _qualities(noun), _qualities(twin)
        if (
            ours
            and theirs
            and not any(pair.tokens(a, b) >= ALIKE for a, b in product(ours, theirs))
        ):
            return True
    return False


def _qualities(noun: "Token") -> list["Token"]:
    return [child for child in noun.children if child.dep_ == "amod"]


def _derived(one: str, other: str) -> bool:
    """Whether words are of one family: "allergic", "allergy"."""
    alike = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        alike += 1
    return alike >= _FAMILY and max(len(one), len(other)) - alike <= _ENDING


def _assertion(parsed: Parsed, verb: "Token") -> Assertion:
    word = meaning(verb)
    own = [verb, *(child for child in verb.children if _belongs(child))]
    if word.dep_ in ("acomp", "ccomp", "attr", "dobj", "oprd") and word.head.i == verb.i:
        own.append(word)
    own += [part for part in word.children if part.lower_ == "no"]
    start = min(token.i for token in own)
    end = max(token.i for token in own) + 1
    around = near(parsed, verb.i, verb.i + 1, range(start, end))
    denials = [token for token in _scope(verb, word) if token.lower_ in _NEGATIVE]
    modal = next((_MODALS[t.lower_] for t in verb.children if t.lower_ in _MODALS), "")
    # Shown with what denies it, also on a subject or object: "No customer pays".
    shown = {start, end - 1, *(place for one in denials for place in (one.i, one.head.i))}
    return Assertion(verb, word, len(denials) % 2 == 1, modal, min(shown), max(shown) + 1, around)


def _belongs(child: "Token") -> bool:
    particle = child.tag_ == "RP" and child.i > child.head.i  # "went off"
    return particle or (child.dep_ in ("aux", "auxpass", "neg") and child.lower_ != "to")


def _scope(verb: "Token", word: "Token") -> Iterator["Token"]:
    """Where a negation of the verb may stand: beside it, or on its subject or object."""
    for child in verb.children:
        yield child
        if child.dep_ in ("nsubj", "nsubjpass", "dobj", "attr"):
            yield from (part for part in child.children if part.dep_ in ("det", "neg"))
    if word.i != verb.i and word.dep_ not in ("attr", "dobj", "nsubj", "nsubjpass"):
        yield from word.children


def _told(verb: "Token") -> bool:
    """Whether it is told as a fact, and not in a condition, a question or a denial."""
    if any(child.lower_ in _OPEN for child in verb.children):
        return False
    for above in verb.ancestors:
        if above.lemma_ in _DISTANCING or any(_denies(child, verb) for child in above.children):
            return False
    return True


def _partly(verb: "Token") -> bool:
    """Whether a negation leaves part of it: "not only", "not all passengers"."""
    following = (token.nbor() for token in verb.subtree if token.lower_ == "not" and _next(token))
    return any(token.lower_ in _PARTS for token in following)


def _next(token: "Token") -> bool:
    return token.i + 1 < len(token.doc)


def _denies(token: "Token", verb: "Token") -> bool:
    """A negation or condition above the verb: "it is not true that", "if it is so that"."""
    return token.i != verb.i and (token.dep_ == "neg" or token.lower_ in ("if", "whether"))
