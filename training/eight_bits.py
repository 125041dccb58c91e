"""Weights of 8 bits, and products of whole numbers.

A product of whole numbers is three times as fast as one of 32-bit floats. Its input is rounded to
256 steps over the range of all its values, so a few large channels would cost all others their
precision. Therefore each channel is first divided by a power of the largest value that it takes in
a sample of texts, and its weights are multiplied by the same; and the largest inner channels of
each layer are multiplied in 32 bits. Weights have 7 bits: with 8, processors without VNNI
instructions overflow, and machines would not give the same answers.
"""

from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

import torch
from torch import Tensor, nn

from training.student import Student

LARGEST = 64
"""Inner channels of a layer that are multiplied in 32 bits; with none, answers move half as much
again."""

_STEPS, _PRODUCT_STEPS = 127, 63
_POWER = 0.6  # the best of 0.5 to 0.85 by the difference to the answers in 32 bits


class Rows(nn.Module):
    """An embedding whose rows have a scale each."""

    def __init__(self, embedding: nn.Embedding) -> None:
        super().__init__()
        rounded, scale = _rounded(embedding.weight.detach(), _STEPS)
        self.register_buffer("weight_q", rounded)
        self.register_buffer("weight_scale", scale)

    def forward(self, places: Tensor) -> Tensor:
        return self.weight_q[places].float() * self.weight_scale[places]


class Stored(nn.Module):
    """A linear layer stored in 8 bits and multiplied in 32."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        rounded, scale = _rounded(linear.weight.detach(), _STEPS)
        self.register_buffer("weight_q", rounded)
        self.register_buffer("weight_scale", scale)
        self.register_buffer("bias", linear.bias.detach().clone())

    def forward(self, hidden: Tensor) -> Tensor:
        return nn.functional.linear(hidden, self.weight_q.float() * self.weight_scale, self.bias)


class Product(nn.Module):
    """A linear layer that multiplies whole numbers, except for its last `exact` inputs.

    `peaks` are the largest values of each input.
    """

    def __init__(self, linear: nn.Linear, peaks: Tensor, exact: int = 0) -> None:
        super().__init__()
        self._parts = [linear.in_features - exact, exact]
        weight, rest = linear.weight.detach().split(self._parts, dim=1)
        spread = peaks[: self._parts[0]].clamp(min=1e-5) ** _POWER
        rounded, scale = _rounded(weight * spread, _PRODUCT_STEPS)
        self.register_buffer("weight_q", rounded.T.contiguous())
        self.register_buffer("weight_scale", scale[:, 0].contiguous())
        self.register_buffer("weight_shrink", 1 / spread)
        self.register_buffer("weight_rest", rest.T.contiguous() if exact else None)
        self.register_buffer("zero", torch.tensor(0, dtype=torch.int8))
        self.register_buffer("bias", linear.bias.detach().clone())

    def forward(self, hidden: Tensor) -> Tensor:
        if self.weight_rest is None:
            return self._multiplied(hidden)
        most, rest = hidden.split(self._parts, dim=1)
        return torch.addmm(self._multiplied(most), rest, self.weight_rest)

    def _multiplied(self, hidden: Tensor) -> Tensor:
        shrunk = hidden * self.weight_shrink
        return _Multiply.apply(shrunk, self.weight_q, self.weight_scale, self.zero, self.bias)


class _Multiply(torch.autograd.Function):
    """The operator of onnxruntime; in torch, the same product of floats."""

    @staticmethod
    def forward(
        _: Any, hidden: Tensor, weight: Tensor, scale: Tensor, __: Tensor, bias: Tensor
    ) -> Tensor:
        return hidden @ (weight.float() * scale) + bias

    @staticmethod
    def symbolic(graph: Any, hidden: Any, weight: Any, *rest: Any) -> Any:
        product = graph.op("com.microsoft::DynamicQuantizeMatMul", hidden, weight, *rest)
        product.setType(hidden.type().with_sizes([None, weight.type().sizes()[1]]))
        return product


def in_eight_bits(student: Student, peaks: Mapping[str, Tensor]) -> Student:
    """Replace a student's layers; without peaks they multiply in 32 bits."""
    if peaks:
        peaks = {**peaks, **_largest_last(student, peaks)}
    for name, module in list(student.named_modules()):
        owner, _, own = name.rpartition(".")
        if isinstance(module, nn.Linear) and not name.startswith("heads"):
            exact = LARGEST if own == "down" else 0
            new = Product(module, peaks[name], exact) if peaks else Stored(module)
            setattr(student.get_submodule(owner), own, new)
        elif isinstance(module, nn.Embedding) and module.num_embeddings > 2:
            setattr(student, name, Rows(module))
    return student


def _largest_last(student: Student, peaks: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Sort the inner channels of each layer by their peaks; return the sorted peaks."""
    ordered = {}
    for number, layer in enumerate(student.layers):
        name = f"layers.{number}.down"
        order = peaks[name].argsort()
        layer.up.weight.data = layer.up.weight.data[order]
        layer.up.bias.data = layer.up.bias.data[order]
        layer.down.weight.data = layer.down.weight.data[:, order]
        ordered[name] = peaks[name][order]
    return ordered


class Peaks(ExitStack):
    """Notes the largest value of each input channel of a student's linear layers."""

    def __init__(self, student: Student) -> None:
        super().__init__()
        self.values: dict[str, Tensor] = {}
        for name, module in student.named_modules():
            if isinstance(module, nn.Linear):
                self.callback(module.register_forward_pre_hook(self._note(name)).remove)

    def _note(self, name: str) -> Any:
        def note(_: nn.Module, inputs: tuple[Tensor, ...]) -> None:
            largest = inputs[0].reshape(-1, inputs[0].shape[-1]).abs().amax(0)
            known = self.values.get(name, largest)
            self.values[name] = torch.maximum(known, largest)

        return note


def _rounded(weight: Tensor, steps: int) -> tuple[Tensor, Tensor]:
    scale = weight.abs().amax(dim=1, keepdim=True).clamp(min=1e-8) / steps
    return torch.round(weight / scale).to(torch.int8), scale
