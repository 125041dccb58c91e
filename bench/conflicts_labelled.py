"""How many of the labelled conflicts are found.

    python bench/conflicts_labelled.py DATA --readers FOLDER [--json OUT]

DATA holds reading/ (labelled events); the project's own events come from data/reading. FOLDER holds
0.onnx to 3.onnx, the fold models that docs/reader.md makes: each event is read by a model that was
not trained on it. Without `--readers` the shipped reader is used, which has seen these events. No
reader was trained on the own policies.

Language-model readers listed every pair of sentences that cannot both be true, a *plain*
contradiction or other emphasis. A conflict that is found is right if it stands between two such
sentences, or if readers called one of the two contradicted by the other narrative.
"""

import argparse
import json
import sys
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from commonground.encoders import DEFAULT, TokenEncoder
from commonground.narratives import Conflict, Side
from commonground.narratives.comparison import facts_of
from commonground.narratives.conflicts.disputed import Disputed
from commonground.narratives.conflicts.find import Facts, meetings_of, reported
from commonground.narratives.conflicts.likely import Read, likely
from commonground.narratives.reading import Readings
from commonground.narratives.statements.find import Finder
from commonground.reader import Reader
from commonground.reading import token_encoder
from training.conflicts import places_of
from training.folds import FOLDS, KNOWN
from training.labels import read_lines
from training.prepare import OWN

Counts = tuple[int, int, int, int]


def main() -> None:
    """Print a line for each set of events."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--readers", type=Path)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    table = {}
    encoder, readers = token_encoder(DEFAULT), readers_of(given.readers)
    print(f"{'':20}{'events':>8}{'reported':>9}{'right':>8}{'plain':>8}{'of them found':>15}")
    for name, rows in labelled_sets(given.data).items():
        counts = []
        for row in rows:
            reader = readers[row["fold"]]
            facts, read = read_event(texts_of(row), encoder, reader)
            counts.append(judged(row, conflicts_told(facts, read, reader)))
        found, right, plain, hit = (sum(column) for column in zip(*counts, strict=True))
        print(f"{name:20}{len(rows):>8}{found:>9}{right:>8}{plain:>8}{hit:>15}", flush=True)
        columns = ("events", "reported", "right", "plain", "of them found")
        table[name] = dict(zip(columns, (len(rows), found, right, plain, hit), strict=True))
    if given.json:
        given.json.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


def readers_of(folder: Path | None) -> dict[int, Reader]:
    """A reader for each fold, and for events in none (-1)."""
    if folder is None:
        return dict.fromkeys(range(-1, FOLDS), Reader())
    found = {fold: Reader(weights=folder / f"{fold}.onnx") for fold in range(FOLDS)}
    return {**found, -1: found[0]}


def labelled_sets(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The labelled events with their folds, by where they come from."""
    data = folder / "reading"
    folds = json.loads(KNOWN.read_text(encoding="utf-8"))
    texts = {row["id"]: row for row in read_lines(OWN / "events.jsonl")}
    own = [{**texts[row["id"]], **row} for row in read_lines(OWN / "labels.jsonl")]
    sets = {
        "news and policies": read_lines(data / "pairs.jsonl"),
        "three-way news": read_lines(data / "three_way.jsonl"),
        "rumours": read_lines(data / "rumours.jsonl"),
        "own events": [row for row in own if not row["id"].startswith(("pa-", "pb-"))],
        "own policies": [row for row in own if row["id"].startswith(("pa-", "pb-"))],
    }
    return {
        name: [{**row, "fold": folds.get(row["id"], -1)} for row in rows]
        for name, rows in sets.items()
    }


def texts_of(row: dict[str, Any]) -> list[str]:
    """The narratives of an event as texts."""
    return [" ".join(sentences) for sentences in row["narratives"]]


def read_event(
    texts: Sequence[str], encoder: TokenEncoder, reader: Reader
) -> tuple[list[Facts], Read]:
    """What the narratives say, and how the reader reads each against the others."""
    readings = Readings(texts, encoder)
    facts = facts_of(readings)
    return facts, Finder(readings, reader, 2, Disputed(readings, facts, ())).read


def conflicts_told(facts: Sequence[Facts], read: Read, reader: Reader) -> tuple[Conflict, ...]:
    """The conflicts between two narratives each that the product reports."""
    return reported(likely(facts, meetings_of(facts), read, reader))


def judged(row: dict[str, Any], conflicts: Sequence[Conflict]) -> Counts:
    """Conflicts reported, right ones, labelled plain ones, and those of them that are found."""
    starts = [
        [0, *accumulate(len(one) + 1 for one in sentences)][:-1] for sentences in row["narratives"]
    ]
    found = [tuple(_place(side, starts) for side in conflict.sides) for conflict in conflicts]
    labelled = {frozenset(places_of(one)): one["hard"] for one in row.get("conflicts", ())}
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


def _place(side: Side, starts: list[list[int]]) -> tuple[int, int]:
    return side.narrative, bisect_right(starts[side.narrative], side.value_start) - 1


if __name__ == "__main__":
    main()
