"""Speed of sentence splitting beside nupunkt's own: `python bench/split_speed.py DATA_FOLDER`.

DATA_FOLDER holds sos/allsides_dev.jsonl, a data set with narratives. CPU time, so that other work
on the machine matters less. Prints a table and writes bench/out/split_speed.json.
"""

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import nupunkt

from commonground.io import read_events
from commonground.text import SPLITTERS, split

ROUNDS = 7


def main() -> None:
    """Measure both and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with sos/allsides_dev.jsonl")
    events = read_events(parser.parse_args().data / "sos" / "allsides_dev.jsonl")
    texts = [narrative.text for event in events.values() for narrative in event.narratives]
    tokenizer = nupunkt.load_default_model()
    table = {
        "nupunkt": measure(lambda text: len(list(tokenizer.span_tokenize(text))), texts),
        SPLITTERS["layout"]: measure(lambda text: len(split(text)), texts),
    }
    print(f"{len(texts)} narratives, {sum(map(len, texts)):,} characters\n")
    print(f"{'splitter':<18}{'':>8}{'characters/s':>16}{'sentences/s':>14}")
    for name, figures in table.items():
        for when in ("first", "best"):
            characters, sentences = figures[when]
            print(f"{name:<18}{when:>8}{characters:>16,.0f}{sentences:>14,.0f}")
    out = Path(__file__).parent / "out" / "split_speed.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")


def measure(count: Callable[[str], int], texts: list[str]) -> dict[str, tuple[float, float]]:
    """Characters and sentences a second, in the first round (caches cold) and in the best."""
    count("Load the model. Then start.")
    seconds = []
    sentences = 0
    for _ in range(ROUNDS):
        begun = time.process_time()
        sentences = sum(map(count, texts))
        seconds.append(time.process_time() - begun)
    characters = sum(map(len, texts))
    return {
        name: (characters / taken, sentences / taken)
        for name, taken in (("first", seconds[0]), ("best", min(seconds)))
    }


if __name__ == "__main__":
    main()
