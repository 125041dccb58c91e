"""Fit the direction that `sif` leaves out: the first component of a corpus's weighted means.

    python bench/fit_sif.py CORPUS --what TEXT --licence TEXT [--output FILE]

The corpus has one sentence a line. The file in the package was made from WordNet 3.0 (see
`wordnet_sentences.py`); it holds the direction and where it comes from.
"""

import argparse
import json
from hashlib import sha256
from pathlib import Path

import numpy as np

from commonground import models
from commonground.encoders.base import Vectors
from commonground.encoders.static import Component, SifEncoder

PACKAGED = Path(__file__).parents[1] / "src/commonground/encoders/data/sif-component.json"


def main() -> None:
    """Write the file and print how much of the corpus the direction explains."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path, help="one sentence a line")
    parser.add_argument("--what", required=True, help="what the corpus is")
    parser.add_argument("--licence", required=True, help="its licence and copyright, in a line")
    parser.add_argument("--output", type=Path, default=PACKAGED)
    arguments = parser.parse_args()
    content = arguments.corpus.read_bytes()
    sentences = [line for line in content.decode("utf-8").splitlines() if line.strip()]
    table = models.locate("static")
    direction, share = _first_component(_means(table, sentences))
    found = {
        "what": "the direction that the encoder sif leaves out: the first component, not centred, "
        "of the weighted mean token vectors of a corpus's sentences",
        "made_by": "bench/fit_sif.py",
        "table": table.fingerprint,
        "corpus": arguments.what,
        "corpus_licence": arguments.licence,
        "corpus_sha256": sha256(content).hexdigest(),
        "sentences": len(sentences),
        "share_of_squared_length": round(share, 4),
        "component": [float(f"{value:.6g}") for value in direction],
    }
    arguments.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(f"{len(sentences)} sentences; the direction holds {share:.1%} of their squared length")


def _means(table: models.Located, sentences: list[str]) -> Vectors:
    weights, tokenizer = table.paths.values()
    nothing = Component(np.zeros(256, dtype=np.float32), "")
    return SifEncoder("sif", nothing, weights, tokenizer)._encode_unique(sentences)


def _first_component(means: Vectors) -> tuple[Vectors, float]:
    values, directions = np.linalg.eigh(means.T.astype(np.float64) @ means)
    first = directions[:, -1]
    # Its sign means nothing; fixed, so that the file is the same each time.
    return first * np.sign(first[np.abs(first).argmax()]), float(values[-1] / values.sum())


if __name__ == "__main__":
    main()
