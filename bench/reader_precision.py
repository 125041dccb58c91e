"""What products of whole numbers change in the reader's answers, and how much faster they are.

    python bench/reader_precision.py DATA EXACT.onnx [--events 100] [--json FILE]

EXACT.onnx is the same student written by `training.export --exact`, which multiplies in 32 bits.
Both read the labelled sentences of some events under DATA and of the project's own events. The
reader was trained on most of them, so only the differences of the areas count, not the areas. Times
are of one thread: sentences of 33 word pieces against 16 sentences, and a chunk of 350 pieces.
"""

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

os.environ["COMMONGROUND_CACHE_SIZE"] = "0"
sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

from commonground import models
from commonground.reader import Reader, Reading
from commonground.reader.network import NOTHING, OnnxNetwork, Question
from training.figures import auc
from training.items import CONTRADICTED, PARTLY, STATED, Claim, Item
from training.prepare import labelled_items

OWN = ("own", "disputed")
ROUNDS = 40


def main() -> None:
    """Print the figures of both networks and write them where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("exact", type=Path)
    parser.add_argument("--events", type=int, default=100, help="events of DATA that are read")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    items = list(labelled_items(arguments.data))
    others = [item for item in items if item.source not in OWN]
    random.Random(0).shuffle(others)
    chosen = others[: arguments.events] + [item for item in items if item.source in OWN]
    shipped = models.locate("reader").paths["reader.onnx"]
    found, readings = {}, {}
    for name, path in (("32 bits", arguments.exact), ("shipped", shipped)):
        readings[name] = read(path, chosen)
        found[name] = areas(readings[name]) | seconds(path)
        print(name, found[name])
    found["differences"] = differences(readings["32 bits"], readings["shipped"])
    print("differences", found["differences"])
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def read(path: Path, items: list[Item]) -> list[tuple[Claim, Reading]]:
    """Read all labelled sentences."""
    reader = Reader(cache=False, weights=path)
    found = []
    for item in items:
        claims = [one for one in item.claims if one.evidence is not None and one.allowed]
        readings = reader.read([claim.sentence for claim in claims], list(item.text))
        found += zip(claims, readings, strict=True)
    return found


def areas(rows: list[tuple[Claim, Reading]]) -> dict[str, float]:
    """The areas under the curve of one network."""
    label = np.array([claim.allowed[0] for claim, _ in rows])
    inside = [
        (mark, word.within)
        for claim, reading in rows
        if claim.allowed[0] == PARTLY and claim.words
        for mark, word in zip(claim.words, reading.words, strict=False)
    ]
    marks, within = np.array(inside).T
    figures = {
        "stated or partly": auc(label <= PARTLY, np.array([one.shared for _, one in rows])),
        "stated": auc(label == STATED, np.array([one.stated for _, one in rows])),
        "contradicted": auc(label == CONTRADICTED, np.array([one.contradicted for _, one in rows])),
        "words inside partly": auc(marks > 0, within),
    }
    return {name: round(value, 4) for name, value in figures.items()} | {"sentences": len(rows)}


def differences(
    first: list[tuple[Claim, Reading]], second: list[tuple[Claim, Reading]]
) -> dict[str, float]:
    """How far the probabilities of two networks are apart."""
    pairs = [(one, other) for (_, one), (_, other) in zip(first, second, strict=True)]
    labels = np.array([np.subtract(one.probabilities, other.probabilities) for one, other in pairs])
    words = np.array(
        [
            mine.support - theirs.support
            for one, other in pairs
            for mine, theirs in zip(one.words, other.words, strict=True)
        ]
    )
    return {
        "labels, mean": round(float(np.abs(labels).mean()), 4),
        "labels, 99%": round(float(np.quantile(np.abs(labels), 0.99)), 4),
        "words, mean": round(float(np.abs(words).mean()), 4),
        "words, 99%": round(float(np.quantile(np.abs(words), 0.99)), 4),
        "other label": round(float(np.mean([one.label != other.label for one, other in pairs])), 4),
    }


def seconds(path: Path) -> dict[str, float]:
    """Milliseconds of a sentence and of a chunk, the median of some rounds."""
    network, chance = OnnxNetwork(path), np.random.default_rng(0)
    chunk = chance.integers(1000, 20_000, 350)
    (encoded,) = network.encode([chunk])
    question = Question(chance.integers(1000, 20_000, 33), [encoded])
    alone = Question(question.ids, [NOTHING])
    return {
        "ms a sentence": _milliseconds(lambda: network.read([question])),
        "ms a sentence without text": _milliseconds(lambda: network.read([alone])),
        "ms a chunk": _milliseconds(lambda: network.encode([chunk])),
    }


def _milliseconds(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return round(1000 * float(np.median(taken)), 2)


if __name__ == "__main__":
    main()
