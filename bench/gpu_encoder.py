"""How near are a GPU's vectors to the CPU's, and how many sentences a second does it encode?

    python bench/gpu_encoder.py --write vectors.npz                    # here: what the CPU gives
    python bench/gpu_encoder.py --expected vectors.npz [--device cuda] [--model model.onnx]

The first needs an ordinary install; it writes the vectors of sentences that are made of the words
of `examples/`. The second also runs where only torch, tokenizers, safetensors and numpy are: then
--model names the weights as a file, `model.onnx` of minilm or `model.safetensors`. Rates
are from text to vectors in memory, the tokenizer included.
"""

import argparse
import importlib.util
import json
import random
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parent.parent
OUT = Path(__file__).parent / "out"
_COMPARED = 2000  # sentences whose vectors the CPU gives too


def main() -> None:
    """Write the CPU's vectors, or print the table and write it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path, help="encode on the CPU, and keep it here")
    parser.add_argument("--expected", type=Path, help="what --write has kept")
    parser.add_argument("--device", default="cuda", help="what torch calls it")
    parser.add_argument("--model", type=Path, help="the weights; minilm's, where not given")
    parser.add_argument("--sentences", type=int, default=200_000, help="for the rate")
    parser.add_argument("--json", type=Path, default=OUT / "gpu_encoder.json", help="the figures")
    arguments = parser.parse_args()
    texts = _sentences(arguments.sentences)
    if arguments.write:
        from commonground.encoders import load

        start = time.perf_counter()
        vectors = load("minilm", cache=False).encode(texts[:_COMPARED])
        print(f"{_COMPARED / (time.perf_counter() - start):.0f} sentences/s on the CPU")
        np.savez(arguments.write, vectors=vectors)
        return
    row = _measured(_opened(arguments.model, arguments.device), texts, arguments.expected)
    for name, value in row.items():
        print(f"{name:<28} {value}")
    arguments.json.parent.mkdir(exist_ok=True)
    arguments.json.write_text(json.dumps(row, indent=2))


def _opened(model: Path | None, device: str) -> Any:
    if model:
        _without_the_rest()
    from commonground.encoders.weighted_bert import TorchBert

    if model is None:
        from commonground import models

        model = next(iter(models.locate("minilm").paths.values()))
    return TorchBert(model.stem, "0" * 64, model, device=device)


def _without_the_rest() -> None:
    """Let single modules be imported where what the package itself imports is not installed."""
    for name in ("commonground", "commonground.encoders"):
        folder = ROOT / "src" / name.replace(".", "/")
        spec = importlib.util.spec_from_file_location(
            name, folder / "__init__.py", submodule_search_locations=[str(folder)]
        )
        sys.modules[name] = importlib.util.module_from_spec(spec)  # and never executed


def _measured(encoder: Any, texts: list[str], expected: Path | None) -> dict[str, Any]:
    import torch

    row: dict[str, Any] = {"device": encoder.device, "torch": torch.__version__}
    if encoder.device != "cpu":
        row["name"] = torch.cuda.get_device_name(encoder.device)
    if expected:
        with np.load(expected) as kept:
            vectors = kept["vectors"]
        found = encoder.encode(texts[: len(vectors)])
        cosines = np.sum(found.astype(np.float64) * vectors, axis=1)
        row["sentences compared"] = len(vectors)
        row["least cosine"] = float(cosines.min())
        row["largest difference"] = float(np.abs(found - vectors).max())
    encoder.encode(texts)  # once before, so that the device is awake
    start = time.perf_counter()
    encoder.encode(texts)
    whole = time.perf_counter() - start
    start = time.perf_counter()
    encodings = encoder._encodings(texts)
    tokenizing = time.perf_counter() - start
    row["sentences"] = len(texts)
    row["word pieces a sentence"] = sum(len(one.ids) for one in encodings) / len(texts)
    row["sentences/s"] = len(texts) / whole
    row["sentences/s, tokenizer alone"] = len(texts) / tokenizing
    return row


def _sentences(count: int) -> list[str]:
    """Unlike sentences of 5 to 60 words, the same on every machine."""
    text = " ".join(path.read_text() for path in sorted((ROOT / "examples").rglob("*.txt")))
    words = sorted(set(text.split()))
    chance = random.Random(0)
    return [" ".join(chance.choices(words, k=chance.randint(5, 60))) + "." for _ in range(count)]


if __name__ == "__main__":
    main()
