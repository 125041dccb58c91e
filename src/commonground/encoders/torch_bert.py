"""BERT in torch, for a GPU: the same weights as on the CPU, in full precision."""

import importlib.util
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Encoding

from commonground.encoders.bert import EPSILON, HEADS, Ids, WeightedBert, equally_long, stacked_ids
from commonground.encoders.onnx_file import onnx_weights
from commonground.encoders.protocol import Vectors
from commonground.errors import InputError, MissingExtraError, ModelError

_PIECES_AT_ONCE = 65_536  # in one batch; about 2 GB of GPU memory


def check_device(device: str) -> str:
    """Return the device; raise an error if its name is invalid or it is not available."""
    if not re.fullmatch(r"cpu|cuda(:\d+)?", device):
        raise InputError(f"unknown device {device!r}: use cpu, cuda, or cuda:1 for the second GPU")
    if device == "cpu":
        return device
    if importlib.util.find_spec("torch") is None:
        raise MissingExtraError(f"the device {device!r}", "hub")
    import torch

    count = torch.cuda.device_count()
    if int(device.partition(":")[2] or 0) >= count:
        raise ModelError(f"device {device!r} is not available: torch finds {count or 'no'} GPU(s)")
    return device


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

    def _hidden(self, ids: Ids) -> Vectors:
        with self._torch.inference_mode():
            states = self._states(self._torch.from_numpy(ids).to(self.device))
            hidden: Vectors = states.cpu().numpy()
        return hidden

    def _attention(self, query: Any, key: Any, value: Any) -> Any:
        query, key, value = (
            part.view(*part.shape[:2], HEADS, -1).transpose(1, 2) for part in (query, key, value)
        )
        attention = self._torch.nn.functional.scaled_dot_product_attention
        return attention(query, key, value).transpose(1, 2).flatten(2)

    def _linear(self, hidden: Any, weight: Any, bias: Any) -> Any:
        return self._torch.nn.functional.linear(hidden, weight, bias)

    def _gelu(self, hidden: Any) -> Any:
        return self._torch.nn.functional.gelu(hidden)

    def _layer_norm(self, hidden: Any, weight: Any, bias: Any) -> Any:
        return self._torch.nn.functional.layer_norm(hidden, weight.shape, weight, bias, EPSILON)
