"""`minilm-fp32`: BERT in numpy, for full precision without torch."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from scipy.special import erf, softmax

from commonground.encoders.base import one_blas_thread
from commonground.encoders.bert import BertEncoder, Ids
from commonground.encoders.protocol import TokenVectors, Vectors


class NumpyBert(BertEncoder):
    """`minilm-fp32`: the upstream weights in full precision, run by numpy."""

    _HEADS = 12
    _EPSILON = np.float32(1e-12)

    def __init__(
        self,
        name: str,
        fingerprint: str,
        path: Path,
        *,
        cache: bool = True,
        threads: int | None = None,
    ) -> None:
        super().__init__(name, fingerprint, cache=cache, threads=threads)
        self._weights: Mapping[str, Vectors] = load_file(path)
        self._layers = 1 + max(
            int(key.split(".")[2]) for key in self._weights if key.startswith("encoder.layer.")
        )

    def _encode_unique(self, texts: list[str]) -> Vectors:
        with one_blas_thread():
            return super()._encode_unique(texts)

    def tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """The contextual vectors of each text's word pieces."""
        with one_blas_thread():
            return super().tokens(texts)

    def _hidden(self, ids: Ids) -> Vectors:
        weights = self._weights
        hidden = (
            weights["embeddings.word_embeddings.weight"][ids]
            + weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        hidden = self._normed(hidden, "embeddings")
        for number in range(self._layers):
            layer = f"encoder.layer.{number}"
            attended = self._linear(self._attention(hidden, layer), f"{layer}.attention.output")
            hidden = self._normed(hidden + attended, f"{layer}.attention.output")
            wide = self._linear(hidden, f"{layer}.intermediate")
            wide = wide * np.float32(0.5) * (1 + erf(wide / np.float32(np.sqrt(2))))
            hidden = self._normed(hidden + self._linear(wide, f"{layer}.output"), f"{layer}.output")
        return hidden

    def _attention(self, hidden: Vectors, layer: str) -> Vectors:
        texts, count, width = hidden.shape
        query, key, value = (
            self._linear(hidden, f"{layer}.attention.self.{part}", "")
            .reshape(texts, count, self._HEADS, -1)
            .transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        scale = np.float32(np.sqrt(width // self._HEADS))
        shares = softmax(query @ key.transpose(0, 1, 3, 2) / scale, axis=-1)
        mixed: Vectors = (shares @ value).transpose(0, 2, 1, 3).reshape(texts, count, width)
        return mixed

    def _linear(self, hidden: Vectors, name: str, part: str = ".dense") -> Vectors:
        weight, bias = self._weights[f"{name}{part}.weight"], self._weights[f"{name}{part}.bias"]
        product: Vectors = hidden @ weight.T + bias
        return product

    def _normed(self, hidden: Vectors, name: str) -> Vectors:
        centred = hidden - hidden.mean(axis=-1, keepdims=True)
        variance = np.square(centred).mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt(variance + self._EPSILON)
        weights = self._weights
        normed: Vectors = (
            scaled * weights[f"{name}.LayerNorm.weight"] + weights[f"{name}.LayerNorm.bias"]
        )
        return normed
