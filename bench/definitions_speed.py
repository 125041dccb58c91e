"""How fast the other definitions of the overlap are.

    python bench/definitions_speed.py DATA_FOLDER [--narratives 2] [--words 20000] [--json OUT]

Words, topics, facets and graph, of narratives of distinct sentences (as in `overlap_speed.py`),
once parser and encoder are loaded: seconds on the clock and of the processor.
"""

import argparse
import json
import os
import time
from pathlib import Path

from commonground.narratives.definitions import (
    FacetOverlaps,
    GraphOverlaps,
    TopicOverlaps,
    WordOverlaps,
)
from overlap_speed import long_texts


def main() -> None:
    """Print the figures and write them as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with sos/")
    parser.add_argument("--narratives", type=int, default=2)
    parser.add_argument("--words", type=int, default=20_000)
    parser.add_argument("--json", type=Path, help="write the figures here")
    arguments = parser.parse_args()
    os.environ["COMMONGROUND_CACHE_SIZE"] = "0"
    texts = long_texts(arguments.data, arguments.narratives, arguments.words)
    figures = {}
    for finder in (WordOverlaps(), TopicOverlaps(), FacetOverlaps(), GraphOverlaps()):
        finder.find(["It rained all day.", "Rain fell all day."])
        clock, processor = time.perf_counter(), time.process_time()
        found = finder.find(texts)
        figures[type(finder).__name__] = {
            "seconds": round(time.perf_counter() - clock, 1),
            "processor": round(time.process_time() - processor, 1),
        }
        print(f"{figures[type(finder).__name__]} {found!r}")
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
