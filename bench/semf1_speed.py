"""SEM-F1 with `minilm`: ours, sentence-transformers pair by pair, and onnxruntime's bare batches.

Ours is the whole measure from text to scores, without cached vectors. The pair by pair way is that
of the authors' metric: for each summary and reference, the sentences of both are encoded anew, by
sentence-transformers with the same model in full precision; its rate is taken on a sample. Bare
batches are the word pieces of the same sentences, ready made, through onnxruntime alone; ours and
bare ones take turns on slices of the summaries, and the median of the shares counts, since machines
have moods.

To be run where the extra `[hub]` is installed, after `commonground models fetch minilm-fp32`.

    python bench/semf1_speed.py DATA_FOLDER [--outputs 6850] [--sample 40] [--slices 7] [--json OUT]
"""

import argparse
import gzip
import json
import random
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from commonground import models
from commonground.encoders import load, wordpiece_tokenizer
from commonground.encoders.bert import _PIECES_AT_ONCE, LONGEST_INPUT, equally_long
from commonground.metrics import SemF1
from commonground.text import sentences

OUT = Path(__file__).parent / "out"
SLICE = 150
Pairs = list[tuple[str, list[str]]]


def main() -> None:
    """Print the table and write it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with sos/allsides_*")
    parser.add_argument("--outputs", type=int, default=6850, help="summaries that ours scores")
    parser.add_argument("--sample", type=int, default=40, help="summaries scored pair by pair")
    parser.add_argument("--slices", type=int, default=7, help="on which bare batches are compared")
    parser.add_argument("--json", type=Path, default=OUT / "semf1_speed.json", help="the figures")
    arguments = parser.parse_args()
    pairs = _pairs(arguments.data)[: arguments.outputs]
    ours = _ours(pairs)
    shares = [_share(pairs[start : start + SLICE]) for start in _starts(pairs, arguments.slices)]
    theirs = _pair_by_pair(pairs[: arguments.sample]) / arguments.sample * len(pairs)
    row = {
        "summaries": len(pairs),
        "summaries/s": len(pairs) / ours,
        "summaries/s pair by pair": len(pairs) / theirs,
        "times faster": theirs / ours,
        "share of onnxruntime's rate": median(shares),
        "least share": min(shares),
        "largest share": max(shares),
    }
    for name, value in row.items():
        print(f"{name:<28} {value:.2f}" if isinstance(value, float) else f"{name:<28} {value}")
    arguments.json.parent.mkdir(exist_ok=True)
    arguments.json.write_text(json.dumps(row, indent=2))


def _pairs(folder: Path) -> Pairs:
    lines = (folder / "sos/allsides_references.jsonl").read_text(encoding="utf-8").splitlines()
    references = {row["id"]: row["references"] for row in map(json.loads, lines)}
    with gzip.open(folder / "sos/allsides_system_outputs.jsonl.gz", "rt", encoding="utf-8") as file:
        found = [(row["summary"], references[row["id"]]) for row in map(json.loads, file)]
    random.Random(0).shuffle(found)  # so that a sample has all systems
    return found


def _starts(pairs: Pairs, slices: int) -> range:
    return range(0, min(len(pairs), slices * SLICE), SLICE)


def _ours(pairs: Pairs) -> float:
    measure = SemF1(load("minilm", cache=False))
    measure.score("Ready.", ["Ready."])
    start = time.perf_counter()
    measure.corpus([summary for summary, _ in pairs], [references for _, references in pairs])
    return time.perf_counter() - start


def _share(pairs: Pairs) -> float:
    """How much of ours is what onnxruntime needs; its time before and after ours counts."""
    encoder, batches = _batches(pairs)
    before, ours, after = _bare(encoder, batches), _ours(pairs), _bare(encoder, batches)
    return (before + after) / 2 / ours


def _batches(pairs: Pairs) -> tuple[Any, list[Any]]:
    encoder: Any = load("minilm", cache=False)
    texts = {text for summary, references in pairs for text in (summary, *references)}
    unlike = {" ".join(sentence.split()) for text in texts for sentence in sentences(text)}
    encodings = encoder._encodings(sorted(unlike, key=len))
    return encoder, [
        np.array([encodings[place].ids for place in group], dtype=np.int64)
        for group in equally_long(encodings, _PIECES_AT_ONCE)
    ]


def _bare(encoder: Any, batches: list[Any]) -> float:
    start = time.perf_counter()
    encoder._on_threads(encoder._hidden, batches)
    return time.perf_counter() - start


def _pair_by_pair(pairs: Pairs) -> float:
    with tempfile.TemporaryDirectory() as folder:
        model = _sentence_transformer(Path(folder))
        model.encode(["Ready."])
        start = time.perf_counter()
        for summary, references in pairs:
            if not summary.strip():
                continue
            for reference in filter(str.strip, references):
                left, right = (
                    model.encode(sentences(text), normalize_embeddings=True)
                    for text in (summary, reference)
                )
                cosines = left @ right.T
                cosines.max(axis=0).mean(), cosines.max(axis=1).mean()
        return time.perf_counter() - start


def _sentence_transformer(folder: Path) -> Any:
    """The model as sentence-transformers loads it, out of the weights that ours were made of."""
    import torch
    import transformers
    from safetensors.torch import load_file
    from sentence_transformers import SentenceTransformer
    from sentence_transformers import models as modules

    weights = load_file(models.locate("minilm-fp32").paths["model.safetensors"])
    config = transformers.BertConfig(
        hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536
    )
    bert = transformers.BertModel(config, add_pooling_layer=False)
    bert.load_state_dict(weights, strict=False)
    bert.save_pretrained(folder)
    vocabulary = wordpiece_tokenizer().get_vocab()
    words = "\n".join(sorted(vocabulary, key=vocabulary.__getitem__))
    (folder / "vocab.txt").write_text(words, encoding="utf-8")
    transformers.BertTokenizerFast(vocab_file=str(folder / "vocab.txt")).save_pretrained(folder)
    transformer = modules.Transformer(str(folder), max_seq_length=LONGEST_INPUT)
    pooling = modules.Pooling(384, pooling_mode="mean")
    model = SentenceTransformer(modules=[transformer, pooling], device="cpu")
    torch.set_grad_enabled(False)
    return model


if __name__ == "__main__":
    main()
