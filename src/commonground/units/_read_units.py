"""A unit as evidence sees it: its words, what each of them is, and to which it belongs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from commonground.encoders import TokenVectors
from commonground.text._parse import parse, places
from commonground.units._words import Words, pool, subset, unit_mean, words_of

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

PARTS = ("number", "name", "object", "qualifier", "subject", "verb")

_OBJECTS = frozenset(("dobj", "pobj", "attr", "oprd", "acomp", "dative"))
_JOINTS = frozenset(("IN", "TO", "RP"))  # a word that hangs on one of these belongs to its head


@dataclass(frozen=True, slots=True, eq=False)
class ReadUnit:
    """A unit ready to be compared with texts.

    Attributes:
        text: As it was given.
        words: Its words.
        vector: Its vector as a sentence.
        pooled: A vector made of its token vectors, as a clause's is.
        content: Whether a word is no stop word.
        parts: `PARTS` x words: whether a word is one.
        heads: For each word the place of the word it belongs to, its own for the root.
    """

    text: str
    words: Words
    vector: NDArray[np.float32]
    pooled: NDArray[np.float32]
    content: NDArray[np.bool_]
    parts: NDArray[np.bool_]
    heads: NDArray[np.int64]


def read_units(texts: Sequence[str], tokens: Sequence[TokenVectors]) -> list[ReadUnit]:
    """Units with their words marked by the parser's tags and dependencies."""
    from spacy.lang.en.stop_words import STOP_WORDS  # spaCy is slow to import

    units = []
    for text, found, doc in zip(texts, tokens, parse(texts), strict=True):
        words = words_of(text, found)
        lowered = [text[start:end].lower() for start, end in words.spans]
        content = np.array([word not in STOP_WORDS for word in lowered], dtype=bool)
        parts, heads = _marks(text, words, content, doc)
        whole = pool(found, [(0, len(text))])
        units.append(ReadUnit(text, words, found.whole, whole, content, parts, heads))
    return units


def part_of(unit: ReadUnit, text: str, kept: NDArray[np.bool_]) -> ReadUnit:
    """A unit of some of another one's words, with their vectors in the whole.

    Args:
        unit: The whole.
        text: The words that are left, for people.
        kept: For each word of the whole, whether it is left.
    """
    places_left = np.cumsum(kept) - 1
    own = np.flatnonzero(kept)
    heads = np.where(kept[unit.heads[own]], places_left[unit.heads[own]], places_left[own])
    words = subset(unit.words, own)
    vector = unit_mean(words.vectors)
    return ReadUnit(text, words, vector, vector, unit.content[own], unit.parts[:, own], heads)


def _marks(
    text: str, words: Words, content: NDArray[np.bool_], doc: "Doc"
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """What the words are and the places of their heads; the parser may cut words otherwise."""
    at = places(text)
    parts = np.zeros((len(PARTS), len(words.stems)), dtype=bool)
    heads = np.arange(len(words.stems))
    inside = [
        np.flatnonzero((words.spans[:, 0] < at[t.idx] + len(t)) & (words.spans[:, 1] > at[t.idx]))
        for t in doc
    ]
    for token in doc:
        own = inside[token.i]
        parts[:, own] |= _kinds(token)[:, None]
        head = inside[_head(token).i]
        if len(head):
            heads[own] = head[0]
    parts[PARTS.index("verb")] &= content  # not "is" and "has"
    return parts, heads


def _kinds(token: "Token") -> NDArray[np.bool_]:
    return np.array(
        [
            token.tag_ == "CD" or any(map(str.isdigit, token.text)),
            token.tag_ in ("NNP", "NNPS"),
            token.dep_ in _OBJECTS,
            token.tag_[:2] in ("JJ", "RB"),
            "subj" in token.dep_,
            token.tag_[:2] == "VB",
        ]
    )


def _head(token: "Token") -> "Token":
    """The word it belongs to, past prepositions and particles."""
    head = token.head
    while head.tag_ in _JOINTS and head.head.i != head.i:
        head = head.head
    return head
