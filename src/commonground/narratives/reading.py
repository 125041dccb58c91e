"""The narratives of one event as documents; long ones are read closely only in part."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from commonground.encoders import TokenEncoder
from commonground.narratives.texts import Text, given_sentences, speaks_as_group
from commonground.reading import Document, read
from commonground.text import Sentence, split, unmarked
from commonground.wording import Tree

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

# Sentences of a narrative that are compared word by word. The others are compared by their vectors
# alone, so that time grows with the number of sentences, not with its square.
CLOSELY = 150
_LEAD = 10  # first sentences, which are always read closely
_ROWS = 2048  # rows of cosines computed at once, to limit memory

# A longer sentence has lost its full stops, as in transcripts; it is read in pieces.
_LONGEST_SENTENCE = 150  # words
_PIECE = 40
_WORD = re.compile(r"\S+")


Progress: TypeAlias = Callable[[float, str], None]
"""A callback with the completed share, from 0 to 1, and the next step in words."""

Stage = Literal["read", "facts", "conflicts", "compare", "choose", "unique"]

_SHARES: dict[Stage, float] = {
    "read": 0.22,
    "facts": 0.06,
    "conflicts": 0.02,
    "compare": 0.4,
    "choose": 0.28,
    "unique": 0.02,
}
_STARTS = dict(zip(_SHARES, accumulate(_SHARES.values(), initial=0.0), strict=False))


class Stages:
    """Reports the stages of one comparison; does nothing without a callback."""

    def __init__(self, callback: Progress | None = None) -> None:
        self._callback = callback

    def report(self, stage: Stage, message: str, step: int = 0, steps: int = 1) -> None:
        """Report that a step of a stage, counted from 0, begins."""
        if self._callback:
            self._callback(_STARTS[stage] + _SHARES[stage] * step / steps, message)

    def finish(self) -> None:
        """Report the end."""
        if self._callback:
            self._callback(1.0, "Done")


class Readings:
    """The narratives of one event, each read into a document."""

    def __init__(
        self, texts: Sequence[Text], encoder: TokenEncoder, stages: Stages | None = None
    ) -> None:
        self.narratives = _read(texts, encoder, stages or Stages())

    def __len__(self) -> int:
        return len(self.narratives)

    @cached_property
    def trees(self) -> list[list[Tree]]:
        """For each narrative the trees of its closely read sentences."""
        return [
            [Tree.of(parsed.doc, parsed.text) for parsed in document.parsed]
            for document in self.narratives
        ]

    @cached_property
    def all_say_we(self) -> bool:
        """Whether all narratives speak as a group, such as privacy policies."""
        return all(any(map(speaks_as_group, document.texts)) for document in self.narratives)

    def others(self, narrative: int) -> list[int]:
        """Return the indices of the other narratives."""
        return [index for index in range(len(self)) if index != narrative]

    def nearest(self, narrative: int) -> Floats:
        """Return the cosine of each sentence to the nearest one of another narrative."""
        own = self.narratives[narrative].vectors
        return _nearest(own, [self.narratives[other].vectors for other in self.others(narrative)])


def _read(texts: Sequence[Text], encoder: TokenEncoder, stages: Stages) -> list[Document]:
    stages.report("read", "Finding the sentences")
    sentences = [tuple(sentences_of(text)) for text in texts]
    count = len(sentences)
    long = any(len(own) > CLOSELY for own in sentences)
    steps = 2 * count if long else count
    vectors: list[Floats] = []
    for narrative, own in enumerate(sentences if long else ()):
        stages.report("read", f"Reading narrative {narrative + 1} of {count}", narrative, steps)
        vectors.append(encoder.encode([sentence.text for sentence in own]))
    documents = []
    for narrative, own in enumerate(sentences):
        message = f"Reading {'closely in ' if long else ''}narrative {narrative + 1} of {count}"
        stages.report("read", message, steps - count + narrative, steps)
        documents.append(
            read(
                own,
                encoder,
                vectors=vectors[narrative] if long else None,
                close=_close(narrative, vectors) if long else None,
                entities=True,
            )
        )
    return documents


def sentences_of(text: Text) -> Iterator[Sentence]:
    """Yield the sentences with blanks for markup; very long ones are cut unless they are given."""
    if not isinstance(text, str):
        yield from given_sentences([unmarked(sentence) for sentence in text])
        return
    for sentence in split(unmarked(text)):
        words = [match.span() for match in _WORD.finditer(sentence.text)]
        if len(words) <= _LONGEST_SENTENCE:
            yield sentence
            continue
        for first in range(0, len(words), _PIECE):
            start, end = words[first][0], words[min(first + _PIECE, len(words)) - 1][1]
            piece = sentence.text[start:end]
            yield Sentence(piece, sentence.start + start, sentence.start + end)


def _close(narrative: int, vectors: Sequence[Floats]) -> Ints:
    """Return the sentences nearest to any sentence of another narrative."""
    own = vectors[narrative]
    if len(own) <= CLOSELY:
        return np.arange(len(own))
    nearest = _nearest(own, [other for index, other in enumerate(vectors) if index != narrative])
    nearest[:_LEAD] = 2.0
    # Rounded, with ties in text order, so that the last digits have no effect.
    order = np.lexsort((np.arange(len(own)), -np.round(nearest, 5)))
    return np.sort(order[:CLOSELY])


def _nearest(own: Floats, others: Sequence[Floats]) -> Floats:
    """Return, for each row, the cosine to the nearest row of the others."""
    best = np.full(len(own), -1.0, dtype=np.float32)
    for other in others:
        for first in range(0, len(own) if len(other) else 0, _ROWS):
            block = slice(first, first + _ROWS)
            best[block] = np.maximum(best[block], (own[block] @ other.T).max(axis=1))
    return best
