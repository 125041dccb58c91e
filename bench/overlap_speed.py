"""How fast the overlap is, and how it grows.

    python bench/overlap_speed.py DATA_FOLDER [--large] [--json OUT]

A pair of narratives of 500 words each, once everything is loaded (the median of ten different
pairs, none of them seen before, no cache), and from a cold command; and how time and memory grow
with the length of two narratives. `--large` adds twenty narratives of 20,000 words, which takes
minutes. Each measurement of memory has a process of its own.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

PAIR = 500
PAIRS = 10
LENGTHS = (1_000, 5_000, 20_000)
_CHILD = """
import json, resource, sys, time
from commonground.overlap import Overlaps
texts = json.load(open(sys.argv[1]))
finder = Overlaps()
finder.find(["It rained all day.", "Rain fell all day."])
start = time.perf_counter()
finder.find(texts)
taken = time.perf_counter() - start
print(json.dumps([taken, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""


def main() -> None:
    """Print the figures and write them as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with sos/allsides_dev.jsonl")
    parser.add_argument("--large", action="store_true", help="also 20 narratives of 20,000 words")
    parser.add_argument("--json", type=Path, help="write the figures here")
    arguments = parser.parse_args()
    os.environ["COMMONGROUND_CACHE_SIZE"] = "0"
    words = _words(arguments.data)
    figures: dict[str, object] = {
        "pair, loaded (s)": _loaded(words),
        "pair, cold (s)": _cold(words),
    }
    shapes = [(2, length) for length in LENGTHS] + ([(20, 20_000)] if arguments.large else [])
    for count, length in shapes:
        taken, memory = _grown(words, count, length)
        figures[f"{count} narratives of {length:,} words (s, MB)"] = [
            round(taken, 1),
            round(memory),
        ]
    for name, value in figures.items():
        print(f"{name:<48}{value}")
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2))


def _words(data: Path) -> tuple[list[str], list[str]]:
    """All left narratives in a row, and all right ones."""
    lines = (data / "sos" / "allsides_dev.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line)["narratives"] for line in lines]
    left, right = ([w for row in rows for w in row[side]["text"].split()] for side in (0, 1))
    return left, right


def _text(words: list[str], number: int, length: int) -> str:
    """So many words from a place of its own; what is too short starts again."""
    start = number * length % len(words)
    repeated = (words[start:] + words * (length // len(words) + 1))[:length]
    return " ".join(repeated)


def _loaded(words: tuple[list[str], list[str]]) -> float:
    from commonground.overlap import Overlaps

    finder = Overlaps()
    finder.find(["It rained all day.", "Rain fell all day."])
    taken = []
    for number in range(PAIRS):
        texts = [_text(side, number, PAIR) for side in words]
        start = time.perf_counter()
        finder.find(texts)
        taken.append(time.perf_counter() - start)
    return round(float(np.median(taken)), 2)


def _cold(words: tuple[list[str], list[str]]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("left.txt", "right.txt")]
        for path, side in zip(paths, words, strict=True):
            path.write_text(_text(side, PAIRS, PAIR), encoding="utf-8")
        command = [sys.executable, "-m", "commonground", "overlap", *map(str, paths), "--json"]
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return round(time.perf_counter() - start, 2)


def _grown(words: tuple[list[str], list[str]], count: int, length: int) -> tuple[float, float]:
    texts = [_text(words[number % 2], number // 2, length) for number in range(count)]
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as stream:
        json.dump(texts, stream)
        stream.flush()
        command = [sys.executable, "-c", _CHILD, stream.name]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    taken, memory = json.loads(done.stdout)
    return taken, memory


if __name__ == "__main__":
    main()
