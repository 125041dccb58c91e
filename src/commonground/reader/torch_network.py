"""The network in torch, for a GPU: the weights that the CPU has, in full precision."""

from pathlib import Path
from typing import Any

import numpy as np

from commonground.encoders import onnx_weights
from commonground.reader.network import (
    HEADS,
    LAYERS,
    NOTHING,
    SENTENCE,
    TEXT,
    WIDTH,
    Answer,
    Encoded,
    Ints,
    inputs,
)
from commonground.reader.pieces import END, START

_EPSILON = 1e-12


class TorchNetwork:
    """The same graph as `OnnxNetwork`; answers differ from the CPU's in the last digits."""

    version = "torch"

    def __init__(self, path: Path, device: str) -> None:
        import torch

        self._torch: Any = torch
        self._device = device
        self._weights = {
            name.replace("__", "."): torch.from_numpy(np.array(values)).to(device)
            for name, values in onnx_weights(path).items()
        }

    def encode(self, ids: Ints) -> Encoded:
        """Encode a chunk of text, markers included."""
        keys, values, _ = self._run(ids, TEXT, NOTHING)
        return Encoded(self._back(keys), self._back(values))

    def read(self, ids: Ints, past: Encoded) -> Answer:
        """Read a sentence (pieces without markers) against encoded text."""
        framed = np.concatenate([[START], ids, [END]])
        _, _, hidden = self._run(framed, SENTENCE, past)
        return Answer(
            self._back(self._linear(hidden[0], "heads.classes")),
            self._back(self._linear(hidden, "heads.words")[1:-1, 0]),
        )

    def _run(self, ids: Ints, side: int, past: Encoded) -> tuple[Any, Any, Any]:
        torch = self._torch
        given = {
            name: torch.from_numpy(np.ascontiguousarray(values)).to(self._device)
            for name, values in inputs(ids, side, past).items()
        }
        with torch.inference_mode():
            hidden = self._weights["word.weight"][given["ids"]]
            hidden = hidden + self._weights["position.weight"][given["positions"]]
            hidden = self._norm(hidden + self._weights["side.weight"][given["sides"]], "norm")
            keys, values = [], []
            for number in range(LAYERS):
                hidden, key, value = self._layer(
                    hidden, number, given["past_keys"][number], given["past_values"][number]
                )
                keys.append(key)
                values.append(value)
            return torch.stack(keys), torch.stack(values), hidden

    def _layer(self, hidden: Any, number: int, past_key: Any, past_value: Any) -> tuple[Any, ...]:
        torch, name = self._torch, f"layers.{number}"
        parts = self._linear(hidden, f"{name}.qkv").reshape(-1, 3, HEADS, WIDTH)
        query, key, value = parts.permute(1, 2, 0, 3).unbind(0)
        mixed = torch.nn.functional.scaled_dot_product_attention(
            query, torch.cat([past_key, key], dim=1), torch.cat([past_value, value], dim=1)
        )
        mixed = mixed.transpose(0, 1).reshape(hidden.shape)
        hidden = self._norm(hidden + self._linear(mixed, f"{name}.out"), f"{name}.norm")
        inner = torch.nn.functional.gelu(self._linear(hidden, f"{name}.up"))
        return self._norm(hidden + self._linear(inner, f"{name}.down"), f"{name}.last"), key, value

    def _linear(self, hidden: Any, name: str) -> Any:
        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        return self._torch.nn.functional.linear(hidden, weight, bias)

    def _norm(self, hidden: Any, name: str) -> Any:
        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        return self._torch.nn.functional.layer_norm(
            hidden, (hidden.shape[-1],), weight, bias, _EPSILON
        )

    def _back(self, values: Any) -> Any:
        return values.float().cpu().numpy()
