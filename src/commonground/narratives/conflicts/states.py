"""States that exclude each other of one thing at one time: "sober" and "drunk", "man" and "woman".

A state can change, and many things have the same name, so more must be the same than for an event.
"""

from typing import TYPE_CHECKING

from commonground.narratives.conflicts.opposites import STATES, opposite

if TYPE_CHECKING:
    from spacy.tokens import Token

_CONTENT = ("NOUN", "PROPN", "ADJ", "NUM", "VERB", "ADV")
# "A driver was drunk", "one of them was sober": there may be several.
_ANY = frozenset(
    ("a", "an", "one", "another", "other", "some", "any", "each", "every", "no", "neither")
)
_TIMES = frozenset(
    (
        "once", "now", "then", "still", "already", "again", "initially", "originally", "formerly",
        "previously", "earlier", "later", "eventually", "finally", "repeatedly", "first", "often",
        "sometimes", "twice", "long", "until", "before", "since", "for", "at", "currently",
        "longer", "anymore", "almost", "nearly", "today", "yesterday",
    )
)  # fmt: skip
_OPENING = frozenset(("if", "unless", "until", "till", "before", "after", "though", "although"))
_ROOT = 4
_DENYING = ("un", "in", "im", "il", "ir", "dis", "non")


def is_state(one: "Token", other: "Token") -> bool:
    """Whether two words are states of which one denies the other, as "safe" and "unsafe"."""
    return any(
        opposite(STATES, first, second) or _prefixed(first, second)
        for first in forms(one)
        for second in forms(other)
    )


def forms(word: "Token") -> set[str]:
    """The base form, and the word itself where it is a participle: "married", not "marry"."""
    base = word.lemma_.lower()
    return {base, word.lower_} if word.tag_ == "VBN" else {base}


def _prefixed(one: str, other: str) -> bool:
    """Whether one is the other with a prefix that denies: "safe", "unsafe"."""
    short, long = sorted((one, other), key=len)
    return len(short) >= _ROOT and long in {prefix + short for prefix in _DENYING}


def same_state(one: tuple["Token", "Token"], other: tuple["Token", "Token"]) -> bool:
    """Whether two predicates, each a verb and its word, tell what one thing is at one time."""
    if not all(_holds(*predicate) for predicate in (one, other)):
        return False
    # "Conscious when she was found" says nothing of "unconscious".
    if _circumstances(one[0]) != _circumstances(other[0]):
        return False
    if not one_thing(subject_of(one[0]), subject_of(other[0])) or not same_tense(one[0], other[0]):
        return False
    if one[1].dep_ == "attr":
        return True
    # "Guilty of fraud" says nothing of "innocent of murder".
    return _covers(_besides(one[1]), _besides(other[1]))


def _holds(verb: "Token", word: "Token") -> bool:
    return _told_of_subject(verb, word) and not unsettled(verb) and not unsettled(word)


def _circumstances(verb: "Token") -> set[str]:
    """When and where it is so: words of what else hangs on the verb, but for dates."""
    clauses = [child for child in verb.children if child.dep_ in ("advcl", "prep")]
    heads = {clause.lemma_.lower() for clause in clauses if clause.dep_ == "advcl"}
    return heads.union(*(_besides(clause) for clause in clauses))


def _told_of_subject(verb: "Token", word: "Token") -> bool:
    """Whether the word is what the subject is: not "has a son", not "there was a man"."""
    if verb.lemma_ == "have" or any(child.dep_ == "expl" for child in verb.children):
        return False
    return word.i == verb.i or word.dep_ in ("acomp", "attr", "oprd", "ccomp")


def unsettled(verb: "Token") -> bool:
    """Whether it may be otherwise at another time: "at first refused", "had been single"."""
    return any(
        child.lower_ in _TIMES
        or (child.dep_ == "aux" and child.lower_ in ("had", "'d"))
        or (child.dep_ == "advcl" and any(mark.lower_ in _OPENING for mark in child.children))
        for child in verb.children
    )


def same_tense(one: "Token", other: "Token") -> bool:
    """Whether both are told as past, or both as present."""
    return _past(one) == _past(other)


def _past(verb: "Token") -> bool:
    return verb.tag_ in ("VBD", "VBN") and not any(
        child.dep_ == "auxpass" and child.tag_ in ("VBZ", "VBP") for child in verb.children
    )


def subject_of(verb: "Token") -> "Token | None":
    """Its subject, or that of the verb it is joined to: "apologised but refused"."""
    while True:
        for child in verb.children:
            if child.dep_ in ("nsubj", "nsubjpass"):
                return child
        if verb.dep_ not in ("conj", "xcomp"):
            return None
        verb = verb.head


def one_thing(one: "Token | None", other: "Token | None") -> bool:
    """Whether two nouns name a single thing with the same word, and none of another kind."""
    if one is None or other is None or one.lemma_.lower() != other.lemma_.lower():
        return False
    if not all(noun.tag_ in ("NN", "NNP", "NNPS") and _definite(noun) for noun in (one, other)):
        return False
    return _covers(_besides(one), _besides(other))


def _definite(noun: "Token") -> bool:
    return not any(child.lower_ in _ANY for child in noun.children)


def _besides(word: "Token") -> set[str]:
    return {
        token.lemma_.lower()
        for token in word.subtree
        if token.i != word.i and token.pos_ in _CONTENT and token.ent_type_ != "DATE"
    }


def _covers(one: set[str], other: set[str]) -> bool:
    """Whether one tells no more than the other, or the other no more than it."""
    return one <= other or other <= one
