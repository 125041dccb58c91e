"""A sentence as conflicts see it: the parse beside the word vectors, and similarity of words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from commonground.narratives.conflicts.opposites import VERBS, opposite
from commonground.narratives.conflicts.same_verbs import same_verb
from commonground.narratives.word_lists import list_lines, word_list
from commonground.pyramid.evidence import ReadText, Words
from commonground.text import Sentence, parse, places

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_GROUPS = {
    word: number for number, line in enumerate(list_lines("same_matter")) for word in line.split()
}
_PEOPLE = frozenset(("people", "person"))
_KINDS_OF_PEOPLE = word_list("people")
ALIKE = 0.6
"""From this cosine on, two words in their contexts may mean the same: "bought" and "acquired"."""


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """Sentences of a narrative, all or the closely read ones; fields belong together by place.

    Attributes:
        sentences: As `split` gives them.
        docs: As `parse(..., entities=True)` gives them for their texts.
        text: As `Evidence.read_text` gives it for their texts.
    """

    sentences: tuple[Sentence, ...]
    docs: tuple["Doc", ...]
    text: ReadText

    @classmethod
    def of(cls, sentences: Sequence[Sentence], text: ReadText) -> "Read":
        """Parse sentences that have been read otherwise."""
        docs = parse([sentence.text for sentence in sentences], entities=True)
        return cls(tuple(sentences), tuple(docs), text)


@dataclass(frozen=True, slots=True, eq=False)
class Parsed:
    """One sentence: its parse, its words, and for each token the row of its word or -1."""

    sentence: Sentence
    doc: "Doc"
    words: Words
    rows: NDArray[np.int64]
    places: Sequence[int]

    @classmethod
    def of(cls, read: Read, number: int) -> "Parsed":
        """The sentence with this number."""
        sentence, doc, words = read.sentences[number], read.docs[number], read.text.words[number]
        found = places(sentence.text)
        ends = words.spans[:, 1]
        rows = np.full(len(doc), -1, dtype=np.int64)
        for token in doc:
            place = found[token.idx]
            row = int(np.searchsorted(ends, place, side="right"))
            if row < len(ends) and words.spans[row, 0] <= place:
                rows[token.i] = row
        return cls(sentence, doc, words, rows, found)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where characters of the parse are in the narrative."""
        base = self.sentence.start
        return base + self.places[start], base + self.places[end - 1] + 1


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Two sentences of different narratives.

    `closeness` is the cosine of their vectors where each is the nearest of the other, else 0;
    `topics` are the stems of words that both narratives have in more than one sentence.
    """

    one: Parsed
    other: Parsed
    closeness: float = 0.0
    topics: frozenset[str] = frozenset()

    def tokens(self, one: "Token", other: "Token") -> float:
        """How alike a token of the first is to one of the second: 1, or the cosine in context."""
        first, second = one.lemma_.lower(), other.lemma_.lower()
        if same_verb(first, second) or (first in _GROUPS and _GROUPS[first] == _GROUPS.get(second)):
            return 1.0
        if {first, second} & _PEOPLE and {first, second} & _KINDS_OF_PEOPLE:
            return ALIKE
        row, column = self.one.rows[one.i], self.other.rows[other.i]
        if row < 0 or column < 0:
            return 0.0
        ours, theirs = self.one.words, self.other.words
        if ours.stems[row] == theirs.stems[column]:
            return 1.0
        return float(ours.vectors[row] @ theirs.vectors[column])

    def contrary(self, one: "Token", other: "Token") -> bool:
        """Whether two words tell of different matters, however alike: "killed", "injured"."""
        first, second = one.lemma_.lower(), other.lemma_.lower()
        if opposite(VERBS, first, second):
            return True
        return first in _GROUPS and second in _GROUPS and _GROUPS[first] != _GROUPS[second]
