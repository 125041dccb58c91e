"""Noun phrases as things, and whether two phrases can mean the same thing or are similar."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np

from commonground import encoders
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
from commonground.wording import STOP_WORDS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

Kind = Literal["person", "name", "place", "date", "thing"]

ALIKE = 0.85
"""Minimum cosine for two nouns, verbs or phrases to match.

With `minilm` "lawyer" and "attorney" (.89), "buy" and "purchase" (.87), "car" and "vehicle" (.87)
pass; "buyer" and "seller" (.83), "win" and "lose" (.69), "mayor" and "governor" (.65) do not.
"""

_MAX_COSINE = 1.0  # a threshold above it needs no encoder
_BLOCK = 2_000  # rows per matrix product

_KINDS: dict[str, Kind] = {"PERSON": "person", "GPE": "place", "LOC": "place", "FAC": "place"}
_KINDS |= dict.fromkeys(("ORG", "NORP", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW"), "name")
_NAMES = ("person", "name", "place")
_PARTS = frozenset(("one", "some", "many", "most", "several", "part", "parts", "all", "each"))
_PARTS |= frozenset(("dozens", "hundreds", "thousands", "majority"))
_BESIDE = ("compound", "amod", "nummod", "nmod", "poss")


@dataclass(frozen=True, slots=True)
class Thing:
    """The referent of a noun phrase.

    Attributes:
        text: The phrase without articles and clauses.
        kind: A kind of name, a date, or "thing" for common nouns.
        start: Start offset in the parsed sentence.
        end: End offset in the parsed sentence.
        noun: The lemma; empty for names and dates.
        head: The stem of the noun.
        qualities: The stems of its adjectives and compound nouns.
        owners: The stems of "of" phrases, possessives and names that modify it.
        quantity: The number, if there is one.
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
        """Equal for phrases with the same words, titles and articles aside."""
        if self.when is not None:
            return ("date", str(self.when))
        if self.kind in _NAMES:
            return ("name", name_parts(self.text))
        value = None if self.quantity is None else self.quantity.value
        beside = tuple(sorted(self.qualities)), tuple(sorted(self.owners))
        return ("thing", self.head, *beside, value)

    @property
    def marks(self) -> frozenset[str]:
        """Index keys: things that can be the same share one, unless they match by vectors."""
        if self.when is not None:
            return frozenset(("date",))
        if self.kind in _NAMES:
            # Initials, since names may be abbreviated or spelt differently.
            return frozenset(f"name {word[0]}" for word in name_parts(self.text))
        return frozenset((f"noun {self.head}",))

    @property
    def fullness(self) -> int:
        """How specific the phrase is."""
        if self.kind in _NAMES:
            return len(name_parts(self.text))
        beside = len(self.qualities) + len(self.owners)
        return len(str(self.when)) if self.when else beside + bool(self.quantity)


def same_thing(left: Thing, right: Thing) -> bool:
    """Whether two phrases can mean the same thing, by names, dates, stems and numbers.

    One noun phrase may be more specific, but not each in its own way: "bridge" can be "the old
    bridge", "the new bridge" cannot. Qualities and owners are compared separately: "the town
    council" can be "the council of Aldwick".
    """
    if left.when is not None and right.when is not None:
        return dates_comparable(left.when, right.when) and dates_agree(left.when, right.when)
    if left.kind in _NAMES and right.kind in _NAMES:
        if not name_parts(left.text) or not name_parts(right.text):
            return False
        person = "person" in (left.kind, right.kind)
        return (same_person if person else same_name)(left.text, right.text)
    if left.kind != "thing" or right.kind != "thing" or left.head != right.head:
        return False
    alike = nested(left.qualities, right.qualities) and nested(left.owners, right.owners)
    return alike and _agreeing(left, right)


