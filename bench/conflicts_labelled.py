"""How many of the labelled conflicts are found: `python bench/conflicts_labelled.py DATA`.

DATA holds reading/ (labelled events); the project's own events come from data/reading.
Language-model readers listed every pair of sentences that cannot both be true, a *plain*
contradiction or other emphasis. A conflict that is found is right if it stands between two such
sentences, or if readers called one of the two contradicted by the other narrative.
"""

import argparse
import sys
from bisect import bisect_right
from itertools import accumulate
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from commonground.narratives import Side
from commonground.narratives.comparison import facts_of
from commonground.narratives.conflicts.find import conflicts_of, reported
from commonground.narratives.reading import Readings
from commonground.pyramid.evidence import Evidence
from training.labels import read_lines
from training.prepare import OWN

Place = tuple[int, int]


def main() -> None:
    """Print a line for each set of events."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    data = parser.parse_args().data / "reading"
    texts = {row["id"]: row for row in read_lines(OWN / "events.jsonl")}
    own = [{**texts[row["id"]], **row} for row in read_lines(OWN / "labels.jsonl")]
    sets = {
        "news and policies": read_lines(data / "pairs.jsonl"),
        "three-way news": read_lines(data / "three_way.jsonl"),
        "rumours": read_lines(data / "rumours.jsonl"),
        "own events": [row for row in own if not row["id"].startswith(("pa-", "pb-"))],
        "own policies": [row for row in own if row["id"].startswith(("pa-", "pb-"))],
    }
    evidence = Evidence()
    print(f"{'':20}{'events':>8}{'found':>8}{'right':>8}{'plain':>8}{'of them found':>15}")
    for name, rows in sets.items():
        counts = [_judged(row, evidence) for row in rows]
        found, right, plain, hit = (sum(column) for column in zip(*counts, strict=True))
        print(f"{name:20}{len(rows):>8}{found:>8}{right:>8}{plain:>8}{hit:>15}", flush=True)


def _judged(row: dict[str, Any], evidence: Evidence) -> tuple[int, int, int, int]:
    """Conflicts found, right ones, labelled plain ones, and those of them that are found."""
    texts = [" ".join(sentences) for sentences in row["narratives"]]
    starts = [
        [0, *accumulate(len(one) + 1 for one in sentences)][:-1] for sentences in row["narratives"]
    ]
    facts = facts_of(Readings(texts, evidence))
    found = [
        tuple(_place(side, starts) for side in conflict.sides)
        for conflict in reported(conflicts_of(facts))
    ]
    labelled = {frozenset(_places(one)): one["hard"] for one in row.get("conflicts", ())}
    against = {
        (one["n"], one["s"], one["in"]) for one in row["labels"] if one["label"] == "contradicted"
    }
    right = [
        frozenset(sides) in labelled
        or any((*one, other[0]) in against for one, other in (sides, sides[::-1]))
        for sides in found
    ]
    plain = {sides for sides, hard in labelled.items() if hard}
    return len(found), sum(right), len(plain), len(plain & set(map(frozenset, found)))


def _places(conflict: dict[str, Any]) -> tuple[Place, Place]:
    """Narrative and sentence of both sides; pairs of two and sets of three are written apart."""
    if "left" in conflict:
        return (0, conflict["left"]), (1, conflict["right"])
    one, other = (tuple(conflict[side]) for side in ("a", "b"))
    return one, other


def _place(side: Side, starts: list[list[int]]) -> Place:
    return side.narrative, bisect_right(starts[side.narrative], side.value_start) - 1


if __name__ == "__main__":
    main()
