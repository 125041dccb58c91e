"""Step 9: the probability that two near sentences contradict each other.

    python -m training.conflicts DATA READERS [--write]

READERS holds 0.onnx to 3.onnx, the fold models: each labelled event is read by a model that was not
trained on it. An example is a pair of near sentences; its label is whether readers listed the pair
as a plain contradiction. The examples that the rules were made with are added, read by the shipped
model, which never saw them. With `--write` the weights go into the package; the figures are out of
fold.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from commonground.narratives.conflicts.disputed import Disputed
from commonground.narratives.conflicts.find import Location, Meeting, meetings_of
from commonground.narratives.conflicts.likely import FEATURES, measured
from commonground.narratives.reading import Readings
from commonground.narratives.statements.find import Finder
from commonground.text import sentences
from training.figures import auc
from training.labels import read_lines
from training.regressions import (
    ROOT,
    Event,
    Example,
    Row,
    opened,
    out_of_fold,
    own_events,
    parser,
    write,
)

WRITTEN = ("conflicts.jsonl", "conflict_narratives.jsonl", "conflict_narratives_more.jsonl")
THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7)


def main() -> None:
    """Collect, print figures out of fold, fit, write."""
    arguments = parser(__doc__).parse_args()
    events = opened(labelled_events(arguments.data), arguments.readers, written_events())
    examples = [example for event in events for example in _examples(event)]
    plain = sum(example.label for example in examples)
    print(f"{len(examples):,} pairs, {plain:,} plain contradictions")
    print_figures(examples)
    if arguments.write:
        write("conflicts", FEATURES, examples)


def labelled_events(data: Path) -> list[Row]:
    """News and policies in pairs, three-way news, rumours, the project's own events."""
    names = ("pairs", "three_way", "rumours")
    rows = [(name, row) for name in names for row in read_lines(data / f"reading/{name}.jsonl")]
    return [*({**row, "group": name} for name, row in rows), *own_events()]


def written_events() -> Iterator[Row]:
    """Yield the texts written to make the rules, labelled as the events are."""
    for row in (row for name in WRITTEN for row in read_lines(ROOT / "examples" / name)):
        narratives = [sentences(narrative["text"]) for narrative in row["narratives"]]
        conflicts = []
        for conflict in row["conflicts"]:
            wanted = zip(conflict["values"], conflict.get("places", ("", "")), strict=True)
            sides = [
                [s for s, text in enumerate(narrative) if value in text and place in text]
                for narrative, (value, place) in zip(narratives, wanted, strict=True)
            ]
            conflicts += [{"left": a, "right": b, "hard": True} for a in sides[0] for b in sides[1]]
        yield {"narratives": narratives, "conflicts": conflicts, "labels": [], "group": "written"}


def _examples(event: Event) -> Iterator[Example]:
    """Yield the pairs of near sentences.

    They are `related` if readers listed them as a contradiction or another emphasis, or labelled
    one as contradicted by the narrative of the other.
    """
    row, facts = event.row, event.facts
    read = Finder(event.readings, event.reader, 2, Disputed(event.readings, facts, ())).read
    starts = [[0, *accumulate(len(text) + 1 for text in texts)][:-1] for texts in row["narratives"]]
    listed = {frozenset(places_of(conflict)): conflict["hard"] for conflict in row["conflicts"]}
    against = {
        (label["n"], label["s"], label["in"])
        for label in row["labels"]
        if label["label"] == "contradicted"
    }
    for meeting, values in measured(facts, meetings_of(facts), read, event.reader, 0.0):
        one, other = _labelled_places(meeting, event.readings, starts)
        hard = listed.get(frozenset((one, other)))
        related = hard is not None or not against.isdisjoint({(*one, other[0]), (*other, one[0])})
        yield Example(values, bool(hard), event.fold, row["group"], related)


def places_of(conflict: dict[str, Any]) -> tuple[Location, Location]:
    """Return narrative and sentence of both sides; pairs and sets of three have other keys."""
    if "left" in conflict:
        return (0, conflict["left"]), (1, conflict["right"])
    one, other = (tuple(conflict[side]) for side in ("a", "b"))
    return one, other


def _labelled_places(
    meeting: Meeting, readings: Readings, starts: Sequence[Sequence[int]]
) -> list[Location]:
    """Return narrative and sentence of both sides, as the labels count them."""
    locations = []
    for narrative, row in meeting.locations:
        start = readings.narratives[narrative].parsed[row].sentence.start
        locations.append((narrative, bisect_right(starts[narrative], start) - 1))
    return locations


def print_figures(examples: Sequence[Example]) -> None:
    """For each group and threshold: pairs reported, related ones, plain contradictions."""
    chances = out_of_fold(examples)
    plain = np.array([example.label for example in examples])
    related = np.array([example.related for example in examples])
    groups = np.array([example.group for example in examples])
    print(f"{'from a probability of':28}" + "".join(f"{value:>16}" for value in THRESHOLDS))
    for group in sorted(set(groups)):
        own = groups == group
        cells = []
        for threshold in THRESHOLDS:
            above = own & (chances >= threshold)
            cells.append(f"{above.sum():>6}{related[above].sum():>5}{plain[above].sum():>5}")
        print(f"{group:12} auc {auc(plain[own], chances[own]):.2f} {'':7}" + "".join(cells))


if __name__ == "__main__":
    main()
