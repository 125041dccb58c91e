"""The protocols of encoders, which the rest of the project relies on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class TokenVectors:
    """The contextual vectors of one text's tokens, without special tokens.

    `vectors` has a unit row for each token, `offsets` its start and end in the text. `whole` is
    the vector of the text, as from `encode`.
    """

    tokens: tuple[str, ...]
    offsets: NDArray[np.int64]
    vectors: Vectors
    whole: Vectors


@runtime_checkable
class Encoder(Protocol):
    """Turns texts into unit vectors whose dot product is their similarity."""

    @property
    def name(self) -> str:
        """The name for `load`."""
        ...

    @property
    def fingerprint(self) -> str:
        """The sha256 of the weights; signatures show its first eight digits."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return a unit row for each text; a row of zeros for a text without content."""
        ...


@runtime_checkable
class TokenEncoder(Encoder, Protocol):
    """An encoder that also has a vector for each token in its context."""

    def tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Return the token vectors of each text, up to the model's longest input."""
        ...


def shown(encoder: Encoder) -> str:
    """Return an encoder's name in signatures: `minilm@8199be6f`, on a GPU `minilm@8199be6f+cuda`.

    The vectors of a GPU differ from those of the CPU in the last digits.
    """
    device = str(getattr(encoder, "device", "cpu")).partition(":")[0]
    suffix = "" if device == "cpu" else f"+{device}"
    return f"{encoder.name}@{encoder.fingerprint[:8]}{suffix}"
