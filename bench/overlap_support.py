"""Are the clauses of our summaries supported? A hundred of them, labelled by hand.

    python bench/overlap_support.py [--json OUT]

The clauses are those of summaries of the project's own examples, some asked for with six
sentences; `examples/support_labels.jsonl` says of each whether all narratives state it in full.
The pairs made to trap conflicts differ in one detail by design and are counted apart. Prints the
share that people find supported among the clauses of the default summaries, and how often the
measure `Support` agrees with people over all of them.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from commonground.metrics import Support
from commonground.narratives import Overlaps
from commonground.text import segment

EXAMPLES = Path(__file__).parents[1] / "examples"
TRAPS = "conflicts"


def main() -> None:
    """Print the two tables, and write the figures where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    rows = [json.loads(line) for line in _lines("support_labels.jsonl")]
    texts = _narratives()
    people = {(row["event"], row["clause"]): row["supported"] for row in rows}
    finder, measure = Overlaps(), Support()
    shares: dict[bool, list[bool]] = {False: [], True: []}
    unlabelled = 0
    for event in dict.fromkeys(row["event"] for row in rows):
        summary = finder.find(texts[event]).summary
        for part in (part for found in segment(summary) for part in found.finest):
            label = people.get((event, part.text))
            unlabelled += label is None
            if label is not None:
                shares[event.startswith(TRAPS)].append(label)
    figures = {}
    print("supported by hand, in default summaries")
    for traps, labels in shares.items():
        name = "traps" if traps else "examples"
        print(f"  {name:<10}{np.mean(labels):.2f} of {len(labels)} clauses")
        figures[f"supported by hand, {name}"] = float(np.mean(labels))
    print(f"  without a label: {unlabelled}")
    judged = [_supported(measure, row["clause"], texts[row["event"]]) for row in rows]
    labels = np.array([row["supported"] for row in rows])
    found = np.array(judged)
    print("the measure beside people, over all clauses")
    print(f"  agreement {np.mean(found == labels):.2f}")
    print(f"  of what it calls supported, people agree with {labels[found].mean():.2f}")
    print(f"  of what people call supported, it finds {found[labels].mean():.2f}")
    figures["the measure and people agree"] = float(np.mean(found == labels))
    figures["precision of the measure"] = float(labels[found].mean())
    figures["recall of the measure"] = float(found[labels].mean())
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def _supported(measure: Support, clause: str, narratives: list[str]) -> bool:
    return all(one.supported for one in measure.score([clause], narratives).clauses)


def _narratives() -> dict[str, list[str]]:
    found = {
        f"overlap/{folder.name}": [p.read_text("utf-8") for p in sorted(folder.glob("*.txt"))]
        for folder in (EXAMPLES / "overlap").iterdir()
        if folder.is_dir()
    }
    for prefix, name in (
        ("study", "study/events.jsonl"),
        ("events", "events.jsonl"),
        ("conflicts", "conflicts.jsonl"),
        ("conflicts_held_out", "conflicts_held_out.jsonl"),
    ):
        for row in map(json.loads, _lines(name)):
            found[f"{prefix}/{row['id']}"] = [one["text"] for one in row["narratives"]]
    return found


def _lines(name: str) -> list[str]:
    return (EXAMPLES / name).read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    main()
