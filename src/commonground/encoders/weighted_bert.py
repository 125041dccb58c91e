"""BERT in full precision, in numpy (`minilm-fp32`) and in torch for a GPU."""

import importlib.util
import re
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from safetensors.numpy import load_file
from scipy.special import erf, softmax
from tokenizers import Encoding

from commonground.encoders.base import Options, TokenVectors, Vectors, one_blas_thread
from commonground.encoders.bert import BertEncoder, Ids, Mask, equally_long, stacked_ids
from commonground.encoders.onnx_file import onnx_weights
from commonground.errors import MissingExtraError

_HEADS = 12
_EPSILON = 1e-12
_LAYER = re.compile(r"encoder\.layer\.(\d+)\.")
_PIECES_AT_ONCE = 65_536  # in one batch; about 2 GB of GPU memory


class WeightedBert(BertEncoder):
    """BERT over named weights; a subclass has the operations of an array library."""

    def __init__(
        self,
        name: str,
        fingerprint: str,
        weights: Mapping[str, Any],
        **options: Unpack[Options],
    ) -> None:
        super().__init__(name, fingerprint, **options)
        self._weights = weights
        self._layers = 1 + max(int(layer[1]) for layer in map(_LAYER.match, weights) if layer)

    def _states(self, ids: Any) -> Any:
        """Return the last layer."""
        weights = self._weights
        hidden = (
            weights["embeddings.word_embeddings.weight"][ids]
            + weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        hidden = self._apply(self._layer_norm, hidden, "embeddings.LayerNorm")
        for number in range(self._layers):
            layer = f"encoder.layer.{number}"
            attended = self._attention(
                *(
                    self._apply(self._linear, hidden, f"{layer}.attention.self.{part}")
                    for part in ("query", "key", "value")
                )
            )
            hidden = self._residual(hidden, attended, f"{layer}.attention.output")
            wide = self._apply(self._linear, hidden, f"{layer}.intermediate.dense")
            hidden = self._residual(hidden, self._gelu(wide), f"{layer}.output")
        return hidden

    def _residual(self, hidden: Any, update: Any, name: str) -> Any:
        projected = self._apply(self._linear, update, f"{name}.dense")
        return self._apply(self._layer_norm, hidden + projected, f"{name}.LayerNorm")

    def _apply(self, operation: Callable[[Any, Any, Any], Any], hidden: Any, name: str) -> Any:
        return operation(hidden, self._weights[f"{name}.weight"], self._weights[f"{name}.bias"])

    @abstractmethod
    def _attention(self, query: Any, key: Any, value: Any) -> Any: ...

    @abstractmethod
    def _linear(self, hidden: Any, weight: Any, bias: Any) -> Any: ...

    @abstractmethod
    def _gelu(self, hidden: Any) -> Any: ...

    @abstractmethod
    def _layer_norm(self, hidden: Any, weight: Any, bias: Any) -> Any: ...


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

    def _hidden(self, ids: Ids, mask: Mask) -> Vectors:
        hidden: Vectors = self._states(ids)  # nothing is padded: `step` is 1
        return hidden

    def _attention(self, query: Vectors, key: Vectors, value: Vectors) -> Vectors:
        query, key, value = (
            part.reshape(*part.shape[:2], _HEADS, -1).transpose(0, 2, 1, 3)
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
        normed: Vectors = centred / np.sqrt(variance + np.float32(_EPSILON)) * weight + bias
        return normed


class TorchBert(WeightedBert):
    """`minilm` or `minilm-fp32` on a torch device.

    Vectors differ from those of the CPU in the last digits, and depend slightly on the other
    texts of the batch. There is no cache: reading from disk would be slower.
    """

    cached = False
    texts_at_once = 32_768  # many, so that texts of equal length can be batched

    def __init__(
        self,
        name: str,
        fingerprint: str,
        path: Path,
        *,
        device: str,
        threads: int | None = None,
    ) -> None:
        if importlib.util.find_spec("torch") is None:
            raise MissingExtraError(f"the encoder {name!r} on {device}", "hub")
        import torch

        self.device = device
        self._torch: Any = torch
        read = onnx_weights if path.suffix == ".onnx" else load_file
        weights = {
            key: torch.from_numpy(values).to(device)
            for key, values in read(path).items()
            if values.dtype == np.float32
        }
        super().__init__(name, fingerprint, weights, cache=False, threads=threads)

    def _encode_unique(self, texts: list[str]) -> Vectors:
        encodings = self._encodings(texts)
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        groups = equally_long(encodings, _PIECES_AT_ONCE)
        if not groups:
            return vectors
        with self._torch.inference_mode():
            means = [self._states(self._ids(encodings, group)).mean(dim=1) for group in groups]
            # Copied once, not once per group: each copy waits for the device.
            vectors[np.concatenate(groups)] = self._torch.cat(means).cpu().numpy()
        return vectors

    def _encodings(self, texts: Sequence[str]) -> list[Encoding]:
        # In parallel: a single tokenizer thread is slower than a GPU.
        return list(self._tokenizer.encode_batch(list(texts)))

    def _ids(self, encodings: Sequence[Encoding], group: Sequence[int]) -> Any:
        return self._torch.from_numpy(stacked_ids(encodings, group)).to(self.device)

    def _hidden(self, ids: Ids, mask: Mask) -> Vectors:
        with self._torch.inference_mode():
            states = self._states(self._torch.from_numpy(ids).to(self.device))
            hidden: Vectors = states.cpu().numpy()
        return hidden

    def _attention(self, query: Any, key: Any, value: Any) -> Any:
        query, key, value = (
            part.view(*part.shape[:2], _HEADS, -1).transpose(1, 2) for part in (query, key, value)
        )
        attention = self._torch.nn.functional.scaled_dot_product_attention
        return attention(query, key, value).transpose(1, 2).flatten(2)

    def _linear(self, hidden: Any, weight: Any, bias: Any) -> Any:
        return self._torch.nn.functional.linear(hidden, weight, bias)

    def _gelu(self, hidden: Any) -> Any:
        return self._torch.nn.functional.gelu(hidden)

    def _layer_norm(self, hidden: Any, weight: Any, bias: Any) -> Any:
        return self._torch.nn.functional.layer_norm(hidden, weight.shape, weight, bias, _EPSILON)
