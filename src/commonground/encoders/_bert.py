"""Encoders of the BERT family: the mean of the token vectors is the text's vector."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnxruntime
from safetensors.numpy import load_file
from scipy.special import erf, softmax
from threadpoolctl import threadpool_limits
from tokenizers import Encoding

from commonground.encoders._base import BaseEncoder, checked, readable_text
from commonground.encoders._protocol import TokenVectors, Vectors
from commonground.encoders._wordpiece import wordpiece_tokenizer

_DIMENSION = 384


class BertEncoder(BaseEncoder):
    """What the two forms of all-MiniLM-L6-v2 share: word pieces in, their mean out.

    A text is read up to 256 word pieces, about 200 words; what follows does not count.
    """

    def __init__(
        self, name: str, fingerprint: str, *, cache: bool = True, threads: int | None = None
    ) -> None:
        super().__init__(name, fingerprint, _DIMENSION, cache=cache, threads=threads)
        self._tokenizer = wordpiece_tokenizer()

    def tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """The contextual vectors of each text's word pieces."""
        readable = [readable_text(text, number) for number, text in enumerate(checked(texts))]
        return self._on_threads(self._token_vectors, readable)

    def _encode_unique(self, texts: list[str]) -> Vectors:
        return np.array(self._on_threads(self._vector, texts), dtype=np.float32)

    def _vector(self, text: str) -> Vectors:
        encoding = self._tokenizer.encode(text)
        if len(encoding.ids) == 2:  # nothing between the two markers
            return np.zeros(_DIMENSION, dtype=np.float32)
        vector: Vectors = self._hidden(encoding).mean(axis=0)
        return vector

    def _token_vectors(self, text: str) -> TokenVectors:
        encoding = self._tokenizer.encode(text)
        inner = slice(1, -1)
        vectors = self._hidden(encoding)[inner]
        return TokenVectors(
            tokens=tuple(encoding.tokens[inner]),
            offsets=np.array(encoding.offsets[inner], dtype=np.int64).reshape(-1, 2),
            vectors=vectors / np.linalg.norm(vectors, axis=1, keepdims=True),
        )

    @abstractmethod
    def _hidden(self, encoding: Encoding) -> Vectors:
        """The last layer: a row for each word piece, markers included."""


class OnnxBert(BertEncoder):
    """`minilm`: weights of 8 bits, run by onnxruntime."""

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
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # each text has a thread of its own
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )

    def _hidden(self, encoding: Encoding) -> Vectors:
        ids = np.array([encoding.ids], dtype=np.int64)
        inputs = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        hidden: Vectors = self._session.run(["last_hidden_state"], inputs)[0][0]
        return hidden


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
        # The threads are ours; without the limit each of them would start some of its own.
        with threadpool_limits(1, user_api="blas"):
            return super()._encode_unique(texts)

    def _hidden(self, encoding: Encoding) -> Vectors:
        weights = self._weights
        count = len(encoding.ids)
        hidden = (
            weights["embeddings.word_embeddings.weight"][encoding.ids]
            + weights["embeddings.position_embeddings.weight"][:count]
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
        count, width = hidden.shape
        query, key, value = (
            self._linear(hidden, f"{layer}.attention.self.{part}", "")
            .reshape(count, self._HEADS, -1)
            .transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scale = np.float32(np.sqrt(width // self._HEADS))
        shares = softmax(query @ key.transpose(0, 2, 1) / scale, axis=-1)
        mixed: Vectors = (shares @ value).transpose(1, 0, 2).reshape(count, width)
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
