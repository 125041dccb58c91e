"""Predicates that are negated, and those that are not: "did not resign" against "resigned"."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from commonground.overlap._matter import Near, meaning, near, similarity, subject
from commonground.overlap._sentence import ALIKE, Pair, Parsed

if TYPE_CHECKING:
    from spacy.tokens import Token

_NEGATIVE = frozenset(("not", "n't", "never", "nobody", "none", "no", "neither", "nothing"))
# "denied that he left", "whether he left", "not true that he left": not told as a fact.
_DISTANCING = frozenset(
    (
        "deny", "doubt", "question", "dispute", "reject", "refuse", "fail", "claim", "allege",
        "accuse", "suspect", "wonder", "ask", "fear", "hope", "want", "consider", "urge",
        "demand", "plan", "threaten",
    )
)  # fmt: skip
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
_PARTS = frozenset(
    ("only", "just", "merely", "all", "every", "everyone", "always", "yet", "enough")
)
_NOUNS = ("NOUN", "PROPN")
_PRONOUNS = ("PRP", "WP", "WDT", "DT", "EX")


@dataclass(frozen=True, slots=True, eq=False)
class Assertion:
    """A predicate told as a fact.

    Attributes:
        verb: Its verb.
        word: What it is about: the verb, or what "be" leads to.
        negated: Whether it is denied.
        modal: "future", "can", "must", or empty.
        start: Its first token, negation and auxiliaries included.
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
        and token.dep_ not in ("aux", "auxpass", "amod", "xcomp", "csubj", "advcl", "pcomp", "acl")
        and _told(token)
        and not _partly(token)
    ]


def opposed(pair: Pair, one: Assertion, other: Assertion) -> float:
    """How sure the two say yes and no of the same, from 0 to 1."""
    if one.negated == other.negated or one.modal != other.modal:
        return 0.0
    if one.word.lemma_.lower() != other.word.lemma_.lower():
        return 0.0
    if one.verb.lemma_ in ("be", "have") and one.word.i == one.verb.i:
        return 0.0
    if not _same(pair, subject(one.verb), subject(other.verb)):
        return 0.0
    if not _same(pair, _speaker(one.verb), _speaker(other.verb)):
        return 0.0
    return similarity(pair, one.near, other.near)


def _assertion(parsed: Parsed, verb: "Token") -> Assertion:
    word = meaning(verb)
    own = [verb, *(child for child in verb.children if _belongs(child))]
    if word.dep_ in ("acomp", "attr") and word.head.i == verb.i:
        own.append(word)
    start = min(token.i for token in own)
    end = max(token.i for token in own) + 1
    negations = sum(1 for token in _scope(verb, word) if token.lower_ in _NEGATIVE)
    modal = next((_MODALS[t.lower_] for t in verb.children if t.lower_ in _MODALS), "")
    around = near(parsed, verb.i, verb.i + 1, range(start, end))
    return Assertion(verb, word, negations % 2 == 1, modal, start, end, around)


def _belongs(child: "Token") -> bool:
    return child.dep_ in ("aux", "auxpass", "neg") and child.lower_ != "to"


def _scope(verb: "Token", word: "Token") -> Iterator["Token"]:
    """Where a negation of the verb may stand: beside it, or on its subject or object."""
    for child in verb.children:
        yield child
        if child.dep_ in ("nsubj", "nsubjpass", "dobj", "attr"):
            yield from (part for part in child.children if part.dep_ in ("det", "neg"))
    if word.i != verb.i and word.dep_ not in ("attr", "dobj", "nsubj"):
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


def _speaker(verb: "Token") -> "Token | None":
    """Who is said to say so: the subject of the verb it depends on."""
    return subject(verb.head) if verb.dep_ == "ccomp" else None


def _same(pair: Pair, one: "Token | None", other: "Token | None") -> bool:
    """Whether two nouns can mean the same; a pronoun or a missing one can mean any."""
    if one is None or other is None or one.tag_.startswith(_PRONOUNS):
        return True
    if other.tag_.startswith(_PRONOUNS) or one.lower_ in _NEGATIVE or other.lower_ in _NEGATIVE:
        return True
    # "negotiators from both countries" may be "both countries".
    return any(
        pair.tokens(a, b) >= ALIKE
        for a, b in product(one.subtree, other.subtree)
        if a.pos_ in _NOUNS and b.pos_ in _NOUNS
    )
