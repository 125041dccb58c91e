"""What no statement may contain: disputed values, and what a narrative may contradict."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from commonground.narratives.conflicts.differences import agrees, differences
from commonground.narratives.conflicts.find import Facts, Location
from commonground.narratives.conflicts.pair import WORDS, Pair, opposite, same_verb
from commonground.narratives.conflicts.values import Value
from commonground.narratives.reading import Readings
from commonground.narratives.result import Conflict, Side
from commonground.narratives.word_lists import word_list
from commonground.text import stem, written
from commonground.text.values import (
    CURRENCIES,
    Quantity,
    When,
    dates,
    dates_agree,
    dates_comparable,
    numbers_agree,
    quantities,
)
from commonground.wording import STOP_WORDS

if TYPE_CHECKING:
    from spacy.tokens import Token

_ROUND = 0.5
_LEAST = 2  # "one" is as often a pronoun as a number
_NEGATIONS = word_list("negations") | {"without"}
_DENIERS = frozenset(("refuse", "decline", "fail", "neglect", "omit", "unable"))
_WORD = re.compile(r"\w+")
_LONG_WORD = re.compile(r"[^\W\d_]{3,}")
_NEGATIVE_PREFIX = re.compile(r"un(?!i|der|til|less|cle)\w{4,}")
_SHORT = 18  # tokens; in a longer sentence a negation may concern something else
# Numbers and dates occur for many things; `Details` checks them against all of the narrative.
_LOCAL_KINDS = frozenset(("number", "date", "claim"))


@dataclass(frozen=True, slots=True)
class Details:
    """The numbers and dates of a narrative."""

    numbers: tuple[Quantity, ...]
    times: tuple[When, ...]

    @classmethod
    def of(cls, sentences: Sequence[str]) -> "Details":
        """Find the numbers and dates of all sentences."""
        return cls(
            tuple(number for sentence in sentences for number in _numbers(sentence)),
            tuple(when for sentence in sentences for when in dates(sentence)),
        )

    def bear(self, text: str) -> bool:
        """Say whether the numbers and dates of a text agree with those of the narrative.

        A number must agree with one of the same dimension (counts, money, shares, lengths), if
        rounded or in other units, and a date with one that it can be compared with, if there are
        any.
        """
        return all(map(self._has_number, _numbers(text))) and all(map(self._has_date, dates(text)))

    def _has_number(self, number: Quantity) -> bool:
        dimension = number.measure.dimension
        money = CURRENCIES if dimension in CURRENCIES else {dimension}
        others = [other for other in self.numbers if other.measure.dimension in money]
        if not others or any(
            other.measure.dimension == dimension and numbers_agree(number, other)
            for other in others
        ):
            return True
        # "By 58 percent to 42" says percent only once.
        return dimension == "share" and any(
            not other.measure.dimension and abs(other.value - 100 * number.value) < _ROUND
            for other in self.numbers
        )

    def _has_date(self, when: When) -> bool:
        others = [other for other in self.times if dates_comparable(when, other)]
        return not others or any(dates_agree(when, other) for other in others)


def _numbers(sentence: str) -> list[Quantity]:
    """Return the quantities that are not part of a date."""
    times = dates(sentence)
    return [
        number
        for number in quantities(sentence)
        if (number.measure.dimension or number.value >= _LEAST)
        and not any(when.start < number.end and number.start < when.end for when in times)
    ]


def contradicts(text: str, one: Facts, row: int, other: Facts, shown: int) -> bool:
    """Say whether the evidence for a statement may contradict it.

    Args:
        text: The statement: a sentence or a cut of it.
        one: The narrative that it comes from.
        row: The row of its sentence there.
        other: The narrative that should state it.
        shown: The row of the sentence that should show it there.
    """
    pair = Pair(one.parsed[row], other.parsed[shown], closeness=1.0)
    if _plain(text) in _plain(pair.other.text):
        return False
    ours = [value for value in one.values[row] if value.span.text in text]
    told = [assertion for assertion in one.assertions[row] if assertion.word.text in text]
    kept = [token for token in pair.one.doc if token.text in text]
    theirs = list(pair.other.doc)
    return (
        bool(differences(pair, (ours, other.values[shown]), (told, other.assertions[shown])))
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
    """Say whether a person is named whom the other narrative, with other persons, never names."""
    people = [value for value in ours if value.label == "PERSON"]
    if not people or not any(value.label == "PERSON" for value in other.values[shown]):
        return False
    known = [value for values in other.values for value in values if value.kind == "name"]
    return not any(agrees(person, value) for person in people for value in known)


def _denies(tokens: Sequence["Token"]) -> bool:
    """Say whether a word or a prefix negates something: "not", "undecided"."""
    return any(
        token.lower_ in _NEGATIONS or _NEGATIVE_PREFIX.match(token.lower_) for token in tokens
    )


def _one_denies(ours: Sequence["Token"], theirs: Sequence["Token"]) -> bool:
    """Say whether only one of two sentences negates, and no verb is negated in both."""
    return _denies(ours) != _denies(theirs) and _denied_verbs(ours).isdisjoint(
        _denied_verbs(theirs)
    )


def _withheld(ours: Sequence["Token"], theirs: Sequence["Token"]) -> bool:
    """Say whether one sentence states what the other says was refused: "refused to go", "went"."""
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
    """Return the word that denies a verb as its complement: the "refused" of "refused to go"."""
    if verb.dep_ != "xcomp" or verb.head.lemma_.lower() not in _DENIERS:
        return None
    return verb.head if any(child.tag_ == "TO" for child in verb.children) else None


def _opposed(ours: Sequence["Token"], theirs: Sequence["Token"]) -> bool:
    """Say whether each sentence has an opposite of a word in the other, and neither negates."""
    if _denies(ours) or _denies(theirs):
        return False
    # Participles also as they are: "married", not "marry".
    first, second = (
        ({t.lemma_.lower() for t in tokens} | {t.lower_ for t in tokens if t.tag_ == "VBN"})
        & WORDS.keys()
        for tokens in (ours, theirs)
    )
    return any(opposite(WORDS, one, other) for one in first - second for other in second - first)


def _swapped(ours: Sequence["Token"], theirs: Sequence["Token"]) -> bool:
    """Say whether the agent and the object of a verb have changed places."""
    others = list(_events(theirs))
    return any(
        same_verb(verb, verb2)
        and bool(agent & object2 and object_ & agent2)
        and not (agent & agent2 or object_ & object2)
        for verb, agent, object_ in _events(ours)
        for verb2, agent2, object2 in others
    )


def _events(tokens: Sequence["Token"]) -> Iterator[tuple[str, set[str], set[str]]]:
    """Yield verbs, each with the nouns of its agent and of its object."""
    for verb in tokens:
        if verb.pos_ != "VERB":
            continue
        subject, other = (
            {
                token.lemma_.lower()
                for child in verb.children
                if child.dep_ in deps
                for token in child.subtree
                if token.pos_ in ("NOUN", "PROPN")
            }
            for deps in (("nsubj", "nsubjpass"), ("dobj", "agent"))
        )
        if subject and other:
            passive = any(child.dep_ == "auxpass" for child in verb.children)
            yield verb.lemma_.lower(), *((other, subject) if passive else (subject, other))


class Disputed:
    """What is disputed, in one sentence or everywhere.

    A disputed value is disputed in its own sentence. A name, place or quality that the other
    narrative never mentions is disputed everywhere, and so is a verb that one narrative denies:
    "the York talks" repeats that the talks were in York.

    Args:
        readings: The narratives.
        facts: The facts of their closely read sentences.
        conflicts: All conflicts that the rules found.
    """

    def __init__(
        self, readings: Readings, facts: Sequence[Facts], conflicts: Iterable[Conflict]
    ) -> None:
        self._facts = facts
        self._values: defaultdict[Location, set[str]] = defaultdict(set)
        self._stems: set[str] = set()
        self._readings = readings
        self.add(conflicts)

    def add(self, conflicts: Iterable[Conflict]) -> None:
        """Add the values of these conflicts."""
        for conflict in conflicts:
            first, second = conflict.sides
            for side, other in ((first, second), (second, first)):
                self._values[self._location(side)].add(written(side.value))
                if conflict.kind == "negation":
                    self._stems |= _stems(side.value)
                elif conflict.kind not in _LOCAL_KINDS:
                    mentioned = _stems(" ".join(self._readings.narratives[other.narrative].texts))
                    self._stems |= _stems(side.value) - mentioned

    def held(self, text: str, location: Location) -> bool:
        """Say whether a text from the sentence at a location contains something disputed."""
        if any(value in text for value in self._values.get(location, ())):
            return True
        return bool(self._stems) and not self._stems.isdisjoint(_stems(text))

    def denied(self, text: str, location: Location, other: int, shown: int) -> bool:
        """Say whether the evidence for a text in another narrative may contradict it."""
        narrative, row = location
        return contradicts(text, self._facts[narrative], row, self._facts[other], shown)

    def _location(self, side: Side) -> Location:
        for row, parsed in enumerate(self._readings.narratives[side.narrative].parsed):
            if parsed.sentence.start <= side.value_start < parsed.sentence.end:
                return side.narrative, row
        return side.narrative, -1


def _stems(text: str) -> set[str]:
    """Return the stems of the longer content words."""
    words: Sequence[str] = _LONG_WORD.findall(written(text).lower())
    return {stem(word) for word in words if word not in STOP_WORDS}
