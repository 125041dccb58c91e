"""What no statement may hold: disputed values, and what a narrative may contradict."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from commonground.narratives.conflicts.differences import agrees, differences
from commonground.narratives.conflicts.find import Facts
from commonground.narratives.conflicts.pair import WORDS, Pair, opposite, same_verb
from commonground.narratives.conflicts.values import Value
from commonground.narratives.reading import Readings
from commonground.narratives.result import Conflict, Side
from commonground.narratives.texts import STOP_WORDS
from commonground.narratives.word_lists import word_list
from commonground.text import stem, written
from commonground.text.values import Quantity, When, dates, dates_comparable, quantities
from commonground.text.values import dates_agree as same_time
from commonground.text.values import numbers_agree as same_number

if TYPE_CHECKING:
    from spacy.tokens import Token


_ROUND = 0.5
_LEAST = 2  # "one" is as often a pronoun as a number


@dataclass(frozen=True, slots=True)
class Details:
    """What a narrative counts, measures and dates."""

    numbers: tuple[Quantity, ...]
    times: tuple[When, ...]

    @classmethod
    def of(cls, sentences: Sequence[str]) -> "Details":
        """The details of all sentences."""
        return cls(
            tuple(found for sentence in sentences for found in _numbers(sentence)),
            tuple(found for sentence in sentences for found in dates(sentence)),
        )

    def bear(self, text: str) -> bool:
        """Whether the narrative has the numbers and dates of a text, or none in their place.

        A number must fit one of the narrative's of the same kind (counts, money, shares, lengths),
        rounded or in other units, and a date one that it can be compared with, if there are any.
        """
        return all(map(self._counted, _numbers(text))) and all(map(self._dated, dates(text)))

    def _counted(self, one: Quantity) -> bool:
        dimension = one.measure.dimension
        others = [other for other in self.numbers if other.measure.dimension == dimension]
        if not others or any(same_number(one, other) for other in others):
            return True
        # "By 58 percent to 42" says percent once.
        return dimension == "share" and any(
            not other.measure.dimension and abs(other.value - 100 * one.value) < _ROUND
            for other in self.numbers
        )

    def _dated(self, when: When) -> bool:
        others = [other for other in self.times if dates_comparable(when, other)]
        return not others or any(same_time(when, other) for other in others)


def _numbers(sentence: str) -> list[Quantity]:
    """Quantities that are no parts of dates."""
    times = dates(sentence)
    return [
        one
        for one in quantities(sentence)
        if (one.measure.dimension or one.value >= _LEAST)
        and not any(when.start < one.end and one.start < when.end for when in times)
    ]


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


Place = tuple[int, int]

_LONG_WORD = re.compile(r"[^\W\d_]{3,}")
# Numbers and dates stand for many things; elsewhere they are checked against the narrative's own.
_BY_PLACE = frozenset(("number", "date", "claim"))


class Disputed:
    """What is disputed, by sentence and anywhere.

    The values themselves are disputed where they stand. A name, place or quality that the other
    narrative has nowhere is disputed in every sentence, and so is a verb that one narrative denies:
    "the York talks" repeats that the talks were in York.

    Args:
        readings: The narratives.
        facts: What their closely read sentences say.
        conflicts: Between them, all that rules found.
    """

    def __init__(
        self, readings: Readings, facts: Sequence[Facts], conflicts: Iterable[Conflict]
    ) -> None:
        self._facts = facts
        self._values: defaultdict[Place, set[str]] = defaultdict(set)
        self._stems: set[str] = set()
        self._readings = readings
        self.add(conflicts)

    def add(self, conflicts: Iterable[Conflict]) -> None:
        """Dispute what these conflicts are about, too."""
        for conflict in conflicts:
            first, second = conflict.sides
            for side, other in ((first, second), (second, first)):
                self._values[self._place(side)].add(written(side.value))
                if conflict.kind not in _BY_PLACE:
                    told = _stems(side.value)
                    denied = conflict.kind == "negation"
                    self._stems |= told if denied else told - self._said(other.narrative)

    def held(self, text: str, place: Place) -> bool:
        """Whether a text, from the sentence at a place, holds something disputed."""
        if any(value in text for value in self._values.get(place, ())):
            return True
        return bool(self._stems) and not self._stems.isdisjoint(_stems(text))

    def denied(self, text: str, place: Place, other: int, shown: int) -> bool:
        """Whether the sentence that is to show a text in another narrative may contradict it."""
        narrative, number = place
        return contradicts(text, self._facts[narrative], number, self._facts[other], shown)

    def _place(self, side: Side) -> Place:
        narrated = self._readings.narratives[side.narrative]
        for number, sentence in enumerate(narrated.sentences[place] for place in narrated.close):
            if sentence.start <= side.value_start < sentence.end:
                return side.narrative, number
        return side.narrative, -1

    def _said(self, narrative: int) -> set[str]:
        sentences = self._readings.narratives[narrative].sentences
        return _stems(" ".join(sentence.text for sentence in sentences))


def _stems(text: str) -> set[str]:
    words: Sequence[str] = _LONG_WORD.findall(written(text).lower())
    return {stem(word) for word in words if word not in STOP_WORDS}
