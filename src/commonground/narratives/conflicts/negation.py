"""Negated predicates against plain ones: "did not resign" against "resigned"."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from rapidfuzz.distance import Prefix

from commonground.narratives.conflicts.matter import meaning, near, subject
from commonground.narratives.conflicts.pair import ALIKE, CLOSE, VERBS, Near, Pair, opposite
from commonground.narratives.word_lists import word_list
from commonground.reading import Parsed

if TYPE_CHECKING:
    from spacy.tokens import Token

_NEGATIVE = word_list("negations")
# Verbs whose complement is not asserted: "denied that he left", "refused to leave".
_DISTANCING = word_list("distancing")
_OPEN = frozenset(("if", "whether", "unless", "could", "should", "may", "might", "yet"))
_MODALS = dict.fromkeys(("will", "would", "wo", "shall", "'ll"), "future")
_MODALS |= {"can": "can", "must": "must"}
_NOT_ASSERTED = ("aux", "auxpass", "amod", "xcomp", "csubj", "advcl", "pcomp", "acl")
_PARTS = frozenset(
    ("only", "just", "merely", "all", "every", "everyone", "always", "yet", "enough")
)
_ANY = frozenset(("known", "such", "other"))
_BARE = 0.5  # sureness of close sentences without content words around
_FAMILY, _ENDING = 6, 3  # minimum common letters and maximum others of a word family


@dataclass(frozen=True, slots=True, eq=False)
class Assertion:
    """A predicate stated as a fact.

    Attributes:
        verb: Its verb.
        word: The word that carries its meaning: the verb, or the complement of "be".
        negated: Whether it is negated.
        modal: "future", "can", "must", or empty.
        start: Its first token, with auxiliaries and negation.
        end: The token after its last.
        near: The content words around it.
    """

    verb: "Token"
    word: "Token"
    negated: bool
    modal: str
    start: int
    end: int
    near: Near


def assertions(parsed: Parsed) -> list[Assertion]:
    """Return the predicates that a sentence states as facts; none of a question."""
    if parsed.doc.text.rstrip("\"'”’ ").endswith("?"):
        return []
    return [
        _assertion(parsed, token)
        for token in parsed.doc
        if token.pos_ in ("VERB", "AUX")
        and token.dep_ not in _NOT_ASSERTED
        and _is_asserted(token)
        and not _partly(token)
    ]


def contrary(one: Assertion, other: Assertion) -> bool:
    """Say whether two predicates, negated or not, exclude each other."""
    first, second = one.word.lemma_.lower(), other.word.lemma_.lower()
    if one.negated == other.negated:
        return opposite(VERBS, first, second)
    return first == second or _derived(first, second)


def opposed(pair: Pair, one: Assertion, other: Assertion) -> float:
    """Return from 0 to 1 how surely two predicates contradict each other."""
    if one.modal != other.modal or not contrary(one, other):
        return 0.0
    if one.verb.lemma_ in ("be", "have") and one.word.i == one.verb.i:
        return 0.0
    # The "I" of one narrative is not the "I" of another.
    if _by_narrator(one) or _by_narrator(other) or _other_kind(pair, one, other):
        return 0.0
    if _bare(one) or _bare(other):
        return _BARE if pair.closeness >= CLOSE else 0.0
    return pair.sureness(one.near, other.near)


def _by_narrator(assertion: Assertion) -> bool:
    doer = subject(assertion.verb)
    return doer is not None and doer.lower_ in ("i", "me")


def _bare(assertion: Assertion) -> bool:
    """Say whether a predicate is complete by itself: "has never smoked", "has no allergies"."""
    if not assertion.near:
        return True
    own = list(assertion.word.children)
    none = assertion.word.pos_ == "NOUN" and any(child.lower_ == "no" for child in own)
    return none and all(child.dep_ == "det" or child.lower_ in _ANY for child in own)


def _other_kind(pair: Pair, one: Assertion, other: Assertion) -> bool:
    """Say whether a noun near both has other adjectives: "immediate test", "delayed test"."""
    theirs = {pair.other.doc[n].lemma_: pair.other.doc[n] for n in other.near}
    for noun in (pair.one.doc[n] for n in one.near):
        twin = theirs.get(noun.lemma_)
        if twin is None or noun.pos_ != "NOUN" or twin.pos_ != "NOUN":
            continue
        ours, others = ([c for c in side.children if c.dep_ == "amod"] for side in (noun, twin))
        alike = any(pair.tokens(a, b) >= ALIKE for a, b in product(ours, others))
        if ours and others and not alike:
            return True
    return False


def _derived(one: str, other: str) -> bool:
    """Say whether words are of one family: "allergic", "allergy"."""
    alike = Prefix.similarity(one, other)
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
    # Shown with its negation, even on a subject or object: "No customer pays".
    shown = {start, end - 1, *(index for token in denials for index in (token.i, token.head.i))}
    return Assertion(verb, word, len(denials) % 2 == 1, modal, min(shown), max(shown) + 1, around)


def _belongs(child: "Token") -> bool:
    particle = child.tag_ == "RP" and child.i > child.head.i  # "went off"
    return particle or (child.dep_ in ("aux", "auxpass", "neg") and child.lower_ != "to")


def _scope(verb: "Token", word: "Token") -> Iterator["Token"]:
    """Yield the tokens that may negate a verb: its children, and those of subject and object."""
    for child in verb.children:
        yield child
        if child.dep_ in ("nsubj", "nsubjpass", "dobj", "attr"):
            yield from (part for part in child.children if part.dep_ in ("det", "neg"))
    if word.i != verb.i and word.dep_ not in ("attr", "dobj", "nsubj", "nsubjpass"):
        yield from word.children


def _is_asserted(verb: "Token") -> bool:
    """Say whether a verb is stated as a fact, not in a condition, a question or a denial."""
    if any(child.lower_ in _OPEN for child in verb.children):
        return False
    for above in verb.ancestors:
        if above.lemma_ in _DISTANCING or any(_denies(child, verb) for child in above.children):
            return False
    return True


def _partly(verb: "Token") -> bool:
    """Say whether only part of it is negated: "not only", "not all passengers"."""
    return any(
        following.lower_ in _PARTS
        for token in verb.subtree
        if token.lower_ == "not"
        for following in token.doc[token.i + 1 : token.i + 2]
    )


def _denies(token: "Token", verb: "Token") -> bool:
    """Say whether a token negates or questions a verb below: "it is not true that"."""
    return token.i != verb.i and (token.dep_ == "neg" or token.lower_ in ("if", "whether"))
