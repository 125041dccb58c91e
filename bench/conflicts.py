"""How well conflicts are found: `python bench/conflicts.py [FOLDER] [--mistakes] [--only FILE]`.

They are those that `Overlaps` reports.

FOLDER, `examples` by default, holds pairs of short texts (`conflicts*.jsonl`) and of narratives
(`conflict_narratives*.jsonl`); `docs/conflicts.md` says which were used to make the rules. Rows
are {"id", "narratives", "conflicts": [{"kind", "values"[, "places"]}]}. Of short texts a found
conflict is right when it has the kind of an expected one and its values hold, or are held by, the
expected; of narratives when it has the values, in the sentences in which "places" stand.

`--published DATA` (a folder with sos/allsides_dev.jsonl and sos/policies_dev.jsonl) instead lists
what is reported for pairs of published texts, of which nobody has written down the conflicts.
"""

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from commonground.io import each_event
from commonground.narratives import Conflict, Overlaps

KINDS = ("number", "name", "place", "date", "negation", "quality")
FILES = (
    "conflicts.jsonl",
    "conflicts_held_out.jsonl",
    "conflict_narratives.jsonl",
    "conflict_narratives_more.jsonl",
    "conflict_narratives_held_out.jsonl",
)
PUBLISHED = ("allsides_dev.jsonl", "policies_dev.jsonl")


def main() -> None:
    """Find the conflicts of every pair, and print precision and recall by kind."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path, nargs="?", default=Path("examples"))
    options.add_argument("--mistakes", action="store_true", help="show what is wrong or missed")
    options.add_argument("--only", choices=FILES, help="run one file")
    options.add_argument("--json", type=Path, help="write the figures to this file as well")
    options.add_argument("--published", type=Path, help="list those of published pairs instead")
    given = options.parse_args()
    finder = Overlaps()
    if given.published:
        files = [given.published / "sos" / name for name in PUBLISHED]
        table: dict[str, Any] = {path.name: published(path, finder) for path in files}
    else:
        table = written(given, finder)
    if given.json:
        given.json.write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")


def written(given: argparse.Namespace, finder: Overlaps) -> dict[str, dict[str, dict[str, int]]]:
    """Precision and recall on the pairs written for the purpose, printed and returned."""
    table = {}
    for name in [given.only] if given.only else FILES:
        lines = (given.folder / name).read_text(encoding="utf-8").splitlines()
        table[name] = measure([json.loads(line) for line in lines], finder, given.mistakes)
        print(f"\n{name}: {len(lines)} pairs")
        print(f"{'kind':<10}{'expected':>9}{'found':>7}{'right':>7}{'precision':>11}{'recall':>8}")
        for kind, row in table[name].items():
            print(
                f"{kind:<10}{row['expected']:>9}{row['found']:>7}{row['right']:>7}"
                f"{row['right'] / max(row['found'], 1):>11.2f}"
                f"{row['right'] / max(row['expected'], 1):>8.2f}"
            )
    return table


def published(path: Path, finder: Overlaps) -> dict[str, int]:
    """How many pairs there are and how many conflicts are reported; these are printed."""
    pairs = conflicts = 0
    for event in each_event(path):
        pairs += 1
        for conflict in finder.find(event.narratives).conflicts:
            conflicts += 1
            print(f"\n{path.name} {event.id}: {conflict.kind}")
            for side in conflict.sides:
                print(f"  {side.value!r}: {' '.join(side.text.split())}")
    print(f"\n{path.name}: {pairs} pairs, {conflicts} conflicts")
    return {"pairs": pairs, "conflicts": conflicts}


def measure(
    rows: list[dict[str, Any]], finder: Overlaps, mistakes: bool
) -> dict[str, dict[str, int]]:
    """Counts of expected, found and right conflicts, by kind and for all."""
    expected: Counter[str] = Counter()
    found: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for row in rows:
        open_ = list(row["conflicts"])
        expected.update(one["kind"] for one in open_)
        texts = [one["text"] for one in row["narratives"]]
        for conflict in finder.find(texts).conflicts:
            match = next((one for one in open_ if matches(conflict, one)), None)
            kind = match["kind"] if match is not None else conflict.kind
            found[kind] += 1
            if match is not None:
                right[kind] += 1
                open_.remove(match)
            elif mistakes:
                print("WRONG ", row["id"], conflict.kind, [s.value for s in conflict.sides])
        for one in open_ if mistakes else ():
            print("MISSED", row["id"], one["kind"], one["values"])
    counts = {"expected": expected, "found": found, "right": right}
    table = {kind: {name: count[kind] for name, count in counts.items()} for kind in KINDS}
    table["all"] = {name: count.total() for name, count in counts.items()}
    return table


def matches(conflict: Conflict, expected: dict[str, Any]) -> bool:
    """Whether both values are the expected ones, but for a hedge or an auxiliary."""
    places = expected.get("places")
    if places is None and conflict.kind != expected["kind"]:
        return False
    pairs = zip(conflict.sides, expected["values"], places or ("", ""), strict=True)
    return all(
        (side.value in value or value in side.value) and place in side.text
        for side, value, place in pairs
    )


if __name__ == "__main__":
    main()
