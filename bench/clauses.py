"""Speed and yield of the clauses: `python bench/clauses.py DATA_FOLDER [--json FILE]`.

DATA_FOLDER holds `sos/allsides_dev.jsonl` (rows with "narratives") and `pyramid/cc/model` and
`pyramid/cc/peers` (one summary a file). The model is loaded before the clock starts; sentences are
new to it. Prints a table.
"""

import argparse
import json
import time
from collections import Counter
from pathlib import Path

from commonground.text import PARSER, SegmentedSentence, parse, segment, segment_all

PARTS = ("narratives", "references", "students")


def main() -> None:
    """Measure each set of texts and print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--json", type=Path, help="write the figures to this file as well")
    given = options.parse_args()
    segment("Load the model.")
    table = {name: measure(texts_of(given.folder, name)) for name in PARTS}
    print(f"{PARSER}\n")
    print(f"{'':<30}" + "".join(f"{name:>12}" for name in table))
    for figure in next(iter(table.values())):
        cells = (row[figure] for row in table.values())
        shown = (f"{cell:,}" if isinstance(cell, int) else f"{cell:,.1f}" for cell in cells)
        print(f"{figure:<30}" + "".join(f"{cell:>12}" for cell in shown))
    if given.json:
        given.json.write_text(
            json.dumps({"parser": PARSER, "sets": table}, indent=2) + "\n", encoding="utf-8"
        )


def texts_of(folder: Path, name: str) -> list[str]:
    """The texts of one set."""
    if name == "narratives":
        lines = (folder / "sos/allsides_dev.jsonl").read_text(encoding="utf-8").splitlines()
        return [one["text"] for line in lines for one in json.loads(line)["narratives"]]
    inner = {"references": "model", "students": "peers"}[name]
    files = sorted((folder / "pyramid/cc" / inner).glob("*.txt"))
    return [file.read_text(encoding="utf-8-sig", errors="replace") for file in files]


def measure(texts: list[str]) -> dict[str, float]:
    """Sentences a second by the clock and by CPU time, and what comes out."""
    clock, cpu = time.perf_counter(), time.process_time()
    found = [sentence for text in segment_all(texts) for sentence in text]
    clock, cpu = time.perf_counter() - clock, time.process_time() - cpu
    distinct = len({sentence.sentence.text for sentence in found})
    named = time.perf_counter()
    parse([sentence.sentence.text for sentence in found], entities=True)
    named = time.perf_counter() - named
    return {
        "texts": len(texts),
        "sentences": len(found),
        "sentences/s, clock": distinct / clock,
        "sentences/s, CPU time": distinct / cpu,
        "entities and lemmas alone/s": distinct / named,
        **yields(found),
    }


def yields(found: list[SegmentedSentence]) -> dict[str, float]:
    """How finely sentences are cut, in means."""
    clauses = [len(one.segmentations[min(1, len(one.segmentations) - 1)]) for one in found]
    segments = [sum(map(len, one.segmentations)) for one in found]
    sizes = Counter(min(count, 4) for count in clauses)
    shares = {
        "one clause (%)": sizes[1],
        "two (%)": sizes[2],
        "three (%)": sizes[3],
        "four or more (%)": sizes[4],
    }
    return {
        "clauses a sentence": sum(clauses) / len(found),
        "segments a sentence": sum(segments) / len(found),
        **{name: 100 * count / len(found) for name, count in shares.items()},
    }


if __name__ == "__main__":
    main()
