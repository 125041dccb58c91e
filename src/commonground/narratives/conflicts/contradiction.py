"""A possible contradiction never counts as evidence: values, yes and no, who did it to whom.

Conflicts are told to people and must be sure. What speaks against a statement need not be: a doubt
is enough to leave it out.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from commonground.narratives.conflicts.differences import agrees, differences
from commonground.narratives.conflicts.find import Facts
from commonground.narratives.conflicts.opposites import WORDS, opposite
from commonground.narratives.conflicts.pair import Pair
from commonground.narratives.conflicts.same_verbs import same_verb
from commonground.narratives.conflicts.values import Value
from commonground.narratives.word_lists import word_list

if TYPE_CHECKING:
    from spacy.tokens import Token

_NEGATIONS = word_list("negations") | {"without"}
_DENIERS = frozenset(("refuse", "decline", "fail", "neglect", "omit", "unable"))
_WORD = re.compile(r"\w+")
_DENYING = re.compile(r"un(?!i|der|til|less|cle)\w{4,}")
_SHORT = 18  # tokens; in a longer sentence a negation may be of something else
_SUBJECTS = ("nsubj", "nsubjpass")
_OBJECTS = ("dobj", "agent")
_NOUNS = ("NOUN", "PROPN")


def contradicts(text: str, one: Facts, number: int, other: Facts, shown: int) -> bool:
    """Whether a sentence that is to show a statement may say something else.

    Args:
        text: The statement: a sentence, or what is left of it.
        one: The narrative that it is taken from.
        number: Its sentence there.
        other: The narrative that is to state it.
        shown: The sentence that is to show it there.
    """
    pair = Pair(one.parsed[number], other.parsed[shown], closeness=1.0)
    if _plain(text) in _plain(pair.other.sentence.text):
        return False
    ours = [value for value in one.values[number] if value.span.text in text]
    told = [said for said in one.told[number] if said.word.text in text]
    kept = [token for token in pair.one.doc if token.text in text]
    theirs = list(pair.other.doc)
    return (
        bool(differences(pair, (ours, other.values[shown]), (told, other.told[shown])))
        or _other_person(ours, other, shown)
        or _opposed(kept, theirs)
        or (max(len(kept), len(theirs)) <= _SHORT and _one_denies(kept, theirs))
        or _withheld(kept, theirs)
        or _withheld(theirs, kept)
        or _swapped(kept, theirs)
    )


def _plain(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.lower()))} "


def _other_person(ours: Sequence[Value], other: Facts, shown: int) -> bool:
    """Whether a person is named whom the other narrative never names, and someone else there."""
    people = [value for value in ours if value.label == "PERSON"]
    if not people or not any(value.label == "PERSON" for value in other.values[shown]):
        return False
    known = [value for values in other.values for value in values if value.kind == "name"]
    return not any(agrees(person, value) for person in people for value in known)


def _denies(tokens: Sequence["Token"]) -> bool:
    """Whether something is denied, by a word of its own or by a prefix: "undecided"."""
    return any(token.lower_ in _NEGATIONS or _DENYING.match(token.lower_) for token in tokens)


def _one_denies(ours: Sequence["Token"], theirs: Sequence["Token"]) -> bool:
    """Whether one denies something and the other nothing, and they do not deny the same verb."""
    if _denies(ours) == _denies(theirs):
        return False
    return _denied_verbs(ours).isdisjoint(_denied_verbs(theirs))


def _withheld(ours: Sequence["Token"], theirs: Sequence["Token"]) -> bool:
    """Whether what one says was refused, the other tells plainly: "refused to go", "went"."""
    refused = {token.lemma_.lower() for token in ours if _denied_by(token) in ours}
    plain = {token.lemma_.lower() for token in theirs if token.pos_ == "VERB"}
    return any(same_verb(one, other) for one in refused for other in plain - _denied_verbs(theirs))


def _denied_verbs(tokens: Sequence["Token"]) -> set[str]:
    return {
        token.lemma_.lower()
        for token in tokens
        if _denied_by(token) is not None
        or any(child.lower_ in _NEGATIONS for child in token.children)
    }


def _denied_by(verb: "Token") -> "Token | None":
    """The word that denies a verb as its complement: the "refused" of "refused to resign"."""
    if verb.dep_ != "xcomp" or verb.head.lemma_.lower() not in _DENIERS:
        return None
    return verb.head if any(child.tag_ == "TO" for child in verb.children) else None


def _opposed(ours: Sequence["Token"], theirs: Sequence["Token"]) -> bool:
    """Whether each has a word that the other one has the contrary of, and neither denies."""
    if _denies(ours) or _denies(theirs):
        return False
    first, second = _listed(ours), _listed(theirs)
    return any(opposite(WORDS, one, other) for one in first - second for other in second - first)


def _listed(tokens: Sequence["Token"]) -> set[str]:
    # A participle as it stands, too: "married", not "marry".
    forms = {token.lemma_.lower() for token in tokens} | {
        token.lower_ for token in tokens if token.tag_ == "VBN"
    }
    return forms & WORDS.keys()


def _swapped(ours: Sequence["Token"], theirs: Sequence["Token"]) -> bool:
    """Whether who does it and to whom it is done have changed places."""
    others = list(_deeds(theirs))
    return any(
        same_verb(verb, other)
        and bool(doer & done2 and done & doer2)
        and not (doer & doer2 or done & done2)
        for verb, doer, done in _deeds(ours)
        for other, doer2, done2 in others
    )


def _deeds(tokens: Sequence["Token"]) -> Iterator[tuple[str, set[str], set[str]]]:
    """Verbs, each with the words of who does it and of whom it is done to."""
    for verb in tokens:
        if verb.pos_ != "VERB":
            continue
        children = list(verb.children)
        subject = _words(child for child in children if child.dep_ in _SUBJECTS)
        other = _words(child for child in children if child.dep_ in _OBJECTS)
        passive = any(child.dep_ == "auxpass" for child in children)
        if subject and other:
            lemma = verb.lemma_.lower()
            yield (lemma, other, subject) if passive else (lemma, subject, other)


def _words(heads: Iterable["Token"]) -> set[str]:
    return {
        token.lemma_.lower() for head in heads for token in head.subtree if token.pos_ in _NOUNS
    }
