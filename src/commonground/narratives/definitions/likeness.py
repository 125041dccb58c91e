"""Which phrases an encoder holds to be alike."""

from collections.abc import Iterable, Sequence

import numpy as np

from commonground import encoders

ALIKE = 0.85
"""From this cosine on two nouns, verbs or phrases count as the same.

With `minilm` "lawyer" and "attorney" (.89), "buy" and "purchase" (.87), "car" and "vehicle" (.87)
pass; "buyer" and "seller" (.83), "win" and "lose" (.69), "mayor" and "governor" (.65) do not.
"""

_MOST_ALIKE = 1.0  # above this cosine nothing is, and no encoder is needed
_BLOCK = 2_000  # rows compared at once


class Likeness:
    """Pairs of phrases that are alike; the encoder is loaded when phrases differ at all.

    Args:
        phrases: All that will be asked about.
        encoder: The name of an encoder.
        threshold: The least cosine; above 1 nothing is alike but the same words.
    """

    def __init__(self, phrases: Iterable[str], encoder: str, threshold: float) -> None:
        distinct = sorted({phrase.lower() for phrase in phrases})
        self._near: dict[str, dict[str, float]] = {phrase: {} for phrase in distinct}
        if len(distinct) < 2 or threshold > _MOST_ALIKE:
            return
        vectors = encoders.load(encoder).encode(distinct)
        for start in range(0, len(distinct), _BLOCK):
            # Rounded, since a matrix product may differ in the last digits with its size.
            cosines = np.round((vectors[start : start + _BLOCK] @ vectors.T).astype(float), 4)
            for row, column in zip(*np.nonzero(cosines >= threshold), strict=True):
                if start + row != column:
                    near = self._near[distinct[start + int(row)]]
                    near[distinct[int(column)]] = float(cosines[row, column])

    def of(self, one: str, other: str) -> float:
        """The cosine of two phrases, 1 for equal ones, 0 below the threshold."""
        first, second = one.lower(), other.lower()
        return 1.0 if first == second else self._near[first].get(second, 0.0)

    def near(self, phrase: str) -> Sequence[str]:
        """The phrases, in lower case, that this one is like, itself included."""
        return [phrase.lower(), *self._near[phrase.lower()]]


def encoder_field(encoder: str, threshold: float) -> str:
    """The encoder as signatures have it; none where no likeness is asked for."""
    if threshold > _MOST_ALIKE:
        return "none"
    return encoders.shown(encoders.load(encoder))
