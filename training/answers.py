"""Step 4: let each fold's student read the events it was not trained on, as the product would.

    python -m training.answers ITEMS STUDENTS MINILM OUT.npz

STUDENTS holds student-0.npz to student-3.npz of `training.distil`. Each is exported and run by
onnxruntime on the sentences of its fold. OUT holds raw answers by event, narrative and sentence
and no text; `training.calibrate` and `bench/reader.py` read it.
"""

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from commonground.reader.network import OnnxNetwork
from commonground.reader.reader import raw_answer
from commonground.reader.text import PreparedText
from training.folds import FOLDS
from training.items import Item, read_items
from training.raw import Raw, save_raw

SOURCES = ("pairs", "three_way", "rumours", "policies", "news", "own", "realsumm")


def main() -> None:
    """Read everything out of fold and write the answers."""
    from training.export import export, student_from  # torch

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("items", type=Path)
    parser.add_argument("students", type=Path)
    parser.add_argument("minilm", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    items = [item for item in read_items(arguments.items) if item.source in SOURCES]
    found: list[Raw] = []
    with tempfile.TemporaryDirectory() as folder:
        for fold in range(FOLDS):
            path = Path(folder) / f"{fold}.onnx"
            export(student_from(arguments.students / f"student-{fold}.npz", arguments.minilm), path)
            network = OnnxNetwork(path)
            for item in items:
                if item.fold == fold:
                    found += _answers(network, item)
    save_raw(arguments.out, found)


def _answers(network: OnnxNetwork, item: Item) -> Iterator[Raw]:
    text = PreparedText(item.text)
    for claim in item.claims:
        near = [place for place in claim.near if text.sizes[place]]
        if not near or not claim.sentence.split():
            continue
        text.encode(network, near, None)
        row = raw_answer(network, claim.sentence, text, near)
        words = len(claim.sentence.split())
        if len(row):
            yield Raw(
                f"{item.source}:{item.id}:{'.'.join(map(str, claim.key))}",
                item.fold,
                row[:4],
                row[4 : 4 + words],
                row[4 + words :],
                np.array(sorted(near)),
            )


if __name__ == "__main__":
    main()
