"""How good and how fast is each encoder: the built-in ones, or those that are named?

STS-B dev: Spearman's correlation of the cosines with the human similarities. Speed: sentences a
second, from a cold start of the vectors (no cache), on the same sentences.

    python bench/encoders.py DATA_FOLDER [--encoder NAME_OR_FOLDER ...] [--json OUT]

A fitted `wtmf` is named by its folder.
"""

import argparse
import csv
import json
import time
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

from commonground.encoders import Encoder, load
from commonground.errors import CommongroundError
from commonground.io import read_events
from commonground.text import sentences

OUT = Path(__file__).parent / "out"
ENCODERS = ("minilm", "minilm-fp32", "use", "static", "sif")


def main() -> None:
    """Print the table and write it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with sts/stsb-dev.csv and sos/")
    parser.add_argument("--json", type=Path, default=OUT / "encoders.json", help="the figures")
    parser.add_argument("--encoder", nargs="+", default=ENCODERS, help="instead of these")
    arguments = parser.parse_args()
    left, right, human = _pairs(arguments.data / "sts" / "stsb-dev.csv")
    events = read_events(arguments.data / "sos" / "allsides_dev.jsonl").values()
    long = [s for event in events for n in event.narratives[:1] for s in sentences(n.text)]
    rows = [_row(name, left, right, human, long) for name in arguments.encoder]
    print(f"{'encoder':<12} {'STS-B dev':>9} {'sentences/s: short':>18} {'news':>6}")
    for row in rows:
        if "missing" in row:
            print(f"{row['encoder']:<12} {row['missing']}")
            continue
        print(
            f"{row['encoder']:<12} {row['spearman']:>9.3f} {row['short_rate']:>18.0f} "
            f"{row['news_rate']:>6.0f}"
        )
    arguments.json.parent.mkdir(exist_ok=True)
    arguments.json.write_text(json.dumps(rows, indent=2))


def _pairs(path: Path) -> tuple[list[str], list[str], list[float]]:
    with path.open(encoding="utf-8", newline="") as stream:
        left, right, human = zip(*csv.reader(stream), strict=True)
    return list(left), list(right), [float(value) for value in human]


def _row(
    name: str, left: list[str], right: list[str], human: list[float], long: list[str]
) -> dict[str, object]:
    try:
        encoder = load(name, cache=False)
    except CommongroundError as error:
        return {"encoder": name, "missing": str(error)}
    encoder.encode(left[:10])
    vectors, short_rate = _timed(encoder, left + right)
    _, news_rate = _timed(encoder, long)
    cosines = np.sum(vectors[: len(left)] * vectors[len(left) :], axis=1)
    return {
        "encoder": encoder.name,
        "fingerprint": encoder.fingerprint[:8],
        "spearman": float(spearmanr(cosines, human).statistic),
        "short_rate": short_rate,
        "news_rate": news_rate,
    }


def _timed(encoder: Encoder, texts: list[str]) -> tuple[np.ndarray, float]:
    unique = len(set(texts))
    start = time.perf_counter()
    vectors = encoder.encode(texts)
    return vectors, unique / (time.perf_counter() - start)


if __name__ == "__main__":
    main()
