"""Step 5: let each fold's student read the events it was not trained on, as the product would.

    python -m training.answers ITEMS OUT.npz FOLD=STUDENT.onnx ...

Each STUDENT, exported by `training.export`, reads the sentences of the fold that it was not trained
on, run by onnxruntime. FOLD -1 is the shipped model on events that were labelled after its
training. OUT holds raw answers by event, narrative and sentence and no text.
"""

import argparse
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from commonground import encoders
from commonground.reader import PreparedText
from commonground.reader.network import OnnxNetwork
from commonground.reader.reader import raw_answers
from training.items import Item, read_items
from training.labelled import key_of
from training.raw import Raw, save_raw

SOURCES = ("pairs", "three_way", "rumours", "policies", "news", "own", "disputed", "realsumm")


def main() -> None:
    """Read everything out of fold and write the answers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("items", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("students", nargs="+", metavar="FOLD=STUDENT.onnx")
    arguments = parser.parse_args()
    students = dict(student.split("=", 1) for student in arguments.students)
    networks = {int(fold): OnnxNetwork(Path(path)) for fold, path in students.items()}
    items = [
        item
        for item in read_items(arguments.items)
        if item.source in SOURCES and item.fold in networks
    ]
    texts = {text for item in items for text in item.text}
    texts |= {claim.sentence for item in items for claim in item.claims}
    encoders.load().encode(sorted(texts))  # all at once, into the cache
    with ThreadPoolExecutor() as pool:
        parts = pool.map(lambda item: list(_answers(networks[item.fold], item)), items)
        save_raw(arguments.out, [row for part in parts for row in part])


def _answers(network: OnnxNetwork, item: Item) -> Iterator[Raw]:
    encoder = encoders.load()
    text = PreparedText(item.text)
    vectors = encoder.encode(list(item.text))
    own = encoder.encode([claim.sentence for claim in item.claims])
    for claim, vector in zip(item.claims, own, strict=True):
        cosines = np.round(vectors @ vector, 5)
        near = text.near(cosines)
        if not near or not claim.sentence.split():
            continue
        past = text.past(near, text.encode(network, near, None))
        (row,) = raw_answers(network, [claim.sentence], [past])
        if len(row):
            key = key_of(item, claim.key)
            yield Raw(key, item.fold, row[:4], row[4:], cosines)


if __name__ == "__main__":
    main()
