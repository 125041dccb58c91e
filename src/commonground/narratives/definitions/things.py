"""Noun phrases as things: what a phrase is of, and whether two phrases can be of the same."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from commonground.narratives.texts import STOP_WORDS
from commonground.text import stem
from commonground.text.values import (
    Quantity,
    When,
    dates,
    dates_agree,
    dates_comparable,
    name_parts,
    numbers_agree,
    quantities,
    same_name,
    same_person,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

Kind = Literal["person", "name", "place", "date", "thing"]

_KINDS: dict[str, Kind] = {
    "PERSON": "person",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "ORG": "name",
    "NORP": "name",
    "PRODUCT": "name",
    "EVENT": "name",
    "WORK_OF_ART": "name",
    "LAW": "name",
}
_NAMES = ("person", "name", "place")
_PARTS = frozenset(("one", "some", "many", "most", "several", "part", "parts", "all", "each"))
_PARTS |= frozenset(("dozens", "hundreds", "thousands", "majority"))
_BESIDE = ("compound", "amod", "nummod", "nmod", "poss")


@dataclass(frozen=True, slots=True)
class Thing:
    """What a noun phrase stands for.

    Attributes:
        text: The phrase without articles and clauses.
        kind: A name, a date, or anything else.
        start: Where it starts in the parsed sentence.
        end: Where it ends there.
        noun: The noun in its base form; empty for names and dates.
        head: Its stem.
        qualities: The stems of the adjectives and nouns beside the noun.
        owners: The stems of what it is of: "of" and what follows, possessives, names beside it.
        quantity: How many, where a number is given.
        when: The date, for a date.
    """

    text: str
    kind: Kind
    start: int
    end: int
    noun: str = ""
    head: str = ""
    qualities: frozenset[str] = frozenset()
    owners: frozenset[str] = frozenset()
    quantity: Quantity | None = None
    when: When | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for phrases that say the same in the same words, titles and articles aside."""
        if self.when is not None:
            return ("date", str(self.when))
        if self.kind in _NAMES:
            return ("name", name_parts(self.text))
        value = None if self.quantity is None else self.quantity.value
        beside = tuple(sorted(self.qualities)), tuple(sorted(self.owners))
        return ("thing", self.head, *beside, value)

    @property
    def marks(self) -> frozenset[str]:
        """Things that can be the same have one of these in common, likeness of words aside."""
        if self.when is not None:
            return frozenset(("date",))
        if self.kind in _NAMES:
            words = name_parts(self.text)
            # Names may differ in spelling and be short for others by their initials.
            return frozenset(f"name {word[0]}" for word in words)
        return frozenset((f"noun {self.head}",))

    @property
    def fullness(self) -> int:
        """How much is said of it."""
        if self.kind in _NAMES:
            return len(name_parts(self.text))
        beside = len(self.qualities) + len(self.owners)
        return len(str(self.when)) if self.when else beside + bool(self.quantity)


def same_thing(one: Thing, other: Thing) -> bool:
    """Whether two phrases can be of the same, by names, dates, stems and numbers.

    Of two nouns one may say more than the other, but not each something of its own: "bridge" can
    be "the old bridge", "the new bridge" cannot. What a thing is like and what it is of are
    told apart: "the town council" can be "the council of Aldwick".
    """
    if one.when is not None and other.when is not None:
        return dates_comparable(one.when, other.when) and dates_agree(one.when, other.when)
    if one.kind in _NAMES and other.kind in _NAMES:
        if not name_parts(one.text) or not name_parts(other.text):
            return False
        person = "person" in (one.kind, other.kind)
        return (same_person if person else same_name)(one.text, other.text)
    if one.kind != "thing" or other.kind != "thing" or one.head != other.head:
        return False
    alike = _nested(one.qualities, other.qualities) and _nested(one.owners, other.owners)
    return alike and agreeing(one, other)


def _nested(one: frozenset[str], other: frozenset[str]) -> bool:
    return one <= other or other <= one


def agreeing(one: Thing, other: Thing) -> bool:
    """Whether their numbers, if both have one, can both be right."""
    if one.quantity is None or other.quantity is None:
        return True
    return numbers_agree(one.quantity, other.quantity)


def thing(token: "Token", counted: bool = True) -> Thing | None:
    """The thing that a noun (or a describing adjective) is the head of; nothing for a pronoun.

    Args:
        token: The noun.
        counted: Whether a number beside it is how many there are.
    """
    if token.tag_ in ("PRP", "PRP$", "WP", "WP$", "WDT", "EX", "DT", "WRB"):
        return None
    whole = _whole(token)
    if whole is not None:
        return thing(whole, counted=False)
    named = _named(token)
    if named is not None:
        return named
    if token.tag_ in ("NNP", "NNPS"):
        run = [child for child in token.lefts if child.tag_ in ("NNP", "NNPS")]
        return _phrase([*run, token], "name")
    beside = [child for child in token.children if _is_beside(child, counted)]
    of = [word for child in token.rights if child.text == "of" for word in _complement(child)]
    numbers = [word for child in beside if child.tag_ == "CD" for word in _digits(child)]
    found = _phrase([*beside, *numbers, token, *of], "thing")
    kinds = [child for child in beside if child.tag_ != "CD"]
    owning = [child for child in kinds if child.dep_ == "poss" or child.tag_.startswith("NNP")]
    return replace(
        found,
        noun=token.lemma_.lower(),
        head=stem(token.lower_),
        qualities=frozenset(_stems(child for child in kinds if child not in owning)),
        owners=frozenset(_stems((*owning, *of))),
        quantity=_number(beside),
    )