def nested(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether one of two sets holds the other."""
    return left <= right or right <= left


def _agreeing(left: Thing, right: Thing) -> bool:
    """Whether two numbers, if both are known, can both be right."""
    if left.quantity is None or right.quantity is None:
        return True
    return numbers_agree(left.quantity, right.quantity)


def thing(token: "Token", counted: bool = True) -> Thing | None:
    """Return the thing whose head is a noun or predicate adjective; None for a pronoun.

    Args:
        token: The head.
        counted: Whether a number that modifies it is its quantity.
    """
    if token.tag_ in ("PRP", "PRP$", "WP", "WP$", "WDT", "EX", "DT", "WRB"):
        return None
    if (whole := _whole(token)) is not None:
        return thing(whole, counted=False)
    if (named := _named(token)) is not None:
        return named
    if token.tag_ in ("NNP", "NNPS"):
        run = [child for child in token.lefts if child.tag_ in ("NNP", "NNPS")]
        return _phrase([*run, token], "name")
    beside = [child for child in token.children if _is_beside(child, counted)]
    of = [word for child in token.rights if child.text == "of" for word in _complement(child)]
    # The other words of a number: the "48" of "48 million".
    numbers = [
        word for child in beside if child.tag_ == "CD" for word in child.lefts if word.tag_ == "CD"
    ]
    phrase = _phrase([*beside, *numbers, token, *of], "thing")
    kinds = [child for child in beside if child.tag_ != "CD"]
    owning = [child for child in kinds if child.dep_ == "poss" or child.tag_.startswith("NNP")]
    return replace(
        phrase,
        noun=token.lemma_.lower(),
        head=stem(token.lower_),
        qualities=frozenset(_stems(child for child in kinds if child not in owning)),
        owners=frozenset(_stems((*owning, *of))),
        quantity=_number(beside),
    )


def _whole(token: "Token") -> "Token | None":
    """Return the noun after a quantity: the gates of "one of its four gates"."""
    if token.lower_ not in _PARTS:
        return None
    of = next((child for child in token.rights if child.text == "of"), None)
    return next((noun for noun in of.children if noun.dep_ == "pobj"), None) if of else None


def _is_beside(word: "Token", counted: bool) -> bool:
    """Whether a child of a noun is an adjective, a compound, a possessive or a number."""
    modifies = word.dep_ in _BESIDE and word.tag_ not in ("PRP$", "WP$")
    return modifies and (counted or word.tag_ != "CD")


def conjuncts(token: "Token") -> list["Token"]:
    """Return a noun and its conjuncts."""
    return [token, *token.conjuncts] if token.dep_ != "conj" else [token]


def merged(things: Iterable[Thing]) -> dict[tuple[object, ...], Thing]:
    """Map the key of each thing of one narrative to its fullest wording.

    A shorter wording maps to a fuller one only if it is unambiguous: with one McCain in the
    narrative, "McCain" is him.
    """
    distinct: dict[tuple[object, ...], Thing] = {}
    for item in sorted(things, key=lambda item: (-item.fullness, item.text)):
        distinct.setdefault(item.key, item)
    full: dict[tuple[object, ...], Thing] = {}
    by_mark: defaultdict[str, list[Thing]] = defaultdict(list)
    for item in distinct.values():
        near = {id(other): other for mark in sorted(item.marks) for other in by_mark[mark]}
        matching = [other for other in near.values() if same_thing(item, other)]
        full[item.key] = matching[0] if len(matching) == 1 else item
        if len(matching) != 1:
            for mark in item.marks:
                by_mark[mark].append(item)
    return full


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
            # In the context of the sentence: a bare year is a date only after "in".
            inside = [when for when in _dates(doc.text) if when.start < end and start < when.end]
            if len(inside) == 1:
                # The parser may tag only the night of "Monday night".
                start, end = min(start, inside[0].start), max(end, inside[0].end)
                return Thing(doc.text[start:end], "date", start, end, when=inside[0])
        elif entity.label_ in _KINDS and _is_proper(entity, token):
            kept = [
                word
                for word in entity
                if word.tag_ not in ("DT", "POS")
                and not (word.like_url or word.is_punct or word.is_space)
            ]
            return _phrase(kept, _KINDS[entity.label_]) if kept else None
    return None


def _is_proper(entity: "Span", token: "Token") -> bool:
    """Whether an entity is a proper name; "the council of Aldwick" is a council."""
    common = token.tag_ in ("NN", "NNS") and token.text.islower()
    return not common and any(word.tag_.startswith("NNP") for word in entity)


def _phrase(tokens: Sequence["Token"], kind: Kind) -> Thing:
    """Return the thing that these words name, without articles."""
    order = sorted(tokens, key=lambda token: token.i)
    first, last = order[0], order[-1]
    text = first.doc[first.i : last.i + 1].text
    if kind == "thing":
        text = " ".join(token.text for token in order)
        if first.i == 0 and not first.tag_.startswith("NNP"):
            text = text[0].lower() + text[1:]  # the capital at the start of a sentence
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
    known = quantities(first.doc[first.left_edge.i : last.i + 1].text)
    return replace(known[0], start=0, end=0) if known else None


class Likeness:
    """Pairs of similar phrases; the encoder is loaded only if phrases differ.

    Args:
        phrases: All phrases to compare.
        encoder: Name of an encoder.
        threshold: Minimum cosine; above 1, only equal phrases match.
    """

    def __init__(self, phrases: Iterable[str], encoder: str, threshold: float) -> None:
        distinct = sorted({phrase.lower() for phrase in phrases})
        self._near: dict[str, dict[str, float]] = {phrase: {} for phrase in distinct}
        if len(distinct) < 2 or threshold > _MAX_COSINE:
            return
        vectors = encoders.load(encoder).encode(distinct)
        for start in range(0, len(distinct), _BLOCK):
            # Rounded: the last digits of a matrix product depend on its size.
            cosines = np.round((vectors[start : start + _BLOCK] @ vectors.T).astype(float), 4)
            for row, column in zip(*np.nonzero(cosines >= threshold), strict=True):
                if start + row != column:
                    near = self._near[distinct[start + int(row)]]
                    near[distinct[int(column)]] = float(cosines[row, column])

    def of(self, phrase: str, other: str) -> float:
        """Return the cosine of two phrases: 1 if equal, 0 below the threshold."""
        first, second = phrase.lower(), other.lower()
        return 1.0 if first == second else self._near[first].get(second, 0.0)

    def of_things(self, left: Thing, right: Thing) -> float:
        """Return the cosine of two common nouns; 0 for names, dates and different numbers."""
        common = left.kind == right.kind == "thing" and _agreeing(left, right)
        return self.of(left.text, right.text) if common else 0.0

    def marks(self, phrase: str) -> set[str]:
        """Return index keys: similar phrases share one."""
        return {f"like {near}" for near in (phrase.lower(), *self._near[phrase.lower()])}

    def thing_marks(self, thing: Thing) -> set[str]:
        """Return index keys: things that can match share one."""
        return {*thing.marks, *(self.marks(thing.text) if thing.kind == "thing" else ())}


def encoder_field(encoder: str, threshold: float) -> str:
    """Return the encoder for a signature; "none" if it is not used."""
    return "none" if threshold > _MAX_COSINE else encoders.shown(encoders.load(encoder))
