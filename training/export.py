"""Step 4: write a student as an ONNX file with weights of 8 bits.

    python -m training.export STUDENT.npz MINILM OUT.onnx [--exact]

One graph does both halves of the work. Without a past it encodes a chunk of text and gives its
keys and values; with the keys and values of the text's nearest sentences as past it reads a
sentence and gives classes and words. Most products are of whole numbers (`training.eight_bits`),
with ranges from the project's own events; `--exact` multiplies in 32 bits, to measure what the
rounding costs (`bench/reader_precision.py`).
"""

import argparse
import json
from itertools import pairwise
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional as F

from commonground.reader.network import END, SENTENCE, START, TEXT, pieces_of
from training.eight_bits import Peaks, in_eight_bits
from training.student import ATTENTION_HEADS, LAYERS, WIDTH, Student
from training.weights import load_weights

EVENTS = Path(__file__).parent.parent / "data" / "reading" / "events.jsonl"
PAST = [f"past_{kind}_{number}" for kind in ("keys", "values") for number in range(LAYERS)]
OPSET = 17
_SAMPLE, _SENTENCES, _PIECES = 40, 6, 382  # events, sentences of each text, word pieces


class Graph(nn.Module):
    """The student as one graph with a past."""

    def __init__(self, student: Student) -> None:
        super().__init__()
        self.word, self.position, self.side = student.word, student.position, student.side
        self.norm, self.layers, self.heads = student.norm, student.layers, student.heads

    def forward(
        self, ids: Tensor, positions: Tensor, sides: Tensor, *past: Tensor
    ) -> tuple[Tensor, ...]:
        """All inputs without a batch: tokens, and for each layer heads x tokens x width."""
        hidden = self.norm(self.word(ids) + self.position(positions) + self.side(sides))
        keys, values = [], []
        for layer, key_before, value_before in zip(
            self.layers, past[:LAYERS], past[LAYERS:], strict=True
        ):
            parts = layer.qkv(hidden).reshape(-1, 3, ATTENTION_HEADS, 32)
            query, key, value = parts.permute(1, 2, 0, 3).unbind(0)
            keys.append(key)
            values.append(value)
            key = torch.cat([key_before, key], dim=1)
            value = torch.cat([value_before, value], dim=1)
            weights = (query @ key.transpose(1, 2) * 32**-0.5).softmax(-1)
            mixed = (weights @ value).transpose(0, 1).reshape(-1, WIDTH)
            hidden = layer.norm(hidden + layer.out(mixed))
            hidden = layer.last(hidden + layer.down(F.gelu(layer.up(hidden))))
        classes, words = self.heads.classes(hidden[0]), self.heads.words(hidden)[:, 0]
        return torch.stack(keys), torch.stack(values), classes, words


@torch.no_grad()
def peaks_of(student: Student) -> dict[str, Tensor]:
    """The largest inputs of each layer when the student reads some of the project's own events."""
    graph = Graph(student)
    nothing = torch.zeros(LAYERS, ATTENTION_HEADS, 0, 32)
    events = [json.loads(line) for line in EVENTS.read_text("utf-8").splitlines()]
    with Peaks(student) as peaks:
        for event in events[:: max(1, len(events) // _SAMPLE)]:
            narratives = event["narratives"]
            for text, other in pairwise([*narratives, narratives[0]]):
                past = _read(graph, " ".join(text), TEXT, nothing, nothing)[:2]
                for sentence in other[:_SENTENCES]:
                    _read(graph, sentence, SENTENCE, *past)
    return peaks.values


def _read(graph: Graph, text: str, side: int, keys: Tensor, values: Tensor) -> tuple[Tensor, ...]:
    ids = torch.tensor([START, *pieces_of(text).ids[:_PIECES], END])
    return graph(ids, torch.arange(len(ids)), torch.full_like(ids, side), *keys, *values)


def export(student: Student, path: Path) -> None:
    """Write the graph."""
    past = [torch.zeros(ATTENTION_HEADS, 3, 32) for _ in PAST]
    inputs = (torch.arange(7), torch.arange(7), torch.zeros(7, dtype=torch.int64), *past)
    tokens = {name: {0: "tokens"} for name in ("ids", "positions", "sides", "words")}
    longer = {name: {1: "past"} for name in PAST}
    own = {name: {2: "tokens"} for name in ("keys", "values")}
    torch.onnx.export(
        Graph(student).eval(),
        inputs,
        str(path),
        input_names=["ids", "positions", "sides", *PAST],
        output_names=["keys", "values", "classes", "words"],
        dynamic_axes={**tokens, **longer, **own},
        opset_version=OPSET,
        custom_opsets={"com.microsoft": 1},
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
    parser.add_argument("--exact", action="store_true", help="multiply in 32 bits")
    arguments = parser.parse_args()
    student = student_from(arguments.student, arguments.minilm)
    peaks = {} if arguments.exact else peaks_of(student)
    export(in_eight_bits(student, peaks), arguments.out)


if __name__ == "__main__":
    main()
