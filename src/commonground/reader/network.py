"""The network behind the reader: encodes chunks of a text, then reads sentences against them."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from commonground.reader.pieces import END, START

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

LAYERS, HEADS, WIDTH = 6, 12, 32
TEXT, SENTENCE = 0, 1  # the two sides, as the network was trained
_ENCODED = ["keys", "values"]
_READ = ["classes", "words"]


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """Tokens of a text, as a sentence looks at them: layers x heads x tokens x width."""

    keys: Floats
    values: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """Raw answers for a sentence: four logits, and one for each piece."""

    classes: Floats
    pieces: Floats


class Network(Protocol):
    """What the reader needs of a network."""

    version: str

    def encode(self, ids: Ints) -> Encoded:
        """Encode a chunk of text, markers included."""
        ...

    def read(self, ids: Ints, past: Encoded) -> Answer:
        """Read a sentence (pieces without markers) against encoded text."""
        ...


NOTHING = Encoded(
    np.zeros((LAYERS, HEADS, 0, WIDTH), dtype=np.float32),
    np.zeros((LAYERS, HEADS, 0, WIDTH), dtype=np.float32),
)


class OnnxNetwork:
    """The network on the CPU, run by onnxruntime.

    A sentence is never batched with others, so its answer does not depend on its company.
    """

    def __init__(self, path: Path) -> None:
        # onnxruntime reports to its makers unless this stands before its import.
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"
        import onnxruntime  # here, since it is slow to import

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # each sentence has a thread of its own
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self.version = f"onnxruntime-{onnxruntime.__version__}"
        self._session: Any = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )

    def encode(self, ids: Ints) -> Encoded:
        """Encode a chunk of text, markers included."""
        return Encoded(*self._session.run(_ENCODED, inputs(ids, TEXT, NOTHING)))

    def read(self, ids: Ints, past: Encoded) -> Answer:
        """Read a sentence (pieces without markers) against encoded text."""
        framed = np.concatenate([[START], ids, [END]])
        classes, pieces = self._session.run(_READ, inputs(framed, SENTENCE, past))
        return Answer(classes, pieces[1:-1])


def inputs(ids: Ints, side: int, past: Encoded) -> Mapping[str, NDArray[Any]]:
    """The inputs of the graph."""
    return {
        "ids": ids,
        "positions": np.arange(len(ids), dtype=np.int64),
        "sides": np.full(len(ids), side, dtype=np.int64),
        "past_keys": past.keys,
        "past_values": past.values,
    }
