"""Sentences that language models wrote, judged blind against both sources: does `verify` agree?

    python bench/verify_judged.py DATA_FOLDER [--json FILE]

99 sentences of 50 systems' summaries of nine news events. Language-model readers who had not seen
`verify` read both sources and labelled each sentence against each. The labels stand off the texts
(data/reading/labels-summaries.jsonl: event, system, offsets). DATA_FOLDER holds sos/allsides_*.
"""

import argparse
import json
import sys
import warnings
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from commonground import encoders
from commonground.io import read_events
from commonground.narratives import Checker
from commonground.narratives.verification.checker import STATED
from commonground.text import sentences
from training.figures import auc
from training.labels import read_lines
from verify_outputs import _outputs as system_outputs

JUDGED = Path(__file__).parent.parent / "data" / "reading" / "labels-summaries.jsonl"
THRESHOLDS = (0.1, 0.2, STATED, 0.4, 0.5)


def main() -> None:
    """Verify each judged sentence by itself and print precision and recall."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # some systems answer in other languages
    rows = read_lines(JUDGED)
    folder = arguments.data / "sos"
    events = read_events(folder / "allsides_dev.jsonl")
    outputs = system_outputs(
        folder / "allsides_system_outputs.jsonl.gz", {row["event"] for row in rows}
    )
    checkers = {name: Checker(events[name].narratives) for name in {row["event"] for row in rows}}
    chances, cosines, fully, shared = [], [], [], []
    for row in rows:
        text = outputs[row["system"]][row["event"]][row["start"] : row["end"]]
        checked = checkers[row["event"]].verify(text).sentences
        against = any(one.label == "contradicted" for one in checked)
        chances.append(0.0 if against else min(one.probability for one in checked))
        cosines.append(_cosine(text, [one.text for one in events[row["event"]].narratives]))
        fully.append(set(row["labels"]) == {"stated"})
        shared.append(set(row["labels"]) <= {"stated", "partly"})
    score, full, part = np.array(chances), np.array(fully), np.array(shared)
    found = {"sentences": len(rows), "fully stated": full.mean(), "shared": part.mean()}
    found |= {"auc": auc(full, score), "auc of the cosine": auc(full, np.array(cosines))}
    print(", ".join(f"{key} {value:.3f}" for key, value in found.items()))
    print("threshold   kept  fully stated  recall  at least partly")
    for threshold in sorted(set(THRESHOLDS)):
        kept = score >= threshold
        line = (kept.mean(), full[kept].mean(), kept[full].mean(), part[kept].mean())
        print(f"{threshold:9} {line[0]:6.2f} {line[1]:13.2f} {line[2]:7.2f} {line[3]:16.2f}")
        found[str(threshold)] = line
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def _cosine(text: str, sources: list[str]) -> float:
    """The nearest sentence of each source; the source with the farthest one counts."""
    encoder = encoders.load()
    (vector,) = encoder.encode([text])
    return min(float((encoder.encode(sentences(source)) @ vector).max()) for source in sources)


if __name__ == "__main__":
    main()
