"""BERT in torch, for a GPU: the weights that the CPU has, in full precision."""

import importlib.util
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Encoding

from commonground.encoders.bert import BertEncoder, Ids, equally_long
from commonground.encoders.onnx_file import onnx_weights
from commonground.encoders.protocol import Vectors
from commonground.errors import InputError, MissingExtraError, ModelError

_HEADS = 12
_EPSILON = 1e-12
_PIECES_AT_ONCE = 65_536  # in one batch; some 2 GB of a GPU's memory


def check_device(device: str) -> str:
    """Complain of a device that has no such name or is not in this machine."""
    if not re.fullmatch(r"cpu|cuda(:\d+)?", device):
        raise InputError(f"device {device!r} is none: cpu, cuda, or cuda:1 for the second GPU")
    if device == "cpu":
        return device
    if importlib.util.find_spec("torch") is None:
        raise MissingExtraError(f"the device {device!r}", "hub")
    import torch

    number = int(device.partition(":")[2] or 0)
    if number >= torch.cuda.device_count():
        there = torch.cuda.device_count() or "no"
        raise ModelError(f"device {device!r} is not here: torch finds {there} GPU(s)")
    return device


class TorchBert(BertEncoder):
    """`minilm` or `minilm-fp32` on a device that torch knows.

    Vectors differ from the CPU's in the last digits, and with the company that a text has in its
    batch. They come faster than a disk would give them, so there is no cache.
    """

    cached = False
    texts_at_once = 32_768  # so that many are of one length

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

        super().__init__(name, fingerprint, cache=False, threads=threads)
        self.device = device
        self._torch: Any = torch
        read = onnx_weights if path.suffix == ".onnx" else load_file
        self._weights: dict[str, Any] = {
            key: torch.from_numpy(values).to(device)
            for key, values in read(path).items()
            if values.dtype == np.float32
        }
        numbers = re.compile(r"encoder\.layer\.(\d+)\.")
        self._layers = 1 + max(
            int(found[1]) for found in map(numbers.match, self._weights) if found
        )

    def _encode_unique(self, texts: list[str]) -> Vectors:
        torch = self._torch
        encodings = self._encodings(texts)
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        groups = equally_long(encodings, _PIECES_AT_ONCE)
        if not groups:
            return vectors
        with torch.inference_mode():
            means = [self._states(_ids(encodings, group)).mean(dim=1) for group in groups]
            found = torch.cat(means).cpu().numpy()  # one wait for the device, not one a group
        vectors[np.concatenate(groups)] = found
        return vectors

    def _encodings(self, texts: Sequence[str]) -> list[Encoding]:
        # A GPU is faster than one thread of the tokenizer.
        return list(self._tokenizer.encode_batch(list(texts)))

    def _hidden(self, ids: Ids) -> Vectors:
        with self._torch.inference_mode():
            hidden: Vectors = self._states(ids).cpu().numpy()
        return hidden

    def _states(self, ids: Ids) -> Any:
        """The last layer, on the device."""
        functional = self._torch.nn.functional
        weights = self._weights
        places = self._torch.from_numpy(ids).to(self.device)
        hidden = functional.embedding(places, weights["embeddings.word_embeddings.weight"])
        hidden = hidden + weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
        hidden = hidden + weights["embeddings.token_type_embeddings.weight"][0]
        hidden = self._normed(hidden, "embeddings")
        for number in range(self._layers):
            layer = f"encoder.layer.{number}"
            attended = self._linear(
                self._attention(hidden, layer), f"{layer}.attention.output.dense"
            )
            hidden = self._normed(hidden + attended, f"{layer}.attention.output")
            wide = functional.gelu(self._linear(hidden, f"{layer}.intermediate.dense"))
            narrow = self._linear(wide, f"{layer}.output.dense")
            hidden = self._normed(hidden + narrow, f"{layer}.output")
        return hidden

    def _attention(self, hidden: Any, layer: str) -> Any:
        texts, count, width = hidden.shape
        query, key, value = (
            self._linear(hidden, f"{layer}.attention.self.{part}")
            .view(texts, count, _HEADS, -1)
            .transpose(1, 2)
            for part in ("query", "key", "value")
        )
        mixed = self._torch.nn.functional.scaled_dot_product_attention(query, key, value)
        return mixed.transpose(1, 2).reshape(texts, count, width)

    def _linear(self, hidden: Any, name: str) -> Any:
        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        return self._torch.nn.functional.linear(hidden, weight, bias)

    def _normed(self, hidden: Any, name: str) -> Any:
        weight, bias = (self._weights[f"{name}.LayerNorm.{part}"] for part in ("weight", "bias"))
        return self._torch.nn.functional.layer_norm(
            hidden, (hidden.shape[-1],), weight, bias, _EPSILON
        )


def _ids(encodings: Sequence[Encoding], group: Sequence[int]) -> Ids:
    return np.array([encodings[place].ids for place in group], dtype=np.int64)
