"""A narrative that summaries are checked against: read whole, or, a long one, where they point."""

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
    """Sentences of a narrative, read closely.

    Args:
        sentences: The sentences, in order; markup in them is blank.
        evidence: What reads them.

    Attributes:
        sentences: As given.
        text: The same, as what may state something.
    """

    def __init__(self, sentences: Sequence[Sentence], evidence: Evidence) -> None:
        self.sentences = sentences
        self.text = evidence.read_text([sentence.text for sentence in sentences])

    @cached_property
    def facts(self) -> Facts:
        """What they tell that another text may tell otherwise."""
        return Facts.of(Read.of(self.sentences, self.text))


class Source:
    """A narrative; one of up to 150 sentences is read once for all summaries.

    Args:
        text: The narrative.
        evidence: What reads it.
    """

    def __init__(self, text: str, evidence: Evidence) -> None:
        self._evidence = evidence
        self._sentences = tuple(sentences_of(text))
        self.long = len(self._sentences) > CLOSELY

    def near(self, claims: Floats) -> Reading:
        """The sentences that may state one of these claims: all, or the nearest.

        Args:
            claims: A unit row for each; needed for a long narrative only.
        """
        if not self.long:
            return self._whole
        chosen = nearest(claims @ self._vectors.T, CLOSELY)
        return Reading([self._sentences[place] for place in chosen], self._evidence)

    @cached_property
    def _whole(self) -> Reading:
        return Reading(self._sentences, self._evidence)

    @cached_property
    def _vectors(self) -> Floats:
        return self._evidence.encoder.encode([sentence.text for sentence in self._sentences])


def nearest(cosines: Floats, count: int) -> list[int]:
    """So many columns, in order: the best of every row, then the second best of every row, ...

    So a claim that only one sentence states keeps that sentence beside a claim that many state.

    Example:
        >>> nearest(np.array([[0.9, 0.8, 0.7, 0.1], [0.0, 0.0, 0.0, 0.2]], dtype=np.float32), 2)
        [0, 3]
    """
    rows, columns = cosines.shape
    # Rounded, and the earlier first among equals, so that the last digits decide nothing.
    order = np.argsort(-np.round(cosines, 5), axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.broadcast_to(np.arange(columns), order.shape), axis=1)
    best = ranks.min(axis=0) if rows else np.arange(columns)
    return sorted(np.argsort(best, kind="stable")[:count].tolist())
