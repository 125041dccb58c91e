"""`static`: each token has one vector whatever its context, and a text has their mean."""

from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from commonground.encoders._base import BaseEncoder
from commonground.encoders._protocol import Vectors

_TOKENS_AT_ONCE = 100_000  # bounds the memory of a very long text


class StaticEncoder(BaseEncoder):
    """Static token vectors, read from the carrier's files without its code.

    Encoding is faster than looking vectors up on disk, so there is no cache.
    """

    cached = False

    def __init__(
        self,
        name: str,
        fingerprint: str,
        weights: Path,
        tokenizer: Path,
        *,
        cache: bool = True,
        threads: int | None = None,
    ) -> None:
        (table,) = load_file(weights).values()
        super().__init__(name, fingerprint, table.shape[1], cache=cache, threads=threads)
        self._table: Vectors = table.astype(np.float32)
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def _encode_unique(self, texts: list[str]) -> Vectors:
        encodings = self._tokenizer.encode_batch(texts, add_special_tokens=False)
        return np.array([self._mean(encoding.ids) for encoding in encodings], dtype=np.float32)

    def _mean(self, ids: list[int]) -> Vectors:
        total = np.zeros(self._dimension, dtype=np.float32)
        for start in range(0, len(ids), _TOKENS_AT_ONCE):
            total += self._table[ids[start : start + _TOKENS_AT_ONCE]].sum(axis=0)
        return total / np.float32(max(len(ids), 1))
