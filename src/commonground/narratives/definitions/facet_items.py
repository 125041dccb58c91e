"""Who, what, when, where, why and how, as a parsed sentence tells them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from commonground.narratives.definitions.parsed import Mention, ParsedSentence
from commonground.narratives.definitions.things import Thing, thing
from commonground.narratives.definitions.triples import Predicate, Triple, triples
from commonground.narratives.texts import STOP_WORDS
from commonground.text import stem
from commonground.text.values import dates

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_PEOPLE = """
    people person man woman men women boy girl child children family families resident citizen
    voter worker employee staff crew passenger driver pilot sailor officer police policeman
    policewoman firefighter soldier troop guard doctor nurse patient surgeon teacher student pupil
    parent mother father son daughter brother sister husband wife neighbour neighbor friend witness
    victim suspect defendant prisoner judge jury lawyer attorney prosecutor mayor governor president
    minister senator lawmaker legislator congressman congresswoman official spokesman spokeswoman
    spokesperson leader chief director manager owner founder chairman boss engineer scientist
    researcher expert analyst author editor reviewer reporter journalist actor singer player coach
    fan protester demonstrator activist supporter opponent critic rebel militant terrorist gunman
    attacker thief refugee migrant immigrant tourist visitor customer user buyer seller farmer
    fisherman hunter villager crowd team committee council government administration company firm
    court party union army agency authority authorities department ministry parliament congress
    guest host rescuer senate board republican democrat conservative liberal
"""
PEOPLE: Final = frozenset(_PEOPLE.split())
"""Nouns for people and for bodies that act like people."""

_SAYING = """
    say tell announce state claim argue warn deny admit confirm report promise urge ask demand
    accuse blame criticise criticize condemn praise reply respond explain declare insist believe
    think know want plan decide agree refuse vow vote hope fear suggest propose
"""
SAYING: Final = frozenset(_SAYING.split())
"""Verbs whose subject is somebody."""

PLACING: Final = frozenset(
    ("in", "at", "near", "inside", "outside", "on", "across", "along", "under", "behind", "around")
)
"""Prepositions of place."""

_NO_PLACES = """
    statement interview case way fact order time year month week day hour minute moment end
    beginning start result speech letter report wake response addition vote move part name event
    position condition future past process meantime past number amount change situation bid effort
    attempt sense basis issue question matter subject topic
"""
NO_PLACES: Final = frozenset(_NO_PLACES.split())
"""Nouns that stand after such a preposition without being places."""

MEANS: Final = frozenset(("by", "with", "through", "via"))
"""Prepositions of means and manner."""

_NO_MANNER = """
    only early likely daily weekly monthly yearly really nearly recently finally reportedly
    allegedly apparently possibly probably certainly clearly actually especially particularly
    mainly mostly largely partly fully highly currently previously initially originally eventually
    immediately shortly lately formerly normally usually generally typically rarely hardly barely
    merely simply exactly approximately roughly relatively extremely additionally consequently
    unfortunately fortunately similarly increasingly supposedly ultimately family
"""
NO_MANNER: Final = frozenset(_NO_MANNER.split())
"""Words in -ly that say when, how surely or how much, not how."""


_REASONS = (("due", "to"), ("owing", "to"), ("thanks", "to"), ("result", "of"))

FACETS = ("who", "what", "when", "where", "why", "how")


@dataclass(frozen=True, slots=True)
class Item:
    """One element of a facet as one narrative has it.

    Attributes:
        facet: One of `FACETS`.
        text: In the words of the narrative; for events the verb's base form and the noun.
        mention: Where it is said.
        thing: For who, when and where, and for what the verb is about.
        predicate: For what.
        stems: For why and how, the stems of the words that tell something.
        fixed: Of these words the names and numbers, which no likeness of words may bridge.
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
    """All elements of all facets that a sentence tells."""
    doc = sentence.doc
    told = triples(doc)
    for facet, found in (
        *(("who", one) for one in _who(doc, told)),
        *(("when", one) for one in _when(doc)),
        *(("where", one) for one in _where(doc)),
    ):
        yield Item(facet, found.text, sentence.mention(found.start, found.end), found)
    yield from _what(sentence, told)
    for facet, spans in (("why", _why(doc)), ("how", _how(doc))):
        for start, end in spans:
            item = _phrase(sentence, facet, start, end)
            if item is not None:
                yield item


def _who(doc: "Doc", told: list[Triple]) -> Iterator[Thing]:
    for entity in doc.ents:
        if entity.label_ in ("PERSON", "ORG", "NORP"):
            found = thing(entity.root)
            if found is not None and found.kind in ("person", "name"):
                yield found
    for triple in told:
        for one in (triple.subject, triple.object):
            if one is not None and one.noun in PEOPLE:
                yield one
        subject = triple.subject
        speaks = triple.predicate.verb in SAYING
        if speaks and subject is not None and subject.kind in ("place", "name", "person"):
            yield subject


