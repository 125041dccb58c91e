"""A source for conflict rules: read as a whole or, if long, near the claims."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from commonground.narratives.conflicts.find import Facts
from commonground.narratives.conflicts.sentence import Read
from commonground.narratives.reading import CLOSELY, sentences_of
from commonground.pyramid.evidence import Evidence
from commonground.text import Sentence

Floats = NDArray[np.float32]


class Reading:
    """Sentences of a narrative with word vectors; markup in them is blank."""

    def __init__(self, sentences: Sequence[Sentence], evidence: Evidence) -> None:
        self.sentences = sentences
        self.text = evidence.read_text([sentence.text for sentence in sentences])

    @cached_property
    def facts(self) -> Facts:
        """The facts that can conflict with another text."""
        return Facts.of(Read.of(self.sentences, self.text))


class Source:
    """A narrative; up to 150 sentences are read once for all summaries."""

    def __init__(self, text: str, evidence: Evidence) -> None:
        self._evidence = evidence
        self._sentences = tuple(sentences_of(text))

    def near(self, claims: Floats) -> Reading:
        """Read the sentences nearest to the claims (unit rows), or all of a short narrative."""
        if len(self._sentences) <= CLOSELY:
            return self._whole
        chosen = nearest(claims @ self._vectors.T, CLOSELY)
        return Reading([self._sentences[index] for index in chosen], self._evidence)

    @cached_property
    def _whole(self) -> Reading:
        return Reading(self._sentences, self._evidence)

    @cached_property
    def _vectors(self) -> Floats:
        return self._evidence.encoder.encode([sentence.text for sentence in self._sentences])


def nearest(cosines: Floats, count: int) -> list[int]:
    """Return `count` columns: the best of every row, then the second best, and so on.

    A claim with a single matching sentence thus keeps it beside a claim with many.

    Example:
        >>> nearest(np.array([[0.9, 0.8, 0.7, 0.1], [0.0, 0.0, 0.0, 0.2]], dtype=np.float32), 2)
        [0, 3]
    """
    rows, columns = cosines.shape
    # Rounded and stable, so that the last digits have no effect.
    order = np.argsort(-np.round(cosines, 5), axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.broadcast_to(np.arange(columns), order.shape), axis=1)
    best = ranks.min(axis=0) if rows else np.arange(columns)
    return sorted(np.argsort(best, kind="stable")[:count].tolist())
