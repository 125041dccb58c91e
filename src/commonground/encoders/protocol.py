"""What an encoder is: the one small protocol that everything above relies on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class TokenVectors:
    """The contextual vectors of one text's tokens.

    `vectors` has a unit row for each token, `offsets` its start and end in the text.
    Markers that the model adds at the ends are left out. `whole` is the vector of the text, as
    `encode` gives it.
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
        """The name that `load` knows."""
        ...

    @property
    def fingerprint(self) -> str:
        """The sha256 of the weights; its first eight digits stand in signatures."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One unit row for each text; a text without content has a row of zeros."""
        ...


@runtime_checkable
class TokenEncoder(Encoder, Protocol):
    """An encoder that also has a vector for each token in its context."""

    def tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """The token vectors of each text, up to the model's longest input."""
        ...


def shown(encoder: Encoder) -> str:
    """An encoder as signatures have it: `minilm@8199be6f`, on a GPU `minilm@8199be6f+cuda`.

    A GPU's vectors differ from the CPU's in the last digits, so scores of both are not mixed.
    Which of several GPUs it is makes no difference.
    """
    device = str(getattr(encoder, "device", "cpu")).partition(":")[0]
    place = "" if device == "cpu" else f"+{device}"
    return f"{encoder.name}@{encoder.fingerprint[:8]}{place}"
