"""Sentences of narratives with vectors, and word vectors of the most relevant ones."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from commonground.narratives.conflicts.details import Details
from commonground.narratives.narrator import speaks_as_group
from commonground.narratives.progress import Stages
from commonground.pyramid.evidence import Evidence, ReadText
from commonground.text import Sentence, split, unmarked

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

# Sentences of a narrative that are compared word by word. The rest of a long one is compared by
# its vectors alone, so that time grows with the sentences and not with their square.
CLOSELY = 150
_ROWS = 2048  # of cosines at once: tens of thousands of short sentences would fill the memory
_LEAD = 10  # how a narrative begins is always read closely

# What runs on for longer has lost its full stops, as transcripts have; it is read in pieces.
_LONGEST_SENTENCE = 150  # words
_PIECE = 40
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True, eq=False)
class Narrated:
    """The sentences of one narrative, all with vectors, some with word vectors.

    Attributes:
        sentences: All sentences, in order; markup in them is blank.
        vectors: A unit row for each sentence.
        close: The indices of the sentences with word vectors, in order.
        text: These sentences with the vectors of their words.
    """

    sentences: tuple[Sentence, ...]
    vectors: Floats
    close: Ints
    text: ReadText


class Readings:
    """The narratives of one event, with the vectors of their sentences and words."""

    def __init__(
        self, texts: Sequence[str], evidence: Evidence, stages: Stages | None = None
    ) -> None:
        self.encoder = evidence.encoder
        self.narratives = _read(texts, evidence, stages or Stages())

    def __len__(self) -> int:
        return len(self.narratives)

    @cached_property
    def details(self) -> list[Details]:
        """The numbers and dates of each narrative."""
        return [Details.of([one.text for one in some.sentences]) for some in self.narratives]

    @cached_property
    def all_say_we(self) -> bool:
        """Whether all narratives speak as a group, such as privacy policies."""
        return all(
            any(speaks_as_group(one.text) for one in some.sentences) for some in self.narratives
        )

    def others(self, narrative: int) -> list[int]:
        """Return the indices of the other narratives."""
        return [index for index in range(len(self)) if index != narrative]

    def nearest(self, narrative: int) -> Floats:
        """Return the cosine of each sentence to the nearest one of another narrative."""
        own = self.narratives[narrative].vectors
        return _nearest(own, [self.narratives[other].vectors for other in self.others(narrative)])


def _read(texts: Sequence[str], evidence: Evidence, stages: Stages) -> list[Narrated]:
    stages.report("read", "Finding the sentences")
    found = [tuple(sentences_of(text)) for text in texts]
    count, steps = len(found), 2 * len(found)
    read: dict[int, ReadText] = {}
    vectors: list[Floats] = []
    for narrative, sentences in enumerate(found):
        message = f"Reading narrative {narrative + 1} of {count}"
        stages.report("read", message, narrative, steps)
        if len(sentences) <= CLOSELY:
            read[narrative] = evidence.read_text([sentence.text for sentence in sentences])
            vectors.append(read[narrative].vectors)
        else:
            vectors.append(evidence.encoder.encode([sentence.text for sentence in sentences]))
    narratives = []
    for narrative, sentences in enumerate(found):
        close = _close(narrative, vectors)
        if narrative not in read:
            message = f"Reading closely in narrative {narrative + 1} of {count}"
            stages.report("read", message, count + narrative, steps)
            read[narrative] = evidence.read_text([sentences[index].text for index in close])
        narratives.append(Narrated(sentences, vectors[narrative], close, read.pop(narrative)))
    return narratives


def sentences_of(text: str) -> Iterator[Sentence]:
    """Yield the sentences with blanks for markup; very long ones are cut into pieces."""
    for sentence in split(unmarked(text)):
        words = [match.span() for match in _WORD.finditer(sentence.text)]
        if len(words) <= _LONGEST_SENTENCE:
            yield sentence
            continue
        for first in range(0, len(words), _PIECE):
            start, end = words[first][0], words[min(first + _PIECE, len(words)) - 1][1]
            piece = sentence.text[start:end]
            yield Sentence(piece, sentence.start + start, sentence.start + end)


def _close(place: int, vectors: Sequence[Floats]) -> Ints:
    """Return the sentences nearest to any sentence of another narrative."""
    own = vectors[place]
    if len(own) <= CLOSELY:
        return np.arange(len(own))
    nearest = _nearest(own, [other for number, other in enumerate(vectors) if number != place])
    nearest[:_LEAD] = 2.0
    # Rounded, with ties in text order, so that the last digits have no effect.
    order = np.lexsort((np.arange(len(own)), -np.round(nearest, 5)))
    return np.sort(order[:CLOSELY])


def _nearest(own: Floats, others: Sequence[Floats]) -> Floats:
    """Return, for each row, the cosine to the nearest row of the others."""
    found = np.full(len(own), -1.0, dtype=np.float32)
    for other in others:
        for first in range(0, len(own) if len(other) else 0, _ROWS):
            block = slice(first, first + _ROWS)
            found[block] = np.maximum(found[block], (own[block] @ other.T).max(axis=1))
    return found
