"""Choose the sentences of a text that a sentence is read against."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

SENTENCES = 16
"""Maximum sentences of a text that a sentence is read against."""

PIECES = 512
"""Maximum word pieces of these sentences."""


def fits(pieces: Sequence[int]) -> bool:
    """Whether a text, given by the pieces of each sentence, is read as a whole."""
    return len(pieces) <= SENTENCES and sum(pieces) <= PIECES


def nearest(similarities: NDArray[np.float32], pieces: Sequence[int]) -> list[int]:
    """Return the indices of the most similar sentences within both limits, best first.

    Args:
        similarities: Of the sentence with each sentence of the text.
        pieces: The number of word pieces of each sentence of the text.

    Example:
        >>> nearest(np.array([0.1, 0.9, 0.4], dtype=np.float32), [300, 300, 200])
        [1, 2]
    """
    chosen: list[int] = []
    room = PIECES
    # Rounded, since the last digits depend on the machine.
    for index in np.argsort(-np.round(similarities, 5), kind="stable")[:SENTENCES]:
        if pieces[index] <= room or not chosen:
            chosen.append(int(index))
            room -= pieces[index]
    return chosen
