"""Calibrate the match threshold of each encoder: the minimum similarity of a segment to a unit.

    python bench/match_threshold.py DATA_FOLDER [--wtmf FOLDER] [--encoder NAME ...] [--write]

REALSumm: a unit is as similar to a summary as to its nearest segment over all
segmentations, as in WMIN; the threshold has the best balanced accuracy on the human labels
(present, absent), in steps of .01, the lowest of equals. Balanced accuracy does not depend on the
share of present units. For comparison, the table also has the threshold that separates the sentence
pairs of STS-B dev that people rated 4 or more from the others. `--write` puts the REALSumm
thresholds into the package. REALSumm: Bhandari et al. 2020, CC BY 4.0.
"""

import argparse
import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from commonground.encoders import Encoder, load
from commonground.errors import CommongroundError
from commonground.text import segment_all

HERE = Path(__file__).parent
TARGET = HERE.parent / "src/commonground/pyramid/data/match_thresholds.json"
ENCODERS = ("minilm", "minilm-fp32", "use", "static", "sif")
STEPS = np.arange(1, 100) / 100
SIMILAR = 4.0


def main() -> None:
    """Calibrate each encoder and print the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with scu/REALSumm and sts/stsb-dev.csv")
    parser.add_argument("--wtmf", help="folder of a saved Wtmf")
    parser.add_argument("--encoder", action="append", help="only these encoders")
    parser.add_argument("--write", action="store_true", help="write the package's thresholds")
    arguments = parser.parse_args()
    names = arguments.encoder or ENCODERS
    units, segments, labels = _realsumm(arguments.data / "scu" / "REALSumm")
    pairs, similar = _pairs(arguments.data / "sts" / "stsb-dev.csv")
    found: dict[str, dict[str, Any]] = {}
    print(
        f"{'encoder':<14}{'threshold':>10}{'balanced accuracy':>19}   within .01 of it; STS-B dev"
    )
    for name in (*names, *filter(None, [arguments.wtmf])):
        try:
            encoder = load(name)
        except CommongroundError as error:
            print(f"{name:<14}{error}")
            continue
        nearest = _nearest(encoder, units, segments)
        row = {
            "fingerprint": encoder.fingerprint[:8],
            **calibrated(nearest, labels),
            "sts": calibrated(_cosines(encoder, pairs), similar),
        }
        found[encoder.name] = row
        _print(encoder.name, row)
    out = HERE / "out" / "match_threshold.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    if arguments.write:
        _write(found)


def calibrated(values: np.ndarray, labels: np.ndarray) -> dict[str, Any]:
    """Return the threshold of best balanced accuracy, and those within .01 of it."""
    hits = np.array([(values[labels] >= step).mean() for step in STEPS])
    rejections = np.array([(values[~labels] < step).mean() for step in STEPS])
    accuracy = (hits + rejections) / 2
    near = STEPS[accuracy >= accuracy.max() - 0.01]
    return {
        "threshold": float(STEPS[np.argmax(accuracy)]),
        "balanced_accuracy": round(float(accuracy.max()), 4),
        "nearly": [float(near.min()), float(near.max())],
    }


def _nearest(
    encoder: Encoder, units: Sequence[Sequence[str]], segments: Sequence[Sequence[Sequence[str]]]
) -> np.ndarray:
    """Return the similarity of the nearest segment for each unit and summary of its document."""
    values = []
    for wanted, summaries in zip(units, segments, strict=True):
        known = list(dict.fromkeys(part for summary in summaries for part in summary))
        index = {part: number for number, part in enumerate(known)}
        cosines = encoder.encode(wanted) @ encoder.encode(known).T
        for summary in summaries:
            values.append(cosines[:, [index[part] for part in summary]].max(axis=1))
    return np.concatenate(values)


def _realsumm(
    folder: Path,
) -> tuple[list[list[str]], list[list[list[str]]], np.ndarray]:
    """Return units and segments of each summary by document, and a label for each pair."""
    units = [line.split("\t") for line in _lines(folder / "SCUs.txt")]
    paths = sorted((folder / "summaries").glob("*.summary"))
    summaries = [_lines(path) for path in paths]
    present = [_lines(folder / "labels" / f"{path.stem}.label") for path in paths]
    segments, labels = [], []
    for document in range(len(units)):
        texts = [" ".join(lines[document].split()) for lines in summaries]
        segments.append([_segments(found) for found in segment_all(texts)])
        for lines in present:
            labels += [label == "1" for label in lines[document].split("\t")]
    return units, segments, np.array(labels)


def _segments(found: Sequence[Any]) -> list[str]:
    return [
        part.text for sentence in found for segments in sentence.segmentations for part in segments
    ]


def _pairs(path: Path) -> tuple[tuple[list[str], list[str]], np.ndarray]:
    with path.open(encoding="utf-8", newline="") as stream:
        left, right, human = zip(*csv.reader(stream), strict=True)
    return (list(left), list(right)), np.array([float(value) >= SIMILAR for value in human])


def _cosines(encoder: Encoder, pairs: tuple[list[str], list[str]]) -> np.ndarray:
    left, right = pairs
    return np.sum(encoder.encode(left) * encoder.encode(right), axis=1)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").rstrip("\n").split("\n")


def _print(name: str, row: dict[str, Any]) -> None:
    low, high = row["nearly"]
    sts = row["sts"]
    print(
        f"{name:<14}{row['threshold']:>10.2f}{row['balanced_accuracy']:>19.3f}   "
        f"{low:.2f} to {high:.2f}; {sts['threshold']:.2f} ({sts['balanced_accuracy']:.3f})",
        flush=True,
    )


def _write(found: dict[str, dict[str, Any]]) -> None:
    known = json.loads(TARGET.read_text("utf-8"))["encoders"] if TARGET.exists() else {}
    rows = {
        name: {key: row[key] for key in ("threshold", "fingerprint", "balanced_accuracy")}
        for name, row in found.items()
    }
    content = {
        "what": "the least cosine at which a segment of a summary states a unit, by encoder",
        "rule": "best balanced accuracy of the summary's nearest segment, in steps of .01",
        "fitted_by": "bench/match_threshold.py",
        "fitted_on": "REALSumm (Bhandari et al. 2020), CC BY 4.0: 26,400 labels of 1,056 content "
        "units in 2,500 summaries",
        "encoders": dict(sorted((known | rows).items())),
    }
    TARGET.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
