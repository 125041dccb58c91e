"""Which sentences of a text a sentence is read against."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

SENTENCES = 16
"""A sentence is read against at most this many sentences of a text."""

PIECES = 512
"""And against at most this many word pieces."""


def fits(pieces: Sequence[int]) -> bool:
    """Whether a text is so short that all of it is read; `pieces` counts those of each sentence."""
    return len(pieces) <= SENTENCES and sum(pieces) <= PIECES


def nearest(similarities: NDArray[np.float32], pieces: Sequence[int]) -> list[int]:
    """Return the sentences that are read, best first, within both limits.

    Args:
        similarities: Of the sentence with each sentence of the text.
        pieces: The number of word pieces of each sentence of the text.

    Example:
        >>> nearest(np.array([0.1, 0.9, 0.4], dtype=np.float32), [300, 300, 200])
        [1, 2]
    """
    chosen: list[int] = []
    room = PIECES
    # Rounded, so that the last digits, which depend on the machine, choose nothing.
    for place in np.argsort(-np.round(similarities, 5), kind="stable")[:SENTENCES]:
        if pieces[place] <= room or not chosen:
            chosen.append(int(place))
            room -= pieces[place]
    return chosen
