"""Who, what, when, where, why and how in a parsed sentence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from commonground.narratives.definitions.things import Thing, thing
from commonground.narratives.definitions.triples import (
    Mention,
    ParsedSentence,
    Predicate,
    Triple,
    triples,
)
from commonground.narratives.word_lists import word_list
from commonground.text import stem
from commonground.text.values import dates
from commonground.wording import STOP_WORDS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_PEOPLE = word_list("facet_people")  # also organisations that act like people
_SPEECH_VERBS = word_list("facet_speech_verbs")
_PLACE_PREPOSITIONS = frozenset(
    ("in", "at", "near", "inside", "outside", "on", "across", "along", "under", "behind", "around")
)
_NOT_PLACES = word_list("facet_not_places")  # nouns, as in "in fact"
_MEANS_PREPOSITIONS = frozenset(("by", "with", "through", "via"))
_NOT_MANNER = word_list("facet_not_manner")  # -ly adverbs of time, certainty or degree
_REASONS = (("due", "to"), ("owing", "to"), ("thanks", "to"), ("result", "of"))

FACETS = ("who", "what", "when", "where", "why", "how")


@dataclass(frozen=True, slots=True)
class Item:
    """An element of a facet in one narrative.

    Attributes:
        facet: One of `FACETS`.
        text: The narrative's wording; for an event, the verb's base form and the noun.
        mention: Where the narrative says it.
        thing: For who, when and where, and the noun of an event.
        predicate: For an event.
        stems: For why and how, the stems of the content words.
        fixed: The names and numbers among these words, which must match literally.
        negated: For why and how.
    """

    facet: str
    text: str
    mention: Mention
    thing: Thing | None = None
    predicate: Predicate | None = None
    stems: frozenset[str] = frozenset()
    fixed: frozenset[str] = frozenset()
    negated: bool = False


def items(sentence: ParsedSentence) -> Iterator[Item]:
    """Yield the elements of all facets in a sentence."""
    doc = sentence.doc
    clauses = triples(doc)
    things = {"who": _who(doc, clauses), "when": _when(doc), "where": _where(doc)}
    for facet, nouns in things.items():
        for noun in nouns:
            yield Item(facet, noun.text, sentence.mention(noun.start, noun.end), noun)
    yield from _what(sentence, clauses)
    for facet, spans in (("why", _why(doc)), ("how", _how(doc))):
        for start, end in spans:
            yield from _phrase(sentence, facet, start, end)


def _named(doc: "Doc", labels: Sequence[str], kinds: Sequence[str]) -> Iterator[Thing]:
    """Yield the entities with these labels that are things of these kinds."""
    for entity in doc.ents:
        named = thing(entity.root) if entity.label_ in labels else None
        if named is not None and named.kind in kinds:
            yield named


def _who(doc: "Doc", clauses: list[Triple]) -> Iterator[Thing]:
    yield from _named(doc, ("PERSON", "ORG", "NORP"), ("person", "name"))
    for triple in clauses:
        subject = triple.subject
        yield from (end for end in (subject, triple.object) if end and end.noun in _PEOPLE)
        speaks = triple.predicate.verb in _SPEECH_VERBS
        if speaks and subject is not None and subject.kind in ("place", "name", "person"):
            yield subject


def _what(sentence: ParsedSentence, clauses: list[Triple]) -> Iterator[Item]:
    """Yield events: a verb with its object, or with its subject if it has no object."""
    for triple in clauses:
        predicate = triple.predicate
        if predicate.verb in ("be", "have") or predicate.preposition:
            continue
        about = triple.object or triple.subject
        if about is not None:
            text = f"{predicate} {about.text}" if triple.object else f"{about.text} {predicate}"
            yield Item("what", text, sentence.whole, about, predicate)


def _when(doc: "Doc") -> Iterator[Thing]:
    for when in dates(doc.text):
        yield Thing(doc.text[when.start : when.end], "date", when.start, when.end, when=when)


def _where(doc: "Doc") -> Iterator[Thing]:
    yield from _named(doc, ("GPE", "LOC", "FAC"), ("place",))
    for token in doc:
        if token.dep_ != "pobj" or token.head.lower_ not in _PLACE_PREPOSITIONS:
            continue
        # "in the park", not "in fact"
        noun = thing(token) if _is_definite(token) else None
        if noun is not None and noun.kind == "thing" and noun.noun not in _NOT_PLACES:
            yield noun


def _is_definite(noun: "Token") -> bool:
    return any(child.dep_ in ("det", "poss") for child in noun.lefts)


def _why(doc: "Doc") -> Iterator[tuple[int, int]]:
    """Yield token spans after "because", "due to", "in order to" and the like."""
    for token in doc:
        word, following = token.lower_, doc[token.i + 1].lower_ if token.i + 1 < len(doc) else ""
        if word == "because":
            top = token.head if token.dep_ == "mark" else token
            yield token.i + (2 if following == "of" else 1), top.right_edge.i + 1
        elif (word, following) in _REASONS:
            yield token.i + 2, token.right_edge.i + 1
        elif word == "to" and token.tag_ == "TO" and _is_purpose(token.head):
            yield token.i + 1, token.head.right_edge.i + 1


def _is_purpose(verb: "Token") -> bool:
    """Whether an infinitive is a purpose: "left to find help", "in order to save lives"."""
    if verb.dep_ == "acl" and verb.head.dep_ == "pobj":
        # The parser reads "with a hammer to enter" as a hammer that is to enter.
        return verb.head.lower_ == "order" or verb.head.head.lower_ in _MEANS_PREPOSITIONS
    return verb.dep_ == "advcl"


def _how(doc: "Doc") -> Iterator[tuple[int, int]]:
    """Yield token spans of manner: "by boat", "with a hammer", "using ropes", "slowly"."""
    for token in doc:
        word = token.lower_
        using = word == "using" and token.dep_ in ("advcl", "prep", "acl")
        if using or (word in _MEANS_PREPOSITIONS and _is_means(token)):
            yield token.i + 1, token.right_edge.i + 1
        elif (
            (token.dep_, token.tag_) == ("advmod", "RB")
            and token.head.tag_.startswith("VB")
            and word.endswith("ly")
            and word not in _NOT_MANNER
        ):
            yield token.i, token.i + 1


def _is_means(preposition: "Token") -> bool:
    """Whether a verb's preposition is one of means, not of agent, company, date or place."""
    verb = preposition.head
    if not verb.tag_.startswith("VB"):
        return False
    for child in preposition.children:
        if child.dep_ == "pcomp":
            return True
        if child.dep_ == "pobj":
            noun = thing(child)
            if noun is None or noun.kind != "thing" or noun.noun in _PEOPLE:
                return False
            passive = any(part.dep_ == "auxpass" for part in verb.children)
            # Means stand bare after "by": "rescued by boat", but "sunk by a boat".
            agent = child.tag_ != "NN" or _is_definite(child)
            return not (preposition.dep_ == "agent" and passive and agent)
    return False


def _phrase(sentence: ParsedSentence, facet: str, start: int, end: int) -> Iterator[Item]:
    """Yield the phrase of a token span, if it has content words."""
    tokens = [token for token in sentence.doc[start:end] if not token.is_punct]
    kept = [token for token in tokens if token.lower_ not in STOP_WORDS and not token.is_space]
    if not kept:
        return
    negated = any(token.dep_ == "neg" or token.lower_ in ("no", "without") for token in tokens)
    while len(tokens) > 1 and tokens[0].tag_ in ("DT", "PRP$"):
        tokens = tokens[1:]
    first, last = tokens[0], tokens[-1]
    mention = sentence.mention(first.idx, last.idx + len(last.text))
    fixed = [token for token in kept if token.tag_ == "CD" or token.tag_.startswith("NNP")]
    yield Item(
        facet,
        " ".join(mention.text.split()),
        mention,
        stems=frozenset(stem(token.lower_) for token in kept),
        fixed=frozenset(token.lower_ for token in fixed),
        negated=negated,
    )