def _whole(token: "Token") -> "Token | None":
    """What a quantity is of: the gates of "one of its four gates"."""
    if token.lower_ not in _PARTS:
        return None
    for child in token.rights:
        if child.text == "of":
            return next((noun for noun in child.children if noun.dep_ == "pobj"), None)
    return None


def _is_beside(word: "Token", counted: bool) -> bool:
    """Whether a word beside a noun tells what it is like, whose it is, or how many there are."""
    told = word.dep_ in _BESIDE and word.tag_ not in ("PRP$", "WP$")
    return told and (counted or word.tag_ != "CD")


def _digits(number: "Token") -> Iterator["Token"]:
    """The other words of a number: the "48" of "48 million"."""
    return (child for child in number.lefts if child.tag_ == "CD")


def conjuncts(token: "Token") -> list["Token"]:
    """A noun and those that "and" or "or" ties to it."""
    return [token, *token.conjuncts] if token.dep_ != "conj" else [token]


def merged(things: Iterable[Thing]) -> dict[tuple[object, ...], Thing]:
    """By key, the fullest wording of each thing of one narrative.

    A shorter wording is of the fuller one where there is only one it can be of: a narrative that
    knows one McCain means him by "McCain".
    """
    distinct: dict[tuple[object, ...], Thing] = {}
    for one in sorted(things, key=lambda one: (-one.fullness, one.text)):
        distinct.setdefault(one.key, one)
    found: dict[tuple[object, ...], Thing] = {}
    fuller: dict[str, list[Thing]] = {}
    for one in distinct.values():
        near = {id(other): other for mark in sorted(one.marks) for other in fuller.get(mark, [])}
        matching = [other for other in near.values() if same_thing(one, other)]
        found[one.key] = matching[0] if len(matching) == 1 else one
        if len(matching) != 1:
            for mark in one.marks:
                fuller.setdefault(mark, []).append(one)
    return found


@lru_cache(maxsize=1_000)
def _dates(sentence: str) -> tuple[When, ...]:
    return tuple(dates(sentence))


def _named(token: "Token") -> Thing | None:
    doc: Doc = token.doc
    for entity in doc.ents:
        if not entity.start <= token.i < entity.end:
            continue
        if entity.label_ in ("DATE", "TIME"):
            start, end = entity.start_char, entity.end_char
            # Read in the whole sentence: a year alone is a date after "in" only.
            found = [when for when in _dates(doc.text) if when.start < end and start < when.end]
            if len(found) == 1:
                # Of "Monday night" the parser may take the night alone.
                start, end = min(start, found[0].start), max(end, found[0].end)
                return Thing(doc.text[start:end], "date", start, end, when=found[0])
        elif entity.label_ in _KINDS and _is_proper(entity, token):
            kept = [word for word in entity if _is_name(word)]
            return _phrase(kept, _KINDS[entity.label_]) if kept else None
    return None


def _is_proper(entity: "Span", token: "Token") -> bool:
    """Whether an entity is a name: "the council of Aldwick" is a council, whatever it is called."""
    common = token.tag_ in ("NN", "NNS") and token.text.islower()
    return not common and any(word.tag_.startswith("NNP") for word in entity)


def _is_name(word: "Token") -> bool:
    return word.tag_ not in ("DT", "POS") and not (word.like_url or word.is_punct or word.is_space)


def _phrase(tokens: Sequence["Token"], kind: Kind) -> Thing:
    """The words between the first and the last of these, articles left out."""
    order = sorted(tokens, key=lambda token: token.i)
    first, last = order[0], order[-1]
    if kind == "thing":
        # A capital at the start of a sentence says nothing of the word.
        opening = order[0].i == 0 and not order[0].tag_.startswith("NNP")
        text = " ".join(token.text for token in order)
        text = text[0].lower() + text[1:] if opening else text
    else:
        text = first.doc[first.i : last.i + 1].text
    return Thing(text, kind, first.idx, last.idx + len(last.text))


def _complement(preposition: "Token") -> Iterator["Token"]:
    for child in preposition.children:
        if child.dep_ == "pobj" and child.tag_ not in ("PRP", "DT"):
            yield preposition
            yield from (word for word in child.lefts if word.dep_ in _BESIDE)
            yield child


def _stems(words: Iterable["Token"]) -> list[str]:
    return [stem(word.lower_) for word in words if word.is_alpha and word.lower_ not in STOP_WORDS]


def _number(beside: Sequence["Token"]) -> Quantity | None:
    numbers = [word for word in beside if word.tag_ == "CD"]
    if not numbers:
        return None
    first, last = numbers[0], numbers[-1]
    start = min([first.left_edge.i, first.i])
    found = quantities(first.doc[start : last.i + 1].text)
    return replace(found[0], start=0, end=0) if found else None
