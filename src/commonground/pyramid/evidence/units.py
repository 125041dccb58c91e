"""Units prepared for evidence: what each of their words does in the unit."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from commonground.reading import Parsed

if TYPE_CHECKING:
    from spacy.tokens import Token

PARTS = ("number", "name", "object", "qualifier", "subject", "verb")

_OBJECTS = frozenset(("dobj", "pobj", "attr", "oprd", "acomp", "dative"))
_JOINTS = frozenset(("IN", "TO", "RP"))  # a word attached to one of these belongs to its head


@dataclass(frozen=True, slots=True, eq=False)
class ReadUnit:
    """A unit ready for comparison.

    Attributes:
        parsed: The unit as a sentence.
        content: Whether a word is not a stop word.
        parts: `PARTS` x words: whether a word is one.
        heads: For each word the index of its head; its own for the root.
    """

    parsed: Parsed
    content: NDArray[np.bool_]
    parts: NDArray[np.bool_]
    heads: NDArray[np.int64]

    @classmethod
    def of(cls, parsed: Parsed) -> "ReadUnit":
        """Find what the words do; the parser may split them differently."""
        from spacy.lang.en.stop_words import STOP_WORDS  # spaCy is slow to import

        words = parsed.words
        lowered = [parsed.text[start:end].lower() for start, end in words.spans]
        content = np.array([word not in STOP_WORDS for word in lowered], dtype=bool)
        parts = np.zeros((len(PARTS), len(words.stems)), dtype=bool)
        heads = np.arange(len(words.stems))
        starts, ends = words.spans.T
        inside = []
        for token in parsed.doc:
            start = parsed.offsets[token.idx]
            inside.append(np.flatnonzero((starts < start + len(token)) & (ends > start)))
        for token in parsed.doc:
            own = inside[token.i]
            parts[:, own] |= _parts(token)[:, None]
            head = inside[_head(token).i]
            if len(head):
                heads[own] = head[0]
        parts[PARTS.index("verb")] &= content  # not "is" and "has"
        return cls(parsed, content, parts, heads)


def _parts(token: "Token") -> NDArray[np.bool_]:
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
    """Return the head of a word, past prepositions and particles."""
    head = token.head
    while head.tag_ in _JOINTS and head.head.i != head.i:
        head = head.head
    return head
