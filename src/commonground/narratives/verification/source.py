"""A source for conflict rules: read as a whole or, if long, near the claims."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from commonground.encoders import TokenEncoder
from commonground.narratives.conflicts.find import Facts
from commonground.narratives.reading import CLOSELY, sentences_of
from commonground.reading import read
from commonground.text import Sentence

Floats = NDArray[np.float32]


class Source:
    """A narrative; up to 150 sentences are read once for all summaries."""

    def __init__(self, text: str, encoder: TokenEncoder) -> None:
        self._encoder = encoder
        self._sentences = tuple(sentences_of(text))

    def near(self, claims: Floats) -> Facts:
        """Return the facts nearest to the claims (unit rows), or all of a short narrative."""
        if len(self._sentences) <= CLOSELY:
            return self._whole
        chosen = nearest(claims @ self._vectors.T, CLOSELY)
        return self._facts([self._sentences[index] for index in chosen])

    @cached_property
    def _whole(self) -> Facts:
        return self._facts(self._sentences)

    @cached_property
    def _vectors(self) -> Floats:
        return self._encoder.encode([sentence.text for sentence in self._sentences])

    def _facts(self, sentences: Sequence[Sentence]) -> Facts:
        return Facts.of(read(sentences, self._encoder, entities=True))


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
