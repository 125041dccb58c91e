"""How far two independent labellings of the same events agree: the ceiling for the reader.

    python bench/label_agreement.py DATA_FOLDER [--json FILE]

DATA_FOLDER holds reading/ with the first labels of the events that are not the project's own. All
labels were made by language-model readers who followed data/reading/PROTOCOL.md, each event by two
readers who saw nothing of each other. The second labelling is also used as a score for the first,
so that its figures stand beside those of `bench/reader.py`.
"""

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from training.figures import auc
from training.labels import LABELS, read_lines

OWN = Path(__file__).parent.parent / "data" / "reading"


def main() -> None:
    """Pair the labels, print agreement for each group of events."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    groups = paired(arguments.data)
    everything = [pair for pairs in groups.values() for pair in pairs]
    own = [pair for name, pairs in groups.items() if name.startswith("own") for pair in pairs]
    news = [*groups["pairs"], *groups["three_way"]]
    sums = [("news", news), ("own", own), ("all", everything)]
    rows = {name: figures(pairs) for name, pairs in [*groups.items(), *sums]}
    print("events twice labelled:", len({pair[2] for pair in everything}))
    print(
        f"{'group':12} {'events':>6} {'labels':>6} {'agree':>6} {'kappa':>6} {'words':>6}", end=""
    )
    print(f" {'shared':>7} {'stated':>7} {'contra':>7} {'in partly':>9}")
    for name, row in rows.items():
        print(f"{name:12} {row['events']:6} {row['labels']:6}", end="")
        for key in ("agree", "kappa", "words"):
            print(f" {row[key]:6.3f}", end="")
        for key, width in (("shared", 7), ("stated", 7), ("contradicted", 7), ("inside", 9)):
            print(f" {row[key]:{width}.3f}", end="")
        print()
    if arguments.json:
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


Pair = tuple[dict[str, Any], dict[str, Any], str]


def paired(data: Path) -> dict[str, list[Pair]]:
    """First and second label of every sentence that has both, by group of events."""
    first: dict[str, tuple[str, dict[tuple[int, int, int], dict[str, Any]]]] = {}
    for name in ("pairs", "three_way", "rumours"):
        for event in read_lines(data / "reading" / f"{name}.jsonl"):
            group = "policies" if event["kind"] == "policy" else name
            first[event["id"]] = group, _by_place(event["labels"])
    kinds = {event["id"]: event["kind"] for event in read_lines(OWN / "events.jsonl")}
    for event in read_lines(OWN / "labels.jsonl"):
        first[event["id"]] = f"own {kinds[event['id']]}", _by_place(event["labels"])
    found: dict[str, list[Pair]] = defaultdict(list)
    for name in ("labels-second.jsonl", "labels-second-standoff.jsonl"):
        for event in read_lines(OWN / name):
            group, labels = first[event["id"]]
            for place, label in _by_place(event["labels"]).items():
                found[group].append((labels[place], label, event["id"]))
    return dict(sorted(found.items()))


def _by_place(labels: list[dict[str, Any]]) -> dict[tuple[int, int, int], dict[str, Any]]:
    return {(label["n"], label["s"], label["in"]): label for label in labels}


def figures(pairs: list[Pair]) -> dict[str, float]:
    """Agreement, kappa, agreement of words inside partly, and the second labels as a score."""
    one = np.array([LABELS.index(pair[0]["label"]) for pair in pairs])
    two = np.array([LABELS.index(pair[1]["label"]) for pair in pairs])
    agree = float((one == two).mean())
    chance = sum((one == k).mean() * (two == k).mean() for k in range(len(LABELS)))
    both = [
        (np.array(a["words"]), np.array(b["words"]))
        for a, b, _ in pairs
        if a["label"] == b["label"] == "partly"
    ]
    words = float(np.concatenate([a == b for a, b in both]).mean()) if both else float("nan")
    inside = [
        (a["words"], b["words"] if b["words"] is not None else [0] * len(a["words"]))
        for a, b, _ in pairs
        if a["label"] == "partly"
    ]
    marks = np.array([mark for a, _ in inside for mark in a])
    scores = np.array([mark for _, b in inside for mark in b], dtype=float)
    use = one != LABELS.index("nothing")
    return {
        "events": len({pair[2] for pair in pairs}),
        "labels": len(pairs),
        "agree": agree,
        "kappa": float((agree - chance) / (1 - chance)),
        "words": words,
        "shared": auc(one[use] <= 1, (two[use] <= 1).astype(float)),
        "stated": auc(one[use] == 0, np.select([two[use] == 0, two[use] == 1], [1.0, 0.5], 0.0)),
        "contradicted": auc(one[use] == 2, (two[use] == 2).astype(float)),
        "inside": auc(marks > 0, scores),
    }


if __name__ == "__main__":
    main()
