"""The network in torch, for a GPU: the weights of the CPU network, in full precision."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from commonground.encoders import onnx_weights
from commonground.reader.network import (
    END,
    HEADS,
    LAYERS,
    SENTENCE,
    START,
    TEXT,
    WIDTH,
    Answer,
    Encoded,
    In,
    Ints,
    Out,
    Question,
)

TOKENS = 65_536
"""Tokens of a batch, padding included: some 3 GB of a GPU's memory."""

_EPSILON = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class _Past:
    """Texts of a batch: layers x rows x heads x tokens x width, and which tokens are real."""

    keys: Any
    values: Any
    mask: Any


class TorchNetwork:
    """The same graph as `OnnxNetwork`, in batches.

    Answers differ from the CPU's, and with the other items of a batch, in the last digits.
    """

    version = "torch"

    def __init__(self, path: Path, device: str) -> None:
        import torch

        self._torch: Any = torch
        self._device = device
        self._weights = {
            name: torch.from_numpy(np.array(values)).to(device)
            for name, values in onnx_weights(path).items()
        }

    def encode(self, chunks: Sequence[Ints], pool: Executor | None = None) -> list[Encoded]:
        """Encode chunks of text, markers included."""
        return self._in_batches(self._encode, chunks, [len(ids) for ids in chunks])

    def read(self, asked: Sequence[Question], pool: Executor | None = None) -> list[Answer]:
        """Read each sentence against its text."""
        pasts = [sum(int(part.keys.shape[2]) for part in question.past) for question in asked]
        sizes = [len(q.ids) + 2 + past for q, past in zip(asked, pasts, strict=True)]
        return self._in_batches(self._read, asked, sizes)

    def _in_batches(
        self,
        function: Callable[[list[In]], list[Out]],
        items: Sequence[In],
        sizes: list[int],
    ) -> list[Out]:
        """Apply the function to batches of about equally long items, and restore the order."""
        results: dict[int, Out] = {}
        with self._torch.inference_mode():
            for batch in batches(sizes):
                results.update(zip(batch, function([items[n] for n in batch]), strict=True))
        return [results[index] for index in range(len(items))]

    def _encode(self, chunks: list[Ints]) -> list[Encoded]:
        keys, values, _ = self._run(chunks, TEXT, None)
        return [
            Encoded(
                keys[:, number, :, : len(ids)].clone(), values[:, number, :, : len(ids)].clone()
            )
            for number, ids in enumerate(chunks)
        ]

    def _read(self, asked: list[Question]) -> list[Answer]:
        framed = [np.concatenate([[START], question.ids, [END]]) for question in asked]
        _, _, hidden = self._run(framed, SENTENCE, [question.past for question in asked])
        classes = self._linear(hidden[:, 0], "heads.classes").float().cpu().numpy()
        pieces = self._linear(hidden, "heads.words")[..., 0].float().cpu().numpy()
        return [
            Answer(classes[number], pieces[number, 1 : len(ids) - 1])
            for number, ids in enumerate(framed)
        ]

    def _run(
        self, rows: list[Ints], side: int, pasts: list[Sequence[Encoded]] | None
    ) -> tuple[Any, Any, Any]:
        """Return keys and values (layers x rows x heads x tokens x width), and the last layer."""
        torch = self._torch
        ids = np.zeros((len(rows), max(map(len, rows))), dtype=np.int64)
        for row, own in zip(ids, rows, strict=True):
            row[: len(own)] = own
        own_mask = np.arange(ids.shape[1]) < np.array([len(own) for own in rows])[:, None]
        mask = torch.from_numpy(own_mask).to(self._device)
        past = self._past(pasts) if pasts else None
        if past:
            mask = torch.cat([past.mask, mask], dim=1)
        weights = self._weights
        hidden = weights["word.weight"][torch.from_numpy(ids).to(self._device)]
        hidden = hidden + weights["position.weight"][: ids.shape[1]] + weights["side.weight"][side]
        hidden = self._norm(hidden, "norm")
        keys, values = [], []
        for number in range(LAYERS):
            before = (past.keys[number], past.values[number]) if past else None
            hidden, key, value = self._layer(hidden, number, before, mask[:, None, None])
            keys.append(key)
            values.append(value)
        return torch.stack(keys), torch.stack(values), hidden

    def _past(self, pasts: list[Sequence[Encoded]]) -> "_Past":
        """Return the texts of a batch, padded at the end."""
        torch = self._torch
        sizes = [sum(part.keys.shape[2] for part in past) for past in pasts]
        shape = (LAYERS, len(pasts), HEADS, max(sizes), WIDTH)
        keys, values = (torch.zeros(shape, device=self._device) for _ in range(2))
        for number, past in enumerate(pasts):
            keys[:, number, :, : sizes[number]] = torch.cat([part.keys for part in past], dim=2)
            values[:, number, :, : sizes[number]] = torch.cat([part.values for part in past], dim=2)
        mask = np.arange(max(sizes)) < np.array(sizes)[:, None]
        return _Past(keys, values, torch.from_numpy(mask).to(self._device))

    def _layer(
        self, hidden: Any, number: int, before: tuple[Any, Any] | None, mask: Any
    ) -> tuple[Any, ...]:
        torch, name = self._torch, f"layers.{number}"
        parts = self._linear(hidden, f"{name}.qkv").unflatten(-1, (3, HEADS, WIDTH))
        query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
        own = key, value
        if before:
            key, value = (torch.cat(pair, dim=2) for pair in zip(before, (key, value), strict=True))
        mixed = torch.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        mixed = mixed.transpose(1, 2).flatten(2)
        hidden = self._norm(hidden + self._linear(mixed, f"{name}.out"), f"{name}.norm")
        inner = torch.nn.functional.gelu(self._linear(hidden, f"{name}.up"))
        return self._norm(hidden + self._linear(inner, f"{name}.down"), f"{name}.last"), *own

    def _linear(self, hidden: Any, name: str) -> Any:
        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        return self._torch.nn.functional.linear(hidden, weight, bias)

    def _norm(self, hidden: Any, name: str) -> Any:
        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        return self._torch.nn.functional.layer_norm(
            hidden, (hidden.shape[-1],), weight, bias, _EPSILON
        )


def batches(sizes: Sequence[int]) -> Iterator[list[int]]:
    """Yield indices in batches of similar sizes, longest first, of at most `TOKENS` tokens."""
    order = sorted(range(len(sizes)), key=lambda index: -sizes[index])
    while order:
        count = max(1, TOKENS // max(1, sizes[order[0]]))
        yield order[:count]
        order = order[count:]
