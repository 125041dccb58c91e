"""Phrases that an encoder finds similar."""

from collections.abc import Iterable, Sequence

import numpy as np

from commonground import encoders

ALIKE = 0.85
"""Minimum cosine for two nouns, verbs or phrases to match.

With `minilm` "lawyer" and "attorney" (.89), "buy" and "purchase" (.87), "car" and "vehicle" (.87)
pass; "buyer" and "seller" (.83), "win" and "lose" (.69), "mayor" and "governor" (.65) do not.
"""

_MAX_COSINE = 1.0  # a threshold above it needs no encoder
_BLOCK = 2_000  # rows per matrix product


class Likeness:
    """Pairs of similar phrases; the encoder is loaded only if phrases differ.

    Args:
        phrases: All phrases to compare.
        encoder: Name of an encoder.
        threshold: Minimum cosine; above 1, only equal phrases match.
    """

    def __init__(self, phrases: Iterable[str], encoder: str, threshold: float) -> None:
        distinct = sorted({phrase.lower() for phrase in phrases})
        self._near: dict[str, dict[str, float]] = {phrase: {} for phrase in distinct}
        if len(distinct) < 2 or threshold > _MAX_COSINE:
            return
        vectors = encoders.load(encoder).encode(distinct)
        for start in range(0, len(distinct), _BLOCK):
            # Rounded: the last digits of a matrix product depend on its size.
            cosines = np.round((vectors[start : start + _BLOCK] @ vectors.T).astype(float), 4)
            for row, column in zip(*np.nonzero(cosines >= threshold), strict=True):
                if start + row != column:
                    near = self._near[distinct[start + int(row)]]
                    near[distinct[int(column)]] = float(cosines[row, column])

    def of(self, one: str, other: str) -> float:
        """Return the cosine of two phrases: 1 if equal, 0 below the threshold."""
        first, second = one.lower(), other.lower()
        return 1.0 if first == second else self._near[first].get(second, 0.0)

    def near(self, phrase: str) -> Sequence[str]:
        """Return the similar phrases in lower case, including the phrase itself."""
        return [phrase.lower(), *self._near[phrase.lower()]]


def encoder_field(encoder: str, threshold: float) -> str:
    """Return the encoder for a signature; "none" if it is not used."""
    return "none" if threshold > _MAX_COSINE else encoders.shown(encoders.load(encoder))
