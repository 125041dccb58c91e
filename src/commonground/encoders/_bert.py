"""Encoders of the BERT family: the mean of the token vectors is the text's vector."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from safetensors.numpy import load_file
from scipy.special import erf, softmax
from threadpoolctl import threadpool_limits
from tokenizers import Encoding

from commonground.encoders._base import BaseEncoder, checked, readable_text
from commonground.encoders._protocol import TokenVectors, Vectors
from commonground.encoders._wordpiece import wordpiece_tokenizer

Ids = NDArray[np.int64]

_DIMENSION = 384
_PIECES_AT_ONCE = 512


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
        encodings = self._tokenizer.encode_batch(texts)
        vectors = np.zeros((len(texts), _DIMENSION), dtype=np.float32)
        groups = _equally_long(encodings)

        def mean(group: list[int]) -> Vectors:
            ids = np.array([encodings[place].ids for place in group], dtype=np.int64)
            pooled: Vectors = self._hidden(ids).mean(axis=1)
            return pooled

        for group, pooled in zip(groups, self._on_threads(mean, groups), strict=True):
            vectors[group] = pooled
        return vectors

    def _token_vectors(self, text: str) -> TokenVectors:
        encoding = self._tokenizer.encode(text)
        inner = slice(1, -1)
        vectors = self._hidden(np.array([encoding.ids], dtype=np.int64))[0][inner]
        return TokenVectors(
            tokens=tuple(encoding.tokens[inner]),
            offsets=np.array(encoding.offsets[inner], dtype=np.int64).reshape(-1, 2),
            vectors=vectors / np.linalg.norm(vectors, axis=1, keepdims=True),
        )

    @abstractmethod
    def _hidden(self, ids: Ids) -> Vectors:
        """The last layer for equally long texts: texts x word pieces x dimensions."""


def _equally_long(encodings: Sequence[Encoding]) -> list[list[int]]:
    """Places of texts with the same number of word pieces, shortest first, in small groups.

    Without padding a group costs what its texts cost alone, less the overhead; and no kernel we
    know lets a text's vector depend on the others (a test holds it to the last bit). A text with
    nothing between its two markers is in no group.
    """
    by_length: dict[int, list[int]] = {}
    for place, encoding in enumerate(encodings):
        by_length.setdefault(len(encoding.ids), []).append(place)
    by_length.pop(2, None)
    groups = []
    for length, places in sorted(by_length.items()):
        size = max(1, _PIECES_AT_ONCE // length)
        groups += [places[start : start + size] for start in range(0, len(places), size)]
    return groups


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

    def _hidden(self, ids: Ids) -> Vectors:
        inputs = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        hidden: Vectors = self._session.run(["last_hidden_state"], inputs)[0]
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
