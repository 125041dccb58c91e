"""`minilm-fp32`: BERT in numpy, for full precision without torch."""

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

import numpy as np
from safetensors.numpy import load_file
from scipy.special import erf, softmax

from commonground.encoders.base import Options, one_blas_thread
from commonground.encoders.bert import EPSILON, HEADS, Ids, WeightedBert
from commonground.encoders.protocol import TokenVectors, Vectors


class NumpyBert(WeightedBert):
    """`minilm-fp32`: the upstream weights in full precision, run by numpy."""

    def __init__(self, name: str, fingerprint: str, path: Path, **options: Unpack[Options]) -> None:
        super().__init__(name, fingerprint, load_file(path), **options)

    def _encode_unique(self, texts: list[str]) -> Vectors:
        with one_blas_thread():
            return super()._encode_unique(texts)

    def tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Return the contextual vectors of each text's word pieces."""
        with one_blas_thread():
            return super().tokens(texts)

    def _hidden(self, ids: Ids) -> Vectors:
        hidden: Vectors = self._states(ids)
        return hidden

    def _attention(self, query: Vectors, key: Vectors, value: Vectors) -> Vectors:
        query, key, value = (
            part.reshape(*part.shape[:2], HEADS, -1).transpose(0, 2, 1, 3)
            for part in (query, key, value)
        )
        scale = np.float32(np.sqrt(query.shape[-1]))
        shares = softmax(query @ key.transpose(0, 1, 3, 2) / scale, axis=-1)
        mixed: Vectors = (shares @ value).transpose(0, 2, 1, 3)
        return mixed.reshape(*mixed.shape[:2], -1)

    def _linear(self, hidden: Vectors, weight: Vectors, bias: Vectors) -> Vectors:
        product: Vectors = hidden @ weight.T + bias
        return product

    def _gelu(self, hidden: Vectors) -> Vectors:
        activated: Vectors = hidden * np.float32(0.5) * (1 + erf(hidden / np.float32(np.sqrt(2))))
        return activated

    def _layer_norm(self, hidden: Vectors, weight: Vectors, bias: Vectors) -> Vectors:
        centred = hidden - hidden.mean(axis=-1, keepdims=True)
        variance = np.square(centred).mean(axis=-1, keepdims=True)
        normed: Vectors = centred / np.sqrt(variance + np.float32(EPSILON)) * weight + bias
        return normed
