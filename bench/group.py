"""How well are the articles of one event found in a pile of many?

All narratives of the AllSides events in one pile, without their events. Precision: of the pairs
that are put together, how many are of one event; recall: of the pairs of one event, how many are
put together. A second pile has the references of each event as further narratives, for groups
larger than two. The thresholds were chosen on these events; others are kept back.

    python bench/group.py DATA_FOLDER [--encoder NAME] [--sweep] [--json OUT]
"""

import argparse
import itertools
import json
import time
from collections.abc import Iterable
from pathlib import Path

from commonground.encoders import load
from commonground.io import Event, read_events
from commonground.scale.grouping import GROUP, PAIR, Article, Group, group

OUT = Path(__file__).parent / "out"


def main() -> None:
    """Print the table and write it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with sos/allsides_dev.jsonl")
    parser.add_argument("--encoder", default="minilm", help="for the meaning of articles")
    parser.add_argument("--sweep", action="store_true", help="other thresholds too")
    parser.add_argument("--json", type=Path, default=OUT / "group.json", help="the figures")
    arguments = parser.parse_args()
    events = list(read_events(arguments.data / "sos" / "allsides_dev.jsonl").values())
    piles = {
        "narratives": [one for event in events for one in _narratives(event)],
        "and references": [
            one for event in events for one in (*_narratives(event), *_references(event))
        ],
    }
    grid = (
        itertools.product((0.25, 0.3, 0.35), (0.5, 0.52, 0.55, 0.58, 0.6))
        if arguments.sweep
        else [(PAIR, GROUP)]
    )
    rows = []
    print("pile            articles  pair  more precision recall groups largest seconds")
    for (pair, more), (name, pile) in itertools.product(grid, piles.items()):
        row = {"encoder": arguments.encoder, "pile": name, "articles": len(pile)}
        row |= {"pair": pair, "more": more}
        rows.append(row | _measured(pile, arguments.encoder, pair, more))
        print(
            "{pile:<15} {articles:>8} {pair:>5} {more:>5} {precision:>9.3f} {recall:>6.3f} "
            "{groups:>6} {largest:>7} {seconds:>7.2f}".format(**rows[-1])
        )
    arguments.json.parent.mkdir(exist_ok=True)
    arguments.json.write_text(json.dumps(rows, indent=2))


def _narratives(event: Event) -> Iterable[Article]:
    # The event in the id is for the count below; grouping looks at the text alone.
    return (
        Article(f"{event.id}/{number}", one.source, one.text)
        for number, one in enumerate(event.narratives)
    )


def _references(event: Event) -> Iterable[Article]:
    return (
        Article(f"{event.id}/reference-{number}", f"reference {number}", text)
        for number, text in enumerate(event.references)
        if text.strip()
    )


def _measured(pile: list[Article], encoder: str, pair: float, more: float) -> dict[str, float]:
    start = time.perf_counter()
    found = group(pile, load(encoder), pair=pair, more=more)
    seconds = time.perf_counter() - start
    together, right = _pairs(found)
    _, all_pairs = _pairs([Group(tuple(pile))])
    return {
        "precision": right / together,
        "recall": right / all_pairs,
        "groups": sum(len(one.articles) > 1 for one in found),
        "largest": max(len(one.articles) for one in found),
        "seconds": seconds,
    }


def _pairs(groups: Iterable[Group]) -> tuple[int, int]:
    """How many pairs are put together, and how many of them are of one event."""
    pairs = [
        (one.id.rsplit("/", 1)[0], other.id.rsplit("/", 1)[0])
        for members in groups
        for one, other in itertools.combinations(members.articles, 2)
    ]
    return len(pairs), sum(one == other for one, other in pairs)


if __name__ == "__main__":
    main()