def _what(sentence: ParsedSentence, told: list[Triple]) -> Iterator[Item]:
    """Events: a verb with what it is done to, or with who does it where nothing is."""
    for triple in told:
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
    for entity in doc.ents:
        if entity.label_ in ("GPE", "LOC", "FAC"):
            found = thing(entity.root)
            if found is not None and found.kind == "place":
                yield found
    for token in doc:
        if token.dep_ != "pobj" or token.head.lower_ not in PLACING:
            continue
        # "in the park", not "in fact"
        definite = any(child.dep_ in ("det", "poss") for child in token.lefts)
        found = thing(token) if definite else None
        if found is not None and found.kind == "thing" and found.noun not in NO_PLACES:
            yield found


def _why(doc: "Doc") -> Iterator[tuple[int, int]]:
    """Spans of tokens after "because", "due to", "in order to" and the like."""
    for token in doc:
        word, following = token.lower_, doc[token.i + 1].lower_ if token.i + 1 < len(doc) else ""
        if word == "because":
            top = token.head if token.dep_ == "mark" else token
            skipped = 2 if following == "of" else 1
            yield token.i + skipped, top.right_edge.i + 1
        elif (word, following) in _REASONS:
            yield token.i + 2, token.right_edge.i + 1
        elif word == "to" and token.tag_ == "TO" and _purpose(token):
            yield token.i + 1, token.head.right_edge.i + 1


def _purpose(to: "Token") -> bool:
    """Whether an infinitive says what for: "left to find help", "in order to save lives"."""
    verb = to.head
    if verb.dep_ == "acl" and verb.head.dep_ == "pobj":
        # The parser takes "with a hammer to enter" for a hammer that is to enter.
        return verb.head.lower_ == "order" or verb.head.head.lower_ in MEANS
    return verb.dep_ == "advcl"


def _how(doc: "Doc") -> Iterator[tuple[int, int]]:
    """Spans of manner: "by boat", "with a hammer", "using ropes", "slowly"."""
    for token in doc:
        using = token.lower_ == "using" and token.dep_ in ("advcl", "prep", "acl")
        if using or (token.lower_ in MEANS and _means(token)):
            yield token.i + 1, token.right_edge.i + 1
        elif token.dep_ == "advmod" and _manner(token):
            yield token.i, token.i + 1


def _manner(adverb: "Token") -> bool:
    of_verb = adverb.tag_ == "RB" and adverb.head.tag_.startswith("VB")
    return of_verb and adverb.lower_.endswith("ly") and adverb.lower_ not in NO_MANNER


def _means(preposition: "Token") -> bool:
    """Said of a verb, and not the doer of a passive, nor company, nor a date or a place."""
    if not preposition.head.tag_.startswith("VB"):
        return False
    for child in preposition.children:
        if child.dep_ == "pcomp":
            return True
        if child.dep_ == "pobj":
            found = thing(child)
            inanimate = found is not None and found.kind == "thing" and found.noun not in PEOPLE
            return inanimate and not (_passive(preposition) and _doer(child))
    return False


def _passive(preposition: "Token") -> bool:
    verb = preposition.head
    return preposition.dep_ == "agent" and any(one.dep_ == "auxpass" for one in verb.children)


def _doer(noun: "Token") -> bool:
    """Means stand bare after "by": "rescued by boat", but "sunk by a boat"."""
    return noun.tag_ != "NN" or any(child.dep_ in ("det", "poss") for child in noun.lefts)


def _phrase(sentence: ParsedSentence, facet: str, start: int, end: int) -> Item | None:
    tokens = [token for token in sentence.doc[start:end] if not token.is_punct]
    kept = [token for token in tokens if token.lower_ not in STOP_WORDS and not token.is_space]
    if not kept:
        return None
    negated = any(token.dep_ == "neg" or token.lower_ in ("no", "without") for token in tokens)
    while len(tokens) > 1 and tokens[0].tag_ in ("DT", "PRP$"):
        tokens = tokens[1:]
    first, last = tokens[0], tokens[-1]
    mention = sentence.mention(first.idx, last.idx + len(last.text))
    fixed = [token for token in kept if token.tag_ == "CD" or token.tag_.startswith("NNP")]
    return Item(
        facet,
        " ".join(mention.text.split()),
        mention,
        stems=frozenset(stem(token.lower_) for token in kept),
        fixed=frozenset(token.lower_ for token in fixed),
        negated=negated,
    )
