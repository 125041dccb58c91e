"""Where the time of a comparison goes.

    python bench/overlap_stages.py [--pairs N]

Compares pairs as `bench/web_load.py` makes them (500 words, never seen before) with one thread, and
prints for each kind of work the calls, the word pieces and the seconds of a comparison. The rest is
rules, cuts and the cache. Compare versions on one machine only.
"""

import argparse
import json
import os
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import web_load

KINDS = ("vectors", "text for the reader", "sentence by the reader", "parse")


class Clock:
    """Counts calls, word pieces and seconds by kind of work."""

    def __init__(self) -> None:
        self.totals: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])

    def watch(self, owner: Any, name: str, kind: str, pieces: Callable[..., int]) -> None:
        """Count the calls of a function or method from now on."""
        inner = getattr(owner, name)

        def counted(*given: Any, **more: Any) -> Any:
            start = time.perf_counter()
            result = inner(*given, **more)
            own = (1, pieces(*given), time.perf_counter() - start)
            self.totals[kind] = [sum(pair) for pair in zip(self.totals[kind], own, strict=True)]
            return result

        setattr(owner, name, counted)


def main() -> None:
    """Print the figures and write them as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=12)
    pairs = parser.parse_args().pairs
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COMMONGROUND_CACHE"], os.environ["COMMONGROUND_THREADS"] = folder, "1"
        figures = measured(pairs)
    for kind, (calls, pieces, seconds) in figures.items():
        print(f"{kind:<24}{calls:>8.0f} calls{pieces:>8.0f} pieces{seconds:>8.2f} s")
    out = Path(__file__).parent / "out" / "overlap_stages.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(figures, indent=1) + "\n")


def measured(pairs: int) -> dict[str, list[float]]:
    """Return calls, word pieces and seconds of a comparison, by kind."""
    from commonground.encoders.bert import OnnxBert
    from commonground.narratives import Overlaps
    from commonground.reader.network import OnnxNetwork
    from commonground.text import parsing

    accounts, finder, clock = web_load.read_accounts(), Overlaps(), Clock()
    texts = [
        web_load.narratives(accounts, random.Random(number), web_load.Size())
        for number in range(pairs + 3)
    ]
    for pair in texts[pairs:]:
        finder.find(pair)  # loads all models
    clock.watch(OnnxBert, "_hidden", KINDS[0], lambda _, ids, mask: int(mask.sum()))
    clock.watch(OnnxNetwork, "_encode", KINDS[1], lambda _, ids: len(ids))
    clock.watch(OnnxNetwork, "_read", KINDS[2], lambda _, question: len(question.ids) + 2)
    generator = parsing._parsed
    parsing._parsed = lambda texts: list(generator(texts))  # a generator alone takes no time
    for part in ("_parsed", "_add_entities"):
        clock.watch(parsing, part, KINDS[3], lambda docs: 0)
    start = time.perf_counter()
    for pair in texts[:pairs]:
        finder.find(pair)
    whole = time.perf_counter() - start
    known = {kind: [value / pairs for value in clock.totals[kind]] for kind in KINDS}
    rest = whole / pairs - sum(seconds for *_, seconds in known.values())
    return known | {"rest": [0, 0, rest], "comparison": [1, 0, whole / pairs]}


if __name__ == "__main__":
    main()
