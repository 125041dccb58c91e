"""Parsed sentences of narratives, and their subject-predicate-object triples.

Passives become active, conjunctions are expanded, and verbs inherit missing subjects. The predicate
keeps negations and modal verbs. Conditions ("if", "whether") and purposes ("in order to") are left
out; reported speech is kept. Pronouns are not resolved: they leave the part empty.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from commonground.narratives.definitions.things import Thing, conjuncts, thing
from commonground.plain import Plain
from commonground.text import Sentence, parse, places, split, stem, unmarked
from commonground.text.values import is_title

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_MODALS = {"will": "will", "shall": "will", "wo": "will", "'ll": "will"}
_MODALS |= dict.fromkeys(("may", "might", "could", "can", "ca"), "may")
_MODALS |= {"would": "would", "'d": "would", "should": "should", "must": "must"}
_ASPECTS = ("begin", "continue", "keep", "start")
_DUE = {"be": "will", "have": "must"}
# Forms of address, which say nothing about the person.
_ADDRESS = frozenset(("mr", "mrs", "ms", "miss", "mx", "sir", "dame", "lord", "lady", "saint"))
_ADDRESS |= frozenset(("father", "sister", "brother", "vice", "former", "ex", "acting", "deputy"))
_SHORT = 4  # letters of abbreviated titles: "Gov", "Sen", "Capt"
_NOT_CLAUSES = ("aux", "auxpass", "amod", "compound")  # roles of verbs
_OBJECTS = ("dobj", "attr", "acomp", "oprd")
_SUPPOSED = ("if", "unless", "whether", "lest")
_REASONS = ("because", "due", "owing", "of", "despite", "according", "as")


@dataclass(frozen=True, slots=True)
class Mention(Plain):
    """The passage `narratives[narrative].text[start:end]`; markup in it is blank."""

    narrative: int
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class ParsedSentence:
    """A sentence of a narrative and its parse with entities."""

    narrative: int
    sentence: Sentence
    doc: "Doc"
    offsets: Sequence[int]

    @property
    def whole(self) -> Mention:
        """The sentence itself."""
        return Mention(self.narrative, self.sentence.text, self.sentence.start, self.sentence.end)

    def mention(self, start: int, end: int) -> Mention:
        """Return the passage for character offsets in the parsed sentence."""
        first, last = self.offsets[start], self.offsets[end - 1] + 1
        start, text = self.sentence.start, self.sentence.text[first:last]
        return Mention(self.narrative, text, start + first, start + last)


def parsed(texts: Sequence[str]) -> Iterator[list[ParsedSentence]]:
    """Yield the sentences of each narrative in turn; parses are large."""
    for narrative, text in enumerate(texts):
        sentences = split(unmarked(text))
        docs = parse([sentence.text for sentence in sentences], entities=True)
        yield [
            ParsedSentence(narrative, sentence, doc, places(sentence.text))
            for sentence, doc in zip(sentences, docs, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Predicate:
    """A verb in its base form with particle, preposition, modal verb and negation."""

    verb: str
    preposition: str = ""
    modal: str = ""
    negated: bool = False

    def __str__(self) -> str:
        words = (self.modal, "not" if self.negated else "", self.verb, self.preposition)
        return " ".join(word for word in words if word)


@dataclass(frozen=True, slots=True)
class Triple:
    """A clause; subject or object is None if it is missing or a pronoun."""

    subject: Thing | None
    predicate: Predicate
    object: Thing | None


@dataclass(frozen=True, slots=True)
class _Clause:
    """A verb with its predicate and the nouns in its roles."""

    verb: "Token"
    predicate: Predicate
    doers: tuple["Token", ...]
    patients: tuple["Token", ...]
    passive: bool


def triples(doc: "Doc") -> list[Triple]:
    """Return the triples of a sentence parsed with entities, in word order."""
    result: list[Triple] = []
    clauses: dict[int, _Clause] = {}
    for token in doc:
        verb = token.tag_.startswith("VB") and token.dep_ not in _NOT_CLAUSES
        if verb and not _supposed(token) and not _unclear(token):
            clauses[token.i] = _clause(token, clauses)
            result += _said(clauses[token.i])
        elif token.dep_ == "appos":
            result += _apposition(token)
        elif token.dep_ == "compound" and token.head.ent_type_ == "PERSON":
            result += _office(token)
    return list(dict.fromkeys(result))


def attached(doc: "Doc") -> Iterator[Triple]:
    """Yield the prepositions of nouns ("the meeting in the hall") as triples without a verb."""
    for token in doc:
        if token.dep_ != "prep" or not token.head.tag_.startswith("NN") or token.tag_ != "IN":
            continue
        if token.lower_ in (*_REASONS, "than", "like", "including"):
            continue
        subject = thing(token.head)
        for noun in _nouns(token, "pobj"):
            object_ = _referent(noun)
            if subject is not None and object_ is not None:
                yield Triple(subject, Predicate("", token.lower_), object_)


def _office(title: "Token") -> Iterator[Triple]:
    """Yield the triple of a title: Jane Poe of "Mayor Jane Poe" is a mayor."""
    word, person = title.lower_, thing(title.head)
    plain = is_title(word) and len(word.rstrip(".")) > _SHORT and word not in _ADDRESS
    if person is None or not plain:
        return
    start, end = title.idx, title.idx + len(title.text)
    yield Triple(person, Predicate("be"), Thing(word, "thing", start, end, word, stem(word)))


def _apposition(token: "Token") -> Iterator[Triple]:
    """Yield the triple of an apposition: "the mayor, Jane Poe," says what Jane Poe is."""
    head, beside = thing(token.head), thing(token)
    if head is not None and beside is not None:
        named = head.kind == "thing" and beside.kind != "thing"
        first, second = (beside, head) if named else (head, beside)
        yield Triple(first, Predicate("be"), second)


def _referent(noun: "Token") -> Thing | None:
    """Return the thing of a noun, or the name in apposition to it."""
    referent = thing(noun)
    if referent is None or referent.kind != "thing":
        return referent
    beside = (thing(child) for child in noun.children if child.dep_ == "appos")
    names = (name for name in beside if name is not None and name.kind in ("person", "name"))
    return next(names, referent)


def _supposed(verb: "Token") -> bool:
    """Whether a verb or a clause above it is a condition or a purpose."""
    for clause in (verb, *verb.ancestors):
        purpose = clause.dep_ in ("advcl", "acl", "relcl", "ccomp", "pcomp")
        for child in clause.children:
            condition = child.dep_ == "mark" and child.lower_ in _SUPPOSED
            if condition or (purpose and child.tag_ == "TO"):
                return True
    return False


def _unclear(verb: "Token") -> bool:
    """Whether the scope of a negation is ambiguous: "did not stop and wait"."""
    above = verb.head
    if verb.dep_ != "conj" or not any(child.dep_ == "neg" for child in above.children):
        return False
    own = any(child.dep_ in ("nsubj", "nsubjpass") for child in verb.children)
    links = {child.lower_ for child in above.children if child.dep_ == "cc"}
    return not own and links.isdisjoint(("or", "nor", "but"))


def _clause(verb: "Token", before: dict[int, _Clause]) -> _Clause:
    """Return the clause of a verb, with roles inherited from the verb above it."""
    above = before.get(verb.head.i) if verb.dep_ in ("conj", "xcomp", "advcl") else None
    doers = _nouns(verb, "nsubj")
    patients = _nouns(verb, "nsubjpass")
    passive = bool(patients) or any(child.dep_ == "auxpass" for child in verb.children)
    bare = not doers and not patients and verb.dep_ in ("conj", "xcomp", "advcl")
    if above is not None and bare:
        passive = passive or (verb.dep_ == "conj" and above.passive and verb.tag_ == "VBN")
        # The firm pays in "ordered the firm to pay".
        by_object = above.passive or (verb.dep_ == "xcomp" and above.patients)
        subjects = above.patients if by_object else above.doers
        doers, patients = ((), subjects) if passive else (subjects, ())
    elif verb.dep_ == "acl" and verb.tag_ == "VBN":
        passive, patients = True, (verb.head,)
    elif verb.dep_ == "acl" and verb.tag_ == "VBG":
        doers = (verb.head,)
    if passive:
        agents = [child for child in verb.children if child.dep_ == "agent"]
        doers = tuple(noun for agent in agents for noun in _nouns(agent, "pobj"))
    else:
        patients = tuple(noun for dep in _OBJECTS for noun in _nouns(verb, dep))
    predicate = _predicate(verb, above if bare else None, (*doers, *patients))
    return _Clause(verb, predicate, doers, patients, passive)


def _nouns(token: "Token", dep: str) -> tuple["Token", ...]:
    """Return the children with a role; a relative pronoun becomes its noun."""
    nouns: list[Token] = []
    for child in token.children:
        if child.dep_ == dep:
            relative = token.dep_ == "relcl" and child.tag_ in ("WP", "WDT")
            nouns += [token.head] if relative else conjuncts(child)
    return tuple(nouns)


def _predicate(verb: "Token", above: _Clause | None, nouns: tuple["Token", ...]) -> Predicate:
    particles = [child.lower_ for child in verb.children if child.dep_ == "prt"]
    words = " ".join([verb.lemma_.lower(), *particles])
    negated = any(child.dep_ == "neg" for child in verb.children)
    negated ^= any(child.lower_ in ("no", "neither") for noun in nouns for child in noun.lefts)
    modal = "".join(_MODALS.get(child.lower_, "") for child in verb.children if child.tag_ == "MD")
    if above is not None and verb.dep_ == "xcomp":
        leading = above.predicate
        modal, negated = leading.modal, negated or leading.negated
        to = any(child.tag_ == "TO" for child in verb.children)
        if leading.verb in _ASPECTS or (to and leading.verb in _DUE):
            return Predicate(words, "", modal or _DUE.get(leading.verb, ""), negated)
        own = verb.lower_ if verb.tag_ == "VBG" else f"to {words}"
        return Predicate(f"{leading.verb} {own}", "", modal, negated)
    if above is not None and verb.dep_ == "conj":
        modal = modal or above.predicate.modal
        either = any(child.lower_ in ("or", "nor") for child in above.verb.children)
        negated = negated or (either and above.predicate.negated)
    return Predicate(words, "", modal, negated)


def _said(clause: _Clause) -> Iterator[Triple]:
    """Yield the triples of a clause: agent and patient, then its prepositions."""
    for doer in clause.doers or (None,):
        for patient in clause.patients or (None,):
            if not (patient is None and _only_introduces(clause.verb)):
                yield from _triple(doer, clause.predicate, patient)
    # The preposition of a copula belongs to the subject.
    on_patients = clause.patients and clause.verb.lemma_ != "be"
    for preposition, noun in _additions(clause):
        predicate = replace(clause.predicate, preposition=preposition)
        for source in clause.patients if on_patients else clause.doers:
            if thing(source) is not None:
                yield from _triple(source, predicate, noun)


def _additions(clause: _Clause) -> Iterator[tuple[str, "Token"]]:
    """Yield prepositions with their nouns; an indirect object gets "to"."""
    for child in clause.verb.children:
        added = child.dep_ in ("prep", "dative") or (child.dep_ == "agent" and not clause.passive)
        if not added or child.lower_ in _REASONS:
            continue
        if child.tag_ in ("IN", "TO"):
            for noun in _nouns(child, "pobj"):
                if noun.lower_ != "order":  # "in order to"
                    yield child.lower_, noun
        else:
            yield from (("to", noun) for noun in conjuncts(child))


def _only_introduces(verb: "Token") -> bool:
    """Whether a verb only introduces a clause ("wanted to leave") or is an auxiliary."""
    leading = any(child.dep_ in ("xcomp", "ccomp") for child in verb.children)
    return leading or verb.lemma_ in ("be", "have", "do")


def _triple(
    doer: "Token | None", predicate: Predicate, patient: "Token | None"
) -> Iterator[Triple]:
    subject = None if doer is None else _referent(doer)
    object_ = None if patient is None else _referent(patient)
    if patient is not None and object_ is None:
        return
    # "He closed the road" means somebody did; "he did not" is about him alone.
    about_him = doer is not None and predicate.negated
    if subject is None and (about_him or predicate.verb == "be"):
        return
    if subject is not None or object_ is not None:
        yield Triple(subject, predicate, object_)
