"""Step 4: write a student as an ONNX file with weights of 8 bits.

    python -m training.export STUDENT.npz MINILM OUT.onnx

One graph does both halves of the work. Without a past it encodes a chunk of text and gives its
keys and values; with the keys and values of the text's nearest sentences as past it reads a
sentence and gives classes and words. Matrices are stored in 8 bits with a scale for each row and
multiplied in 32, so that all machines give the same answers.
"""

import argparse
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional as F

from training.student import ATTENTION_HEADS, LAYERS, WIDTH, Student
from training.weights import load_weights

INPUTS = ("ids", "positions", "sides", "past_keys", "past_values")
OUTPUTS = ("keys", "values", "classes", "words")
OPSET = 17


class Graph(nn.Module):
    """The student as one graph with a past; weights in 8 bits."""

    def __init__(self, student: Student) -> None:
        super().__init__()
        for name, value in student.state_dict().items():
            key = name.replace(".", "__")
            if value.ndim == 2 and value.shape[0] > 4:
                scale = value.abs().amax(dim=1, keepdim=True).clamp(min=1e-8) / 127
                self.register_buffer(f"{key}_q", torch.round(value / scale).to(torch.int8))
                self.register_buffer(f"{key}_scale", scale)
            else:
                self.register_buffer(key, value.clone())

    def _weight(self, name: str) -> Tensor:
        key = name.replace(".", "__")
        quantized = getattr(self, f"{key}_q", None)
        if quantized is None:
            return getattr(self, key)
        return quantized.float() * getattr(self, f"{key}_scale")

    def _row(self, name: str, places: Tensor) -> Tensor:
        key = name.replace(".", "__")
        quantized, scale = getattr(self, f"{key}_q", None), getattr(self, f"{key}_scale", None)
        if quantized is None or scale is None:
            return getattr(self, key)[places]
        return quantized[places].float() * scale[places]

    def _linear(self, hidden: Tensor, name: str) -> Tensor:
        return F.linear(hidden, self._weight(f"{name}.weight"), self._weight(f"{name}.bias"))

    def _norm(self, hidden: Tensor, name: str) -> Tensor:
        weight, bias = self._weight(f"{name}.weight"), self._weight(f"{name}.bias")
        return F.layer_norm(hidden, (WIDTH,), weight, bias, 1e-12)

    def forward(
        self,
        ids: Tensor,
        positions: Tensor,
        sides: Tensor,
        past_keys: Tensor,
        past_values: Tensor,
    ) -> tuple[Tensor, ...]:
        """All inputs without a batch: tokens, and layers x heads x tokens x width of a head."""
        hidden = self._row("word.weight", ids) + self._row("position.weight", positions)
        hidden = self._norm(hidden + self._row("side.weight", sides), "norm")
        keys, values = [], []
        for number in range(LAYERS):
            layer = f"layers.{number}"
            parts = self._linear(hidden, f"{layer}.qkv").reshape(-1, 3, ATTENTION_HEADS, 32)
            query, key, value = parts.permute(1, 2, 0, 3).unbind(0)
            keys.append(key)
            values.append(value)
            key = torch.cat([past_keys[number], key], dim=1)
            value = torch.cat([past_values[number], value], dim=1)
            weights = (query @ key.transpose(1, 2) * 32**-0.5).softmax(-1)
            mixed = (weights @ value).transpose(0, 1).reshape(-1, WIDTH)
            hidden = self._norm(hidden + self._linear(mixed, f"{layer}.out"), f"{layer}.norm")
            inner = F.gelu(self._linear(hidden, f"{layer}.up"))
            hidden = self._norm(hidden + self._linear(inner, f"{layer}.down"), f"{layer}.last")
        return (
            torch.stack(keys),
            torch.stack(values),
            self._linear(hidden[0], "heads.classes"),
            self._linear(hidden, "heads.words")[:, 0],
        )


def export(student: Student, path: Path) -> None:
    """Write the graph."""
    graph = Graph(student).eval()
    past = torch.zeros(LAYERS, ATTENTION_HEADS, 3, 32)
    inputs = (torch.arange(7), torch.arange(7), torch.zeros(7, dtype=torch.int64), past, past)
    tokens = {name: {0: "tokens"} for name in ("ids", "positions", "sides", "words")}
    longer = {name: {2: "past"} for name in ("past_keys", "past_values")}
    own = {name: {2: "tokens"} for name in ("keys", "values")}
    torch.onnx.export(
        graph,
        inputs,
        str(path),
        input_names=list(INPUTS),
        output_names=list(OUTPUTS),
        dynamic_axes={**tokens, **longer, **own},
        opset_version=OPSET,
        do_constant_folding=False,
        dynamo=False,
    )


def student_from(path: Path, minilm: Path) -> Student:
    """A student from its small file and the word vectors of all-MiniLM-L6-v2."""
    student = Student()
    state = load_weights(path)
    state["word.weight"] = load_file(minilm / "model.safetensors")[
        "embeddings.word_embeddings.weight"
    ].float()
    known = student.state_dict()
    student.load_state_dict({name: value for name, value in state.items() if name in known})
    return student.eval()


def main() -> None:
    """Export one student."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("student", type=Path)
    parser.add_argument("minilm", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    export(student_from(arguments.student, arguments.minilm), arguments.out)


if __name__ == "__main__":
    main()
