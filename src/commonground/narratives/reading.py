"""Narratives read: their sentences with vectors, and those that are looked at closely."""

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
    """The sentences of one narrative: all of them with vectors, some read closely.

    Attributes:
        sentences: All sentences, in order, as they are read: markup in them is blank.
        vectors: A unit row for each.
        close: The places of those that were read closely, in order.
        text: These, with the vectors of their words.
    """

    sentences: tuple[Sentence, ...]
    vectors: Floats
    close: Ints
    text: ReadText


class Readings:
    """The narratives of one event, read.

    Args:
        texts: The narratives.
        evidence: What gives sentences and words their vectors.
        stages: Reports progress.
    """

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
        """Whether all narratives are told by a group, as policies of firms are."""
        return all(
            any(speaks_as_group(one.text) for one in some.sentences) for some in self.narratives
        )

    def others(self, narrative: int) -> list[int]:
        """The other narratives."""
        return [place for place in range(len(self)) if place != narrative]

    def nearest(self, narrative: int) -> Floats:
        """The cosine of each sentence, closely read or not, to the nearest one elsewhere."""
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
    """The sentences without markup, which has become blanks: offsets are those of the text."""
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
    """The sentences to read closely: those nearest to any sentence of another narrative."""
    own = vectors[place]
    if len(own) <= CLOSELY:
        return np.arange(len(own))
    nearest = _nearest(own, [other for number, other in enumerate(vectors) if number != place])
    nearest[:_LEAD] = 2.0
    # Rounded, and the earlier first among equals, so that the last digits decide nothing.
    order = np.lexsort((np.arange(len(own)), -np.round(nearest, 5)))
    return np.sort(order[:CLOSELY])


def _nearest(own: Floats, others: Sequence[Floats]) -> Floats:
    """For each row of the one, the cosine to the nearest row of any of the others."""
    found = np.full(len(own), -1.0, dtype=np.float32)
    for other in others:
        for first in range(0, len(own) if len(other) else 0, _ROWS):
            some = slice(first, first + _ROWS)
            found[some] = np.maximum(found[some], (own[some] @ other.T).max(axis=1))
    return found
