"""How fast the overlap is, and how it grows.

    python bench/overlap_speed.py DATA_FOLDER [--large] [--json OUT]

A pair of narratives of 500 words each, once everything is loaded (the median of ten different
pairs, none of them seen before, no cache), and from a cold command; and how time and memory grow
with the length of two narratives. `--large` adds twenty narratives of 20,000 words, which takes
minutes. Each measurement of memory has a process of its own.

Long narratives are put together from sentences that are all distinct: those of the data, and where
these do not suffice, the same with their words shuffled. How many there are is printed.
"""

import argparse
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

PAIR = 500
PAIRS = 10
LENGTHS = (1_000, 5_000, 20_000)
_CHILD = """
import json, resource, sys, time
from commonground.narratives import Overlaps
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
    parser.add_argument("data", type=Path, help="folder with sos/")
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
        texts = long_texts(arguments.data, count, length)
        taken, memory = _grown(texts)
        figures[f"{count} narratives of {length:,} words (s, MB)"] = [
            round(taken, 1),
            round(memory),
        ]
        figures[f"{count} x {length:,} words: sentences, distinct"] = _counted(texts)
    for name, value in figures.items():
        print(f"{name:<48}{value}")
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2))


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as stream:
        yield from map(json.loads, stream)


def _words(data: Path) -> tuple[list[str], list[str]]:
    """All left narratives in a row, and all right ones."""
    rows = [row["narratives"] for row in _rows(data / "sos" / "allsides_dev.jsonl")]
    left, right = ([w for row in rows for w in row[side]["text"].split()] for side in (0, 1))
    return left, right


def _text(words: list[str], number: int, length: int) -> str:
    """So many words from a place of its own."""
    return " ".join(words[number * length : (number + 1) * length])


def long_texts(data: Path, count: int, length: int) -> list[str]:
    """So many narratives of so many words."""
    sentences = _distinct(data)
    texts = []
    for _ in range(count):
        words: list[str] = []
        while len(words) < length:
            words += next(sentences).split()
        texts.append(" ".join(words))
    return texts


def _counted(texts: list[str]) -> list[int]:
    """How many sentences texts have, as they are split, and how many of these are distinct."""
    from commonground.text import split

    sentences = [sentence.text for text in texts for sentence in split(text)]
    return [len(sentences), len(set(sentences))]


def _distinct(data: Path) -> Iterator[str]:
    """Sentences without end, none of them twice."""
    from commonground.text import split

    known: list[str] = []
    seen: set[str] = set()
    for text in _published(data / "sos"):
        for sentence in split(text):
            plain = " ".join(sentence.text.split())
            if plain not in seen:
                seen.add(plain)
                known.append(plain)
                yield plain
    shuffler = random.Random(0)
    while True:
        for one in known:
            *words, last = one.split()  # which has the full stop
            shuffler.shuffle(words)
            mixed = " ".join([*words, last])
            if mixed not in seen:
                seen.add(mixed)
                yield mixed


def _published(folder: Path) -> Iterator[str]:
    """The texts of the data, narratives before summaries."""
    for name in ("allsides_dev.jsonl", "policies_dev.jsonl"):
        for row in _rows(folder / name):
            yield from (one["text"] for one in row["narratives"])
    for row in _rows(folder / "allsides_references.jsonl"):
        yield from row["references"]
    for row in _rows(folder / "allsides_system_outputs.jsonl.gz"):
        yield row["summary"]


def _loaded(words: tuple[list[str], list[str]]) -> float:
    from commonground.narratives import Overlaps

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


def _grown(texts: list[str]) -> tuple[float, float]:
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as stream:
        json.dump(texts, stream)
        stream.flush()
        command = [sys.executable, "-c", _CHILD, stream.name]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    taken, memory = json.loads(done.stdout)
    return taken, memory


if __name__ == "__main__":
    main()
