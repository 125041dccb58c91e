"""How fast the reader reads, how it grows, and how much memory long narratives take.

    python bench/reader_speed.py [--device cuda] [--json FILE]

Sentences of about 22 words, from the project's own events, against a text of 500 words; twice and
four times as many; and 200 sentences against each of 19 narratives of 20,000 words. Nothing is
cached.
"""

import argparse
import json
import os
import resource
import time
from itertools import cycle, islice
from pathlib import Path

os.environ["COMMONGROUND_CACHE_SIZE"] = "0"

from commonground.reader import Reader
from commonground.text import sentences

EXAMPLES = Path(__file__).parent.parent / "data" / "reading" / "events.jsonl"
WORDS = 22
TEXT_WORDS = 500
LONG_WORDS = 20_000
NARRATIVES = 20
ASKED = 200  # sentences of the first long narrative that are read against each other one


def main() -> None:
    """Print the figures and write them where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    reader, pool = Reader(cache=False, device=arguments.device), own_sentences()
    typical = typical_of(pool)
    found = {"sentences a second": {}}
    for count in (100, 200, 400):
        found["sentences a second"][count] = rate = sentences_a_second(reader, count)
        print(f"{count} sentences of {WORDS} words, a text of {TEXT_WORDS}: {rate:.0f} a second")
    before = _megabytes()
    start = time.perf_counter()
    asked = typical[:ASKED]
    for number in range(1, NARRATIVES):
        reader.read(asked, _text(pool[number * 37 :] + pool, LONG_WORDS))
    found["long seconds"] = time.perf_counter() - start
    found["long megabytes"] = _megabytes()
    what = f"{len(asked)} sentences, {NARRATIVES - 1} narratives of {LONG_WORDS:,} words each"
    seconds, most = found["long seconds"], found["long megabytes"]
    print(f"{what}: {seconds:.0f} s, {most:.0f} MB at most (before: {before:.0f})")
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def own_sentences() -> list[str]:
    """All sentences of the project's own events."""
    return [
        sentence
        for line in EXAMPLES.read_text(encoding="utf-8").splitlines()
        for narrative in json.loads(line)["narratives"]
        for sentence in sentences(narrative)
    ]


def typical_of(pool: list[str]) -> list[str]:
    """Sentences of about 22 words."""
    return [text for text in pool if WORDS - 4 <= len(text.split()) <= WORDS + 4]


def sentences_a_second(reader: Reader, count: int) -> float:
    """The best of three, after a call that loads what it needs."""
    pool = own_sentences()
    some, text = list(islice(cycle(typical_of(pool)), count)), _text(pool, TEXT_WORDS)
    reader.read(some[:4], text)
    return count / min(_timed(reader, some, text) for _ in range(3))


def _timed(reader: Reader, some: list[str], text: list[str]) -> float:
    start = time.perf_counter()
    reader.read(some, text)
    return time.perf_counter() - start


def _text(pool: list[str], words: int) -> list[str]:
    found, count = [], 0
    for number, sentence in enumerate(cycle(pool)):
        if count >= words:
            return found
        # A number keeps repeated sentences apart, so that each is encoded.
        found.append(sentence if number < len(pool) else f"{sentence} {number}")
        count += len(sentence.split())
    return found


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
